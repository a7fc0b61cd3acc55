// xurls in its strict mode: what has a scheme that it knows.
package main

import (
	"encoding/json"
	"os"

	"mvdan.cc/xurls/v2"
)

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	out.Encode(map[string]string{"version": "xurls " + os.Getenv("XURLS_VERSION")})
	finder := xurls.Strict()
	for text := (struct{ Text string }{}); in.Decode(&text) == nil; {
		out.Encode(map[string][]string{"urls": append([]string{}, finder.FindAllString(text.Text, -1)...)})
	}
}
