// The URLs of standard input in Go: go run hello.go, with liburlgrep installed.
//
// An iterator needs no callback into Go. The text is kept by the iterator, so it is copied into memory of C.
package main

// #cgo pkg-config: urlgrep
// #include <stdlib.h>
// #include <urlgrep.h>
import "C"

import (
	"fmt"
	"io"
	"os"
	"unsafe"
)

func urls(text []byte) []string {
	finder := C.urlgrep_finder_new(nil, nil, 0)
	defer C.urlgrep_finder_free(finder)
	copied := C.CBytes(text)
	defer C.free(copied)
	iter := C.urlgrep_iter_new(finder, (*C.uint8_t)(copied), C.size_t(len(text)))
	defer C.urlgrep_iter_free(iter)
	var found []string
	for {
		match := C.urlgrep_iter_next(iter)
		if match == nil {
			return found
		}
		var length C.size_t
		url := C.urlgrep_match_url(match, &length)
		found = append(found, C.GoStringN((*C.char)(unsafe.Pointer(url)), C.int(length)))
	}
}

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, url := range urls(text) {
		fmt.Println(url)
	}
}
