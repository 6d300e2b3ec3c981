//! What a page asks for. Messages are lines of words, `set ctrl 3 0.5`; dropped files are one binary
//! message. Nothing in them names a file on this machine.

/// Most numbers in one message.
const MAX_NUMBERS: usize = 16;
/// Most files that are dropped at once.
const MAX_FILES: usize = 4096;
/// Longest name of a file or field.
const MAX_NAME: usize = 512;

/// A request of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Presents the secret; the first message.
    Hello(String),
    /// A frame has arrived.
    Ack,
    /// Takes control from another page.
    Control,
    /// Runs (true) or pauses.
    Play(bool),
    /// Makes steps; negative: goes back in the history.
    Step(i32),
    /// Returns to the start.
    Reset,
    /// Returns to a keyframe.
    Keyframe(usize),
    /// Keeps the state as a keyframe.
    SetKeyframe(usize),
    /// Simulated seconds per second.
    Speed(f64),
    /// Goes to a state of the history.
    Seek(usize),
    /// Sets one number of a field of the data.
    Set {
        /// Name of the field.
        field: Field,
        /// Number of the element.
        index: usize,
        /// Its value.
        value: f64,
    },
    /// Sets controls to zero.
    ClearControls,
    /// Standard deviation and correlation time of noise on the controls.
    Noise(f64, f64),
    /// Sets a physics option.
    Option(String, Vec<f64>),
    /// Sets bits of the disable flags (true: that list) or the enable flags.
    PhysicsFlag {
        /// Whether it is among the flags that switch off.
        disable: bool,
        /// Number of the bit.
        bit: u32,
        /// Whether it is set.
        on: bool,
    },
    /// Sets a visual flag.
    Visual(usize, bool),
    /// Sets a group: kind of element, group, whether it is shown.
    Group(usize, usize, bool),
    /// Which objects have labels.
    Label(i32),
    /// Which frames are drawn.
    Frame(i32),
    /// Depth at which bounding volumes are drawn.
    TreeDepth(i32),
    /// Where the page looks from.
    Camera(View),
    /// Selects what is at a place of the picture: in parts of width and height, and their ratio.
    Select([f64; 3]),
    /// Selects a body; 0: none.
    SelectBody(usize),
    /// Starts a perturbation, bits of `PerturbBit`; 0 ends it.
    Perturb(i32),
    /// Moves the perturbation: a `Mouse` action, and parts of the height of the picture.
    Drag(i32, f64, f64),
    /// Follows a body with the camera; `None` ends it.
    Track(Option<usize>),
    /// Sends an element of a field with each frame.
    Watch(String, usize),
    /// Ends that.
    Unwatch(String, usize),
    /// Asks for a picture by the renderer: camera or -1, width, height, kind.
    Image {
        /// Camera of the model; `None`: the page's own.
        camera: Option<usize>,
        /// Width in pixels.
        width: usize,
        /// Height in pixels.
        height: usize,
        /// 0 colours, 1 depth, 2 segments.
        kind: u8,
    },
    /// Asks for the state as a keyframe in XML.
    CopyPose,
    /// Asks for model (true) or data as text.
    Print(bool),
    /// Asks for the model as XML.
    SaveXml,
    /// Asks for a recording of what is in the history.
    SaveReplay,
    /// Asks for the compiled model.
    SaveBinary,
    /// Reads the model's file again.
    Reload,
    /// Loads a model from files that the page brings.
    Load(Vec<(String, Vec<u8>)>),
    /// A key was pressed, as GLFW numbers them.
    Key(i32),
    /// Ends the viewer.
    Quit,
}

/// Fields that pages may set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Field {
    Qpos,
    Ctrl,
    EqActive,
}

/// Where a page looks from.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct View {
    pub pos: [f64; 3],
    pub forward: [f64; 3],
    pub up: [f64; 3],
    /// Half the height of the picture at distance 1, or of the picture if rays are parallel.
    pub half: f64,
    pub orthographic: bool,
}

