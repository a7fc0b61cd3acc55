//! Pages whose links are those that a browser shows.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use toml::Table;

use super::{chromium, run, within};

struct Page {
    name: String,
    html: String,
    links: Vec<String>,
}

fn pages() -> Vec<Page> {
    let table: Table = include_str!("pages.toml").parse().unwrap();
    let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
    let page = |page: &toml::Value| Page {
        name: text(&page["name"]),
        html: text(&page["html"]),
        links: page["links"].as_array().unwrap().iter().map(text).collect(),
    };
    table["page"].as_array().unwrap().iter().map(page).collect()
}

impl Page {
    /// The page, of the standard and not of old browsers.
    fn source(&self) -> String {
        let doctype = if self.html.starts_with("<?xml") { "" } else { "<!DOCTYPE html>" };
        format!("{doctype}{}", self.html)
    }
}

#[test]
fn links_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let mut differ = Vec::new();
    for page in pages() {
        fs::write(folder.path().join("page.html"), page.source()).unwrap();
        let ran = run(within(&folder, &["--links", "page.html"]), b"");
        if ran.stdout.lines().ne(page.links.iter()) || !ran.stderr.is_empty() {
            differ.push(format!("{}: {}\n{}{}", page.name, page.html, ran.stdout, ran.stderr));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

/// The addresses of the links that can be seen, of frames too. Those of a canvas are there for readers of screens.
const SHOWN: &str = r"(() => {
    const links = []
    const drawn = (node) => [node, ...node.querySelectorAll('*')].some((n) => n.getClientRects().length > 0)
    const shown = (node) => node.localName === 'area' ||
        !node.closest('canvas') && node.checkVisibility({ visibilityProperty: true }) && drawn(node)
    const address = (node) => node.getAttribute('href') ?? node.getAttribute('xlink:href')
    const add = (document) => document.querySelectorAll('a, area, iframe').forEach((node) => {
        if (node.localName === 'iframe') return node.contentDocument && add(node.contentDocument)
        const url = address(node) === null ? null : URL.parse(address(node), document.baseURI)
        const leads = url !== null && !/^(?:file|about|javascript):/.test(url.protocol)
        if (leads && shown(node)) links.push(url.href)
    })
    add(document)
    return links
})()";

#[test]
fn links_are_those_of_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages();
    let file = |(n, page): (usize, &Page)| -> PathBuf {
        let file = folder.path().join(format!("{n}.html"));
        fs::write(&file, page.source()).unwrap();
        file
    };
    let files: Vec<_> = pages.iter().enumerate().map(file).collect();
    let Some(shown) = chromium::evaluate(&files, SHOWN) else { return };
    let mut differ = Vec::new();
    for (page, shown) in pages.iter().zip(shown) {
        // Browsers escape what a userinfo may not have.
        let link = |link: &String| link.replace("=).=:;>@", "%3D).%3D:%3B%3E@");
        let links: Vec<Value> = page.links.iter().map(link).map(Value::from).collect();
        if shown != Value::Array(links) {
            differ.push(format!("{}: {}\n{shown}", page.name, page.html));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
