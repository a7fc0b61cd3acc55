//! Random numbers that are the same in every run, and words picked by them.

/// The generator SplitMix64: one addition and a mix.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        // The high half of the product: no division, and the bias of one in
        // 2⁶⁴ / `end` does not matter here.
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// A number from `low` up to, but not, `high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low)
    }

    /// True once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// A word of English.
    pub fn word(&mut self) -> &'static str {
        self.pick(WORDS)
    }

    /// A word of no language, for names of files, users and variables.
    pub fn name(&mut self) -> String {
        (0..self.between(2, 4)).map(|_| self.pick(SYLLABLES)).collect()
    }
}

const WORDS: &[&str] = &[
    "the",
    "of",
    "and",
    "to",
    "a",
    "in",
    "is",
    "that",
    "it",
    "for",
    "on",
    "with",
    "as",
    "this",
    "be",
    "are",
    "not",
    "have",
    "from",
    "but",
    "or",
    "which",
    "you",
    "they",
    "one",
    "there",
    "all",
    "we",
    "can",
    "if",
    "has",
    "more",
    "when",
    "would",
    "what",
    "about",
    "some",
    "them",
    "then",
    "only",
    "time",
    "two",
    "may",
    "first",
    "any",
    "my",
    "now",
    "people",
    "how",
    "after",
    "way",
    "many",
    "must",
    "before",
    "through",
    "back",
    "where",
    "much",
    "should",
    "well",
    "down",
    "because",
    "long",
    "each",
    "just",
    "those",
    "too",
    "same",
    "tell",
    "does",
    "set",
    "three",
    "want",
    "air",
    "also",
    "play",
    "small",
    "end",
    "put",
    "home",
    "read",
    "hand",
    "large",
    "spell",
    "add",
    "even",
    "here",
    "again",
    "machine",
    "point",
    "build",
    "self",
    "answer",
    "message",
    "archive",
    "server",
    "library",
    "reader",
    "version",
    "release",
    "problem",
    "question",
    "compiler",
    "terminal",
    "keyboard",
    "document",
    "directory",
    "gateway",
    "network",
    "bridge",
    "protocol",
    "weather",
    "garden",
    "railway",
    "lighthouse",
    "copper",
    "winter",
    "orchard",
    "patience",
    "measurement",
    "ridiculous",
    "seventeen",
    "although",
    "nevertheless",
    "yesterday",
    "somewhere",
    "understand",
    "particularly",
    "information",
    "interesting",
    "experience",
];

const SYLLABLES: &[&str] = &[
    "ba", "cor", "den", "fi", "gal", "hem", "in", "jo", "kel", "lu", "mar", "nor", "os", "pel", "qui", "ram",
    "sed", "tor", "um", "vel", "wis", "yar", "zen", "bri", "dra", "sto",
];