/// Words of a line, one after the other.
struct Words<'a>(std::str::SplitAsciiWhitespace<'a>);

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn name(&mut self) -> Option<String> {
        let word = self.word()?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (word.len() <= MAX_NAME && word.chars().all(plain)).then(|| word.to_owned())
    }

    fn index(&mut self) -> Option<usize> {
        self.word()?.parse().ok().filter(|&n: &usize| n <= i32::MAX as usize)
    }

    fn integer(&mut self) -> Option<i32> {
        self.word()?.parse().ok()
    }

    /// A number that is finite.
    fn number(&mut self) -> Option<f64> {
        self.word()?.parse().ok().filter(|x: &f64| x.is_finite())
    }

    fn numbers<const N: usize>(&mut self) -> Option<[f64; N]> {
        let mut numbers = [0.0; N];
        for x in &mut numbers {
            *x = self.number()?;
        }
        Some(numbers)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.word()? {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }
}

impl Command {
    /// Whether it changes nothing that others see.
    pub(crate) fn only_asks(&self) -> bool {
        use Command::{CopyPose, Image, Print, SaveBinary, SaveReplay, SaveXml};
        matches!(self, Image { .. } | CopyPose | Print(_) | SaveXml | SaveBinary | SaveReplay)
    }

    /// Reads a line; `None` if it is not a command.
    pub fn parse(text: &str) -> Option<Command> {
        let mut words = Words(text.split_ascii_whitespace());
        let w = &mut words;
        let command = match w.word()? {
            "hello" => Command::Hello(w.name()?),
            "ack" => Command::Ack,
            "control" => Command::Control,
            "play" => Command::Play(w.flag()?),
            "step" => Command::Step(w.integer()?.clamp(-10_000, 10_000)),
            "reset" => Command::Reset,
            "key" => Command::Keyframe(w.index()?),
            "setkey" => Command::SetKeyframe(w.index()?),
            "speed" => Command::Speed(w.number()?.clamp(1e-4, 100.0)),
            "seek" => Command::Seek(w.index()?),
            "set" => {
                let field = match w.word()? {
                    "qpos" => Field::Qpos,
                    "ctrl" => Field::Ctrl,
                    "eq_active" => Field::EqActive,
                    _ => return None,
                };
                Command::Set { field, index: w.index()?, value: w.number()? }
            }
            "clear" => Command::ClearControls,
            "noise" => Command::Noise(w.number()?.clamp(0.0, 1e6), w.number()?.clamp(0.0, 1e6)),
            "option" => {
                let name = w.name()?;
                let mut values = Vec::new();
                while let Some(word) = w.word() {
                    let value = word.parse().ok().filter(|x: &f64| x.is_finite())?;
                    values.push(value);
                    if values.len() > MAX_NUMBERS {
                        return None;
                    }
                }
                Command::Option(name, values)
            }
            "disable" | "enable" => {
                let disable = text.trim_ascii_start().starts_with('d');
                let bit = w.index().filter(|&bit| bit < 31)? as u32;
                Command::PhysicsFlag { disable, bit, on: w.flag()? }
            }
            "vis" => Command::Visual(w.index()?, w.flag()?),
            "group" => Command::Group(w.index()?, w.index()?, w.flag()?),
            "label" => Command::Label(w.integer()?),
            "frame" => Command::Frame(w.integer()?),
            "depth" => Command::TreeDepth(w.integer()?.clamp(0, 100)),
            "camera" => {
                let [px, py, pz, fx, fy, fz, ux, uy, uz, half] = w.numbers()?;
                let orthographic = w.flag()?;
                let (pos, forward, up) = ([px, py, pz], [fx, fy, fz], [ux, uy, uz]);
                Command::Camera(View { pos, forward, up, half, orthographic })
            }
            "select" => Command::Select(w.numbers()?),
            "body" => Command::SelectBody(w.index()?),
            "perturb" => Command::Perturb(w.integer().filter(|bits| (0..=3).contains(bits))?),
            "drag" => Command::Drag(w.integer()?, w.number()?, w.number()?),
            "track" => Command::Track(usize::try_from(w.integer()?).ok()),
            "watch" => Command::Watch(w.name()?, w.index()?),
            "unwatch" => Command::Unwatch(w.name()?, w.index()?),
            "image" => {
                let camera = usize::try_from(w.integer()?).ok();
                let [width, height] = [w.index()?, w.index()?].map(|n| n.clamp(16, 2048));
                let kind = w.index().filter(|&kind| kind <= 2)? as u8;
                Command::Image { camera, width, height, kind }
            }
            "pose" => Command::CopyPose,
            "print" => Command::Print(match w.word()? {
                "model" => true,
                "data" => false,
                _ => return None,
            }),
            "xml" => Command::SaveXml,
            "replay" => Command::SaveReplay,
            "mjb" => Command::SaveBinary,
            "reload" => Command::Reload,
            "keypress" => Command::Key(w.integer()?),
            "quit" => Command::Quit,
            _ => return None,
        };
        w.word().is_none().then_some(command)
    }

