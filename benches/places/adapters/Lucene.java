// What lucene.py runs: a text a line in base64 comes in, and its URLs go out, in base64 with blanks between.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.apache.lucene.analysis.standard.UAX29URLEmailTokenizer;
import org.apache.lucene.analysis.tokenattributes.*;

class Lucene {
    public static void main(String[] none) throws IOException {
        System.out.println(org.apache.lucene.util.Version.LATEST);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; System.out.println()) {
            UAX29URLEmailTokenizer tokens = new UAX29URLEmailTokenizer();
            tokens.setReader(new StringReader(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8)));
            CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
            TypeAttribute type = tokens.addAttribute(TypeAttribute.class);
            tokens.reset();
            while (tokens.incrementToken())
                if (type.type().equals("<URL>"))
                    System.out.print(Base64.getEncoder().encodeToString(term.toString().getBytes(StandardCharsets.UTF_8)) + " ");
            tokens.close();
        }
    }
}
