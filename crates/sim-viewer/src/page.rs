//! The page: plain ES modules, joined to one script without imports, so that a replay is one file.

use std::sync::OnceLock;

const HTML: &str = include_str!("../page/index.html");
const STYLE: &str = include_str!("../page/style.css");
/// Modules, each after those that it imports from. Their top-level names differ.
const MODULES: &[&str] = &[
    include_str!("../page/math.js"),
    include_str!("../page/decode.js"),
    include_str!("../page/shapes.js"),
    include_str!("../page/shaders.js"),
    include_str!("../page/renderer.js"),
    include_str!("../page/camera.js"),
    include_str!("../page/widgets.js"),
    include_str!("../page/plots.js"),
    include_str!("../page/panels.js"),
    include_str!("../page/timeline.js"),
    include_str!("../page/source.js"),
    include_str!("../page/main.js"),
];
const ICON: &str = include_str!("../page/icon.svg");

/// The modules as one script: without lines that import, and without the word `export`.
pub(crate) fn script() -> &'static str {
    static SCRIPT: OnceLock<String> = OnceLock::new();
    SCRIPT.get_or_init(|| {
        let mut script = String::new();
        let mut importing = false;
        for line in MODULES.iter().flat_map(|module| module.lines()) {
            importing |= line.starts_with("import ");
            if !importing {
                script.push_str(line.strip_prefix("export ").unwrap_or(line));
                script.push('\n');
            }
            importing &= !line.ends_with(';');
        }
        script
    })
}

/// What is served at a path, and its type. Nothing else is, whatever the path looks like.
pub(crate) fn resource(path: &str) -> Option<(&'static str, &'static str)> {
    let path = path.split('?').next().unwrap_or_default();
    match path {
        "/" => Some(("text/html; charset=utf-8", HTML)),
        "/viewer.js" => Some(("text/javascript; charset=utf-8", script())),
        "/viewer.css" => Some(("text/css; charset=utf-8", STYLE)),
        "/icon.svg" => Some(("image/svg+xml", ICON)),
        _ => None,
    }
}

/// The page as one file, which shows a recording; `data` is Base64.
pub(crate) fn standalone(title: &str, data: &str) -> String {
    let title: String = title.chars().filter(|c| !"<>&\"".contains(*c)).collect();
    let links = [
        ("<link rel=\"stylesheet\" href=\"viewer.css\">", format!("<style>{STYLE}</style>")),
        ("<link rel=\"icon\" href=\"icon.svg\">", String::new()),
        ("<title>CortenForge</title>", format!("<title>{title}</title>")),
        (
            "<script type=\"module\" src=\"viewer.js\"></script>",
            format!(
                "<script type=\"application/octet-stream\" id=\"replay\">{data}</script>\n\
                 <script type=\"module\">{}</script>",
                script()
            ),
        ),
    ];
    links.iter().fold(HTML.to_owned(), |page, (from, to)| page.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_has_no_imports_and_fits_into_a_page() {
        assert!(!script().contains("\nimport ") && !script().contains("\nexport "));
        assert!(!script().contains("</script"));
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