    /// Reads files that a page brings: their number, then length and bytes of name and content,
    /// each length a little-endian `u32`.
    pub fn parse_files(bytes: &[u8]) -> Option<Command> {
        let mut rest = bytes;
        let mut take = |n: usize| {
            let (head, tail) = rest.split_at_checked(n)?;
            rest = tail;
            Some(head)
        };
        let length = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?) as usize);
        let count = length(take(4)?)?;
        if count == 0 || count > MAX_FILES {
            return None;
        }
        let mut files = Vec::new();
        for _ in 0..count {
            let size = length(take(4)?).filter(|&n| n <= MAX_NAME)?;
            let name = std::str::from_utf8(take(size)?).ok()?.to_owned();
            let size = length(take(4)?)?;
            files.push((name, take(size)?.to_vec()));
        }
        rest.is_empty().then_some(Command::Load(files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sequence;

    #[test]
    fn commands_are_read() {
        let set = |field, index, value| Some(Command::Set { field, index, value });
        assert_eq!(Command::parse("set ctrl 3 0.5"), set(Field::Ctrl, 3, 0.5));
        assert_eq!(Command::parse("set qpos 0 -1e-3"), set(Field::Qpos, 0, -1e-3));
        assert_eq!(Command::parse("step -5"), Some(Command::Step(-5)));
        assert_eq!(
            Command::parse("disable 3 1"),
            Some(Command::PhysicsFlag { disable: true, bit: 3, on: true })
        );
        assert_eq!(Command::parse("track -1"), Some(Command::Track(None)));
    }

    #[test]
    fn what_is_no_command_is_none() {
        for text in [
            "",
            "set",
            "set xml 0 1",
            "set ctrl -1 0",
            "set ctrl 0 nan",
            "set ctrl 0 inf",
            "set ctrl 0 1 2",
            "open /etc/passwd",
            "watch ../../etc 0",
            "play 2",
            "enable 31 1",
            "perturb 4",
        ] {
            assert_eq!(Command::parse(text), None, "{text}");
        }
    }

    #[test]
    fn files_are_read_and_lengths_checked() {
        let mut bytes = 1u32.to_le_bytes().to_vec();
        bytes.extend([1, 0, 0, 0, b'a', 2, 0, 0, 0, 7, 8]);
        let files = vec![("a".to_owned(), vec![7, 8])];
        assert_eq!(Command::parse_files(&bytes), Some(Command::Load(files)));
        for length in 0..bytes.len() {
            assert_eq!(Command::parse_files(&bytes[..length]), None);
        }
        bytes.push(0);
        assert_eq!(Command::parse_files(&bytes), None);
    }

    #[test]
    fn random_messages_never_panic() {
        let mut random = Sequence::new(11);
        let words = [
            "hello",
            "ack",
            "play",
            "step",
            "set",
            "ctrl",
            "qpos",
            "option",
            "gravity",
            "camera",
            "vis",
            "group",
            "select",
            "drag",
            "image",
            "0",
            "1",
            "-1",
            "1e400",
            "nan",
            "é",
            "99999999999",
            "\0",
            "-0.5",
            "2147483648",
            "watch",
            "_",
        ];
        for _ in 0..50_000 {
            let count = random.below(16);
            let line: Vec<&str> = (0..count).map(|_| words[random.below(words.len())]).collect();
            if let Some(Command::Set { value, .. }) = Command::parse(&line.join(" ")) {
                assert!(value.is_finite());
            }
            let bytes: Vec<u8> = (0..random.below(40)).map(|_| random.next() as u8 % 5).collect();
            let _ = Command::parse_files(&bytes);
            let _ = Command::parse(&String::from_utf8_lossy(&bytes));
        }
    }
}
