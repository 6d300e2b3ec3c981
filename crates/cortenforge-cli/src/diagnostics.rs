//! What is wrong with models, for people and for programs.

use std::io::{self, IsTerminal, Write};

use cortenforge::{Error, Warning};

use crate::Failure;
use crate::json::Json;

const RESET: &str = "\u{1b}[0m";
const BOLD: &str = "\u{1b}[1m";
const RED: &str = "\u{1b}[1;31m";
const YELLOW: &str = "\u{1b}[1;33m";
const BLUE: &str = "\u{1b}[1;34m";
const GREEN: &str = "\u{1b}[1;32m";

/// All that is wrong with a model.
pub(crate) fn failure(error: &Error) -> Failure {
    let colour = colours(io::stderr().is_terminal());
    let all = std::iter::once(error).chain(error.others());
    let texts: Vec<String> = all.map(|error| shown(error, colour)).collect();
    let mut text = texts.join("\n\n");
    if texts.len() > 1 {
        text += &format!("\n\n{} errors", texts.len());
    }
    Failure(text)
}

/// Writes warnings to standard error.
pub(crate) fn warn(warnings: &[Warning]) {
    let colour = colours(io::stderr().is_terminal());
    for warning in warnings {
        let _ = writeln!(io::stderr(), "{}", painted(&warning.to_string(), YELLOW, colour));
    }
}

/// Whether to write in colour, on a terminal or not: <https://no-color.org>.
pub(crate) fn colours(terminal: bool) -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// An error with its code.
fn shown(error: &Error, colour: bool) -> String {
    let text = error.to_string();
    let text = match text.strip_prefix("error: ") {
        Some(rest) => format!("error[{}]: {rest}", error.code()),
        None => text,
    };
    painted(&text, RED, colour)
}

/// A report in colours: its first word, its place, the markers and the advice.
fn painted(text: &str, first: &str, colour: bool) -> String {
    if !colour {
        return text.to_owned();
    }
    let line = |(i, line): (usize, &str)| match line.trim_start() {
        _ if i == 0 => match line.split_once(':') {
            Some((word, rest)) => format!("{first}{word}{RESET}{BOLD}:{rest}{RESET}"),
            None => line.to_owned(),
        },
        rest if rest.starts_with("--> ") => line.replacen("-->", &format!("{BLUE}-->{RESET}"), 1),
        rest if rest.starts_with("= help:") => {
            line.replacen("= help:", &format!("{BLUE}={RESET} {GREEN}help:{RESET}"), 1)
        }
        _ => match line.split_once('|') {
            Some((margin, rest)) if rest.trim().chars().all(|c| c == '^') => {
                format!("{BLUE}{margin}|{RESET}{first}{rest}{RESET}")
            }
            Some((margin, rest)) => format!("{BLUE}{margin}|{RESET}{rest}"),
            None => line.to_owned(),
        },
    };
    text.lines().enumerate().map(line).collect::<Vec<_>>().join("\n")
}

/// Errors as JSON.
pub(crate) fn json(error: &Error) -> Json {
    let one = |error: &Error| {
        Json::Object(vec![
            ("code", error.code().into()),
            ("message", error.message().into()),
            ("file", error.file().into()),
            ("line", error.line().into()),
            ("column", error.column().into()),
            ("element", error.element().into()),
            ("attribute", error.attribute_name().into()),
            ("help", error.advice().into()),
        ])
    };
    Json::List(std::iter::once(error).chain(error.others()).map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_of_a_file_is_told() {
        let text = "<mujoco>\n<option timstep='1'/>\n<worldbody>\n<geom sise='1'/>\n<bdy/>\n</worldbody>\n</mujoco>";
        let error = cortenforge::load_str(text).unwrap_err();
        let Failure(report) = failure(&error);
        for words in [
            "error[E04]: unknown attribute 'timstep'",
            "'sise'",
            "error[E03]: unknown element 'bdy'",
            "3 errors",
        ] {
            assert!(report.contains(words), "no {words} in:\n{report}");
        }
    }

    #[test]
    fn colours_leave_the_words_alone() {
        let text =
            "error[E04]: unknown\n --> a.xml:3:22\n  |\n3 |  <geom/>\n  |   ^^^\n  = help: try";
        let painted = painted(text, RED, true);
        let mut plain = painted;
        for code in [RESET, BOLD, RED, BLUE, GREEN] {
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, text);
    }
}
