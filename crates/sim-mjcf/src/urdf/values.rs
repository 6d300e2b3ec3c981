//! Elements and attributes of URDF: each element at most once unless said otherwise, attributes that
//! nobody asks for ignored.

use sim_core::math::{Quat, Vec3};

use crate::error::{Error, Pos};
use crate::pose::Pose;
use crate::spec::{Alternative, BadNumber, Compiler, EulerSequence, Number, Orientation};
use crate::xml::Elem;

/// The elements inside `elem`.
pub(super) fn children<'d, 'a>(elem: Elem<'d, 'a>) -> impl Iterator<Item = Elem<'d, 'a>> {
    let elements = elem.node.children().filter(|node| node.is_element());
    elements.map(move |node| Elem { node, file: elem.file })
}

/// The name of the element; empty if it has a prefix, which no element of URDF has.
pub(super) fn tag<'a>(elem: Elem<'_, 'a>) -> &'a str {
    let name = elem.node.tag_name();
    match name.namespace() {
        Some(space) if elem.node.lookup_prefix(space).is_some() => "",
        _ => name.name(),
    }
}

/// The element of that name inside `elem`.
pub(super) fn child<'d, 'a>(elem: Elem<'d, 'a>, name: &str) -> Result<Option<Elem<'d, 'a>>, Error> {
    let mut found = children(elem).filter(|&inner| tag(inner) == name);
    let first = found.next();
    match found.next() {
        Some(second) => {
            let message = format!("'{}' has more than one element '{name}'", elem.name());
            Err(second.error(message))
        }
        None => Ok(first),
    }
}

/// The element of that name inside `elem`, which has to be there.
pub(super) fn required_child<'d, 'a>(
    elem: Elem<'d, 'a>,
    name: &str,
) -> Result<Elem<'d, 'a>, Error> {
    child(elem, name)?
        .ok_or_else(|| elem.error(format!("'{}' needs an element '{name}'", elem.name())))
}

/// The text of an attribute.
pub(super) fn text<'d>(elem: Elem<'d, '_>, name: &str) -> Option<&'d str> {
    let found = elem.node.attributes().find(|attribute| attribute.name() == name);
    found.filter(|attribute| attribute.namespace().is_none()).map(|attribute| attribute.value())
}

/// The text of an attribute that has to be there.
pub(super) fn required_text<'d>(elem: Elem<'d, '_>, name: &str) -> Result<&'d str, Error> {
    text(elem, name).ok_or_else(|| missing(elem, name))
}

/// The error about an attribute that is not there.
pub(super) fn missing(elem: Elem<'_, '_>, name: &str) -> Error {
    elem.error(format!("element '{}' needs the attribute '{name}'", elem.name()))
}

/// The numbers of an attribute, exactly as many as asked for; none if there are none.
pub(super) fn numbers<T: Number, const N: usize>(
    elem: Elem<'_, '_>,
    name: &str,
) -> Result<Option<[T; N]>, Error> {
    let Some(attribute) = elem.node.attribute_node(name) else { return Ok(None) };
    let range = attribute.range_value();
    let fault = |message: String| {
        let pos = Pos { file: elem.file, offset: range.start as u32 };
        Error::span(pos, range.len().max(1), message).in_element(elem.name()).attribute(name)
    };
    let mut found: [Option<T>; N] = [None; N];
    let mut count = 0;
    for word in attribute.value().split_ascii_whitespace() {
        let number = T::parse(word).map_err(|reason| {
            fault(match reason {
                BadNumber::Range => format!("'{word}' in '{name}' is too large"),
                BadNumber::Nan => format!("'{word}' in '{name}' is not a usable number"),
                BadNumber::Syntax | BadNumber::NotInteger => {
                    format!("'{word}' in '{name}' is not a number")
                }
            })
        })?;
        if let Some(slot) = found.get_mut(count) {
            *slot = Some(number);
        }
        count += 1;
    }
    if count == 0 {
        return Ok(None);
    }
    let plural = if N == 1 { "" } else { "s" };
    let wrong = || fault(format!("'{name}' expected {N} number{plural}, found {count}"));
    if count > N {
        return Err(wrong());
    }
    let mut values = [found[0].ok_or_else(wrong)?; N];
    for (value, given) in values.iter_mut().zip(found) {
        *value = given.ok_or_else(wrong)?;
    }
    Ok(Some(values))
}

/// The number of an attribute; none if there is none.
pub(super) fn number(elem: Elem<'_, '_>, name: &str) -> Result<Option<f64>, Error> {
    Ok(numbers::<f64, 1>(elem, name)?.map(|[x]| x))
}

/// The number of an attribute that has to be there.
pub(super) fn required_number(elem: Elem<'_, '_>, name: &str) -> Result<f64, Error> {
    number(elem, name)?.ok_or_else(|| missing(elem, name))
}

/// The vector of an attribute; none if there is none.
pub(super) fn vector(elem: Elem<'_, '_>, name: &str) -> Result<Option<Vec3>, Error> {
    Ok(numbers(elem, name)?.map(|[x, y, z]| Vec3::new(x, y, z)))
}

/// The pose of the `origin` inside `elem`; the identity if there is none.
pub(super) fn origin(elem: Elem<'_, '_>) -> Result<Pose, Error> {
    let mut pose = Pose::IDENTITY;
    if let Some(origin) = child(elem, "origin")? {
        pose.pos = vector(origin, "xyz")?.unwrap_or(Vec3::ZERO);
        if let Some(angles) = vector(origin, "rpy")? {
            pose.quat = roll_pitch_yaw(angles, origin.pos())?;
        }
    }
    Ok(pose)
}

/// Computes the turns about the fixed axes x, y and z, in that order.
fn roll_pitch_yaw(angles: Vec3, src: Pos) -> Result<Quat, Error> {
    let eulerseq = EulerSequence(*b"XYZ");
    let compiler = Compiler { degree: false, eulerseq, ..Compiler::default() };
    let alternative = Some(Alternative::Euler(angles));
    Orientation { quat: Quat::IDENTITY, alternative }.resolve(&compiler, src)
}
