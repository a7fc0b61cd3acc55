//! *sparse*: C of the kind that kernels are made of.
//!
//! Colons are few (labels, cases, messages), most of them in blocks of text that
//! have no other, and there is a link in a comment about every 20 KB.

use super::Corpus;
use super::random::Random;
use super::urls;

/// How far apart the links are, in bytes.
const APART: usize = 20_000;

/// C of about `size` bytes.
pub fn sparse(size: usize) -> Corpus {
    let mut file = File { text: String::with_capacity(size + 8192), urls: 0, random: Random::new(1972) };
    while file.text.len() < size {
        let due = (file.urls + 1) * APART;
        let with_link = file.text.len() >= due;
        file.comment(with_link);
        file.function();
    }
    Corpus::new("sparse", file.text, file.urls)
}

struct File {
    text: String,
    urls: usize,
    random: Random,
}

impl File {
    fn comment(&mut self, with_link: bool) {
        self.text.push_str("\n/*\n");
        for _ in 0..self.random.between(1, 6) {
            self.text.push_str(" *");
            for _ in 0..self.random.between(6, 13) {
                self.text.push(' ');
                self.text.push_str(self.random.word());
            }
            self.text.push('\n');
        }
        if with_link {
            self.link();
        }
        self.text.push_str(" */\n");
    }

    /// A link on a line of a comment, in one of the ways seen there.
    fn link(&mut self) {
        self.urls += 1;
        let url = urls::hierarchical(&mut self.random);
        let line = match self.random.below(4) {
            0 => format!(" * See {url}.\n"),
            4..8 => format!(" * [1] <{url}>\n"),
            2 => {
                let cut = url.rfind('/').map_or(url.len(), |slash| slash + 1);
                format!(" * <URL:{}\n * {}> has more\n", &url[..cut], &url[cut..])
            }
            _ => format!(" * {url}\n"),
        };
        self.text.push_str(&line);
    }

    fn function(&mut self) {
        let (name, kind) = (self.random.name(), self.random.name());
        self.text.push_str(&format!(
            "static int {name}_{kind}(struct {kind} *dev, unsigned long flags)\n{{\n\tint err = 0;\n\n"
        ));
        for _ in 0..self.random.between(6, 25) {
            self.statement();
        }
        self.text.push_str("\treturn err;\n}\n");
    }

    fn statement(&mut self) {
        let random = &mut self.random;
        let (one, two, number) = (random.name(), random.name(), random.below(4096));
        let statement = match random.below(24) {
            0..4 => format!("if (!dev->{one}) {{\n\t\terr = -EINVAL;\n\t\tgoto out_{two};\n\t}}"),
            4..8 => format!("while (readl(dev->base + {number}) & {one}_BUSY)\n\t\tcpu_relax();"),
            8..12 => format!("dev->{one}[{number}] = {two}(dev, flags & ~0x{number:x}UL);"),
            12..14 => {
                format!("for (int i = 0; i < {number}; i++)\n\t\t{one}_write(dev, {two}[i]);")
            }
            14..16 => format!("err = {one}_{two}(&dev->{two});\n\tif (err < 0)\n\t\treturn err;"),
            16..22 => format!("{one} = container_of(dev, struct {two}, {one});"),
            22 => format!("printk(KERN_WARNING \"{one}: {two} timed out, %d left\\n\", err);"),
            _ => format!("switch (dev->{one}) {{\n\tcase {number}:\n\tdefault:\n\t\terr = {two}();\n\t}}"),
        };
        self.text.push_str(&format!("\t{statement}\n"));
    }
}
