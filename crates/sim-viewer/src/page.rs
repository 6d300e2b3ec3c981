//! The page: plain ES modules, joined to one script without imports, so that a replay is one file.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_to_vec;

/// HTML, style, script and icon with zeros between, deflated by the build script.
const PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page.z"));

/// HTML, style, script and icon.
fn parts() -> [&'static str; 4] {
    static TEXT: OnceLock<String> = OnceLock::new();
    let text = TEXT.get_or_init(|| {
        let bytes = decompress_to_vec(PACKED).unwrap_or_default();
        String::from_utf8(bytes).unwrap_or_default()
    });
    let mut parts = text.split('\0');
    [(); 4].map(|()| parts.next().unwrap_or_default())
}

/// What is served at a path, and its type. Nothing else is, whatever the path looks like.
pub(crate) fn resource(path: &str) -> Option<(&'static str, &'static str)> {
    let path = path.split('?').next().unwrap_or_default();
    let [html, style, script, icon] = parts();
    match path {
        "/" => Some(("text/html; charset=utf-8", html)),
        "/viewer.js" => Some(("text/javascript; charset=utf-8", script)),
        "/viewer.css" => Some(("text/css; charset=utf-8", style)),
        "/icon.svg" => Some(("image/svg+xml", icon)),
        _ => None,
    }
}

/// The page as one file, which shows a recording; `data` is Base64.
pub(crate) fn standalone(title: &str, data: &str) -> String {
    let title: String = title.chars().filter(|c| !"<>&\"".contains(*c)).collect();
    let [html, style, script, _] = parts();
    let links = [
        ("<link rel=\"stylesheet\" href=\"viewer.css\">", format!("<style>{style}</style>")),
        ("<link rel=\"icon\" href=\"icon.svg\">", String::new()),
        ("<title>CortenForge</title>", format!("<title>{title}</title>")),
        (
            "<script type=\"module\" src=\"viewer.js\"></script>",
            format!(
                "<script type=\"application/octet-stream\" id=\"replay\">{data}</script>\n\
                 <script type=\"module\">{script}</script>"
            ),
        ),
    ];
    links.iter().fold(html.to_owned(), |page, (from, to)| page.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_no_imports_and_fits_into_a_page() {
        let script = parts()[2];
        assert!(script.len() > 50_000 && script.contains("class App"));
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
        assert!(!script.contains("</script"));
        let page = standalone("a <b>", "QUJD");
        assert!(page.contains(">QUJD<") && page.contains("<title>a b</title>"));
        assert!(!page.contains("viewer.js") && !page.contains("viewer.css"));
    }

    #[test]
    fn only_embedded_resources_are_served() {
        assert!(resource("/").is_some() && resource("/viewer.js?x").is_some());
        for path in ["/Cargo.toml", "/../Cargo.toml", "//etc/passwd", "/viewer.js/", "/%2e%2e/", ""]
        {
            assert!(resource(path).is_none(), "{path}");
        }
    }
}
