//! A network of addresses, as `--host 10.0.0.0/8` has it.

use std::net::IpAddr;

/// The addresses that begin with the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    /// The number of bits that they have in common.
    prefix: u32,
}

impl Network {
    /// Parses `text`: an IP address, a slash and the number of leading bits that count. Returns `None` if `text` does
    /// not begin with an address and a slash.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such prefix.
    pub fn parse(text: &str) -> Option<Result<Network, String>> {
        let (address, prefix) = text.split_once('/')?;
        let first = self::address(address)?;
        let width = if first.is_ipv4() { 32 } else { 128 };
        // The parser of numbers also accepts a sign.
        let digits = Some(prefix).filter(|prefix| prefix.bytes().all(|byte| byte.is_ascii_digit()));
        let prefix = digits.and_then(|digits| digits.parse().ok()).filter(|&prefix| prefix <= width);
        let error = || format!("expected a prefix length of 0 to {width} after the slash, found {text:?}");
        Some(prefix.map(|prefix| Network { first, prefix }).ok_or_else(error))
    }

    /// Returns true if an address is in the network, itself or as the IPv4 address that it
    /// contains.
    pub fn contains(&self, address: IpAddr) -> bool {
        let bits = |address: IpAddr| match address {
            IpAddr::V4(address) => u128::from(address.to_bits()) << 96,
            IpAddr::V6(address) => address.to_bits(),
        };
        let has = |address: IpAddr| {
            address.is_ipv4() == self.first.is_ipv4()
                && (bits(address) ^ bits(self.first)).leading_zeros() >= self.prefix
        };
        has(address) || has(address.to_canonical())
    }
}

/// Returns the address that a host is, if it is one. An IPv6 address is in brackets.
pub fn address(host: &str) -> Option<IpAddr> {
    let literal = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    literal.unwrap_or(host).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4632, 3.1, and RFC 4291, 2.3.
    #[test]
    fn addresses_in_networks() {
        for (network, inside, outside) in [
            (
                "10.0.0.0/8",
                &["10.0.0.0", "10.255.255.255", "[::ffff:10.1.2.3]"][..],
                &["9.255.255.255", "11.0.0.0"][..],
            ),
            ("10.1.2.3/8", &["10.9.9.9"], &["11.1.2.3"]),
            ("172.16.0.0/12", &["172.16.0.1", "172.31.255.255"], &["172.15.255.255", "172.32.0.0"]),
            ("192.0.2.1/32", &["192.0.2.1"], &["192.0.2.0", "192.0.2.2"]),
            ("0.0.0.0/0", &["0.0.0.0", "255.255.255.255"], &["[::1]"]),
            ("[::1]/128", &["[::1]", "[0:0::0:1]"], &["[::2]", "0.0.0.1"]),
            ("2001:db8::/32", &["[2001:DB8:ffff::]"], &["[2001:db9::]"]),
            ("::/0", &["[::]", "[ffff::]"], &["192.0.2.1"]),
            ("::ffff:0:0/96", &["[::ffff:192.0.2.1]"], &["[::fffe:192.0.2.1]"]),
        ] {
            let set = Network::parse(network).unwrap().unwrap();
            for (hosts, expected) in [(inside, true), (outside, false)] {
                for host in hosts {
                    assert_eq!(set.contains(address(host).unwrap()), expected, "{host} in {network}");
                }
            }
        }
    }

    #[test]
    fn other_texts() {
        for text in ["h.org", "h.org/8", "10.0.0.0", "10.0/8", "/8", "http://h.org/"] {
            assert_eq!(Network::parse(text), None, "{text}");
        }
        for (text, width) in [
            ("10.0.0.0/33", 32),
            ("10.0.0.0/", 32),
            ("10.0.0.0/+8", 32),
            ("10.0.0.0/255.0.0.0", 32),
            ("10.0.0.0/8/8", 32),
            ("::/129", 128),
        ] {
            let error = format!("expected a prefix length of 0 to {width} after the slash, found {text:?}");
            assert_eq!(Network::parse(text), Some(Err(error)));
        }
        assert_eq!(address("h.org"), None);
    }
}
