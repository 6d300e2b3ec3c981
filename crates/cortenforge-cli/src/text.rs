//! Numbers, names and tables as text.

use cortenforge::Model;
use cortenforge::model::ObjType;

/// The name that the model gives itself: the first in the list of names.
pub(crate) fn model_name(model: &Model) -> &str {
    let length = model.names.iter().position(|c| c.0 == 0).unwrap_or(model.names.len());
    match model.array("names") {
        Some(cortenforge::fields::Array::Char(bytes)) => {
            std::str::from_utf8(&bytes[..length]).unwrap_or("")
        }
        _ => "",
    }
}

/// The name of an object, or its kind and id: `joint3`.
pub(crate) fn label(model: &Model, kind: ObjType, id: usize) -> String {
    match model.name(kind, id) {
        Some(name) => name.to_owned(),
        None if kind == ObjType::Body && id == 0 => "world".to_owned(),
        None => format!("{}{id}", format!("{kind:?}").to_lowercase()),
    }
}

/// A number with its noun, in the plural unless it is one.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let number_text = thousands(number as f64);
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("{number_text} {noun}"),
        (_, Some(stem)) => format!("{number_text} {stem}ies"),
        (_, None) => format!("{number_text} {noun}s"),
    }
}

/// A whole number with its digits in groups of three: `12,345`.
pub(crate) fn thousands(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut text = String::from(if number < 0.0 { "-" } else { "" });
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number to about four digits, without trailing zeros.
pub(crate) fn short(number: f64) -> String {
    let magnitude = number.abs();
    if number == 0.0 {
        return "0".into();
    }
    if !number.is_finite() || !(1e-4..1e7).contains(&magnitude) {
        return format!("{number:.3e}");
    }
    let decimals = (3 - magnitude.log10().floor() as i32).max(0) as usize;
    let text = format!("{number:.decimals$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A duration with a fitting unit.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 60.0 => format!("{} min {:.1} s", (s / 60.0).floor(), s % 60.0),
        s if s >= 1.0 || s == 0.0 => format!("{s:.3} s"),
        s if s >= 1e-3 => format!("{} ms", short(s * 1e3)),
        s => format!("{} µs", short(s * 1e6)),
    }
}

/// Lines of a label and a value, the values aligned.
pub(crate) fn facts(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(label, _)| label.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(label, value)| format!("  {label:width$}  {value}\n")).collect()
}

/// Rows under a header, the columns aligned.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([header[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        format!("  {}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    let header: Vec<String> = header.iter().map(|&cell| cell.to_owned()).collect();
    let body = rows.iter().map(|row| line(row));
    std::iter::once(line(&header)).chain(body).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!(short(0.0), "0");
        assert_eq!(short(11.1854), "11.19");
        assert_eq!(short(-0.002), "-0.002");
        assert_eq!(short(123456.7), "123457");
        assert_eq!(short(1.5e-9), "1.500e-9");
    }

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(thousands(999.0), "999");
        assert_eq!(thousands(1000.0), "1,000");
        assert_eq!(thousands(-1234567.0), "-1,234,567");
    }

    #[test]
    fn nouns_follow_their_number() {
        assert_eq!(count(1, "body"), "1 body");
        assert_eq!(count(2, "body"), "2 bodies");
        assert_eq!(count(0, "joint"), "0 joints");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = vec![vec!["a".into(), "1".into()], vec!["long".into(), "2".into()]];
        assert_eq!(table(&["name", "n"], &rows), "  name  n\n  a     1\n  long  2\n");
    }
}
