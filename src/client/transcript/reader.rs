//! Reads a transcript line by line in bounded memory, and counts what it skips.

use super::line::{self, Line};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

/// The longest line that is read, in bytes. A real one that held a whole file had 3 MB; what is longer is skipped.
pub const MAX_LINE: usize = 16 << 20;

/// What a reader met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Lines, those skipped included.
    pub lines: u64,
    /// Lines that are no JSON object.
    pub broken: u64,
    /// Lines over [`MAX_LINE`].
    pub too_long: u64,
}

impl Counts {
    /// Adds those of another reader.
    pub fn add(&mut self, other: Self) {
        self.lines += other.lines;
        self.broken += other.broken;
        self.too_long += other.too_long;
    }

    /// In words what was skipped; empty when nothing was.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words = Vec::new();
        if self.broken > 0 {
            words.push(format!("{} broken", self.broken));
        }
        if self.too_long > 0 {
            words.push(format!("{} over {} MiB", self.too_long, MAX_LINE >> 20));
        }
        if words.is_empty() {
            return String::new();
        }
        format!("{} of {} lines were skipped", words.join(" and "), self.lines)
    }
}

/// Reads the lines of a transcript.
#[derive(Debug)]
pub struct Reader<R> {
    from: R,
    text: Vec<u8>,
    counts: Counts,
    offset: u64,
}

impl Reader<BufReader<File>> {
    /// Opens a transcript at a byte offset, where a line begins.
    ///
    /// # Errors
    /// As opening and seeking; when it is no regular file.
    pub fn open(path: &Path, offset: u64) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        file.seek(SeekFrom::Start(offset))?;
        Ok(Self { offset, ..Self::new(BufReader::with_capacity(256 << 10, file)) })
    }

    /// Opens a transcript of which only the first lines matter.
    ///
    /// # Errors
    /// As opening.
    pub fn open_small(path: &Path) -> io::Result<Self> {
        Ok(Self::new(BufReader::with_capacity(16 << 10, File::open(path)?)))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads from the beginning of `from`.
    pub const fn new(from: R) -> Self {
        Self { from, text: Vec::new(), counts: Counts { lines: 0, broken: 0, too_long: 0 }, offset: 0 }
    }

    /// What was met so far.
    #[must_use]
    pub const fn counts(&self) -> Counts {
        self.counts
    }

    /// The offset behind the last line that was read whole, in bytes from the beginning of the file.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset
    }

    /// The bytes of the next line without its end; `None` at the end, and where the last line has no end yet: the client
    /// may be in the middle of writing it.
    ///
    /// # Errors
    /// As reading.
    pub fn next_bytes(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            // A line of 10 MB would otherwise keep its room to the end.
            self.text.clear();
            self.text.shrink_to(1 << 20);
            let most = MAX_LINE as u64 + 1;
            let read = self.from.by_ref().take(most).read_until(b'\n', &mut self.text)? as u64;
            if self.text.last() == Some(&b'\n') {
                self.text.pop();
                self.offset += read;
                self.counts.lines += 1;
                if self.text.trim_ascii().is_empty() {
                    self.counts.lines -= 1;
                    continue;
                }
                return Ok(Some(&self.text));
            }
            if read < most {
                return Ok(None);
            }
            self.text = Vec::new();
            let Some(rest) = skip_line(&mut self.from)? else { return Ok(None) };
            self.offset += read + rest;
            self.counts.lines += 1;
            self.counts.too_long += 1;
        }
    }

    /// Says that the line read last is broken.
    pub const fn broken(&mut self) {
        self.counts.broken += 1;
    }

    /// Says that the line read last is not looked at: it counts as broken when it has not even the ends of an object.
    pub fn pass(&mut self) {
        let text = self.text.trim_ascii();
        if text.first() != Some(&b'{') || text.last() != Some(&b'}') {
            self.broken();
        }
    }

    /// The next line that can be read; `None` at the end.
    ///
    /// # Errors
    /// As reading.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let Some(text) = self.next_bytes()? else { return Ok(None) };
            match line::parse(text) {
                Some(line) => return Ok(Some(line)),
                None => self.broken(),
            }
        }
    }
}

/// Skips the rest of a line and gives its length; `None` when it does not end.
fn skip_line(from: &mut impl BufRead) -> io::Result<Option<u64>> {
    let mut skipped = 0;
    loop {
        let chunk = from.fill_buf()?;
        if chunk.is_empty() {
            return Ok(None);
        }
        let end = memchr::memchr(b'\n', chunk).map(|at| at + 1);
        let length = end.unwrap_or(chunk.len());
        from.consume(length);
        skipped += length as u64;
        if end.is_some() {
            return Ok(Some(skipped));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> (usize, Counts, u64) {
        let mut reader = Reader::new(text);
        let mut count = 0;
        while reader.next_line().unwrap().is_some() {
            count += 1;
        }
        (count, reader.counts(), reader.offset())
    }

    #[test]
    fn broken_lines_are_skipped_and_counted() {
        let text = b"{\"type\":\"user\"}\n\nnot json\n{\"x\":1}\r\n\xff\xfe\n{}\n";
        let counts = Counts { lines: 5, broken: 2, too_long: 0 };
        assert_eq!(read(text), (3, counts, text.len() as u64));
        assert_eq!(counts.words(), "2 broken of 5 lines were skipped");
        assert_eq!(Counts::default().words(), "");
    }

    #[test]
    fn a_line_without_an_end_is_left_for_later() {
        assert_eq!(read(b"{}\n{\"type\":"), (1, Counts { lines: 1, ..Counts::default() }, 3));
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_without_being_held() {
        // 50 MB of one letter, made as it is read.
        let long = io::repeat(b'x').take(50 << 20);
        let text = b"{}\n".chain(long).chain(&b"\n{\"type\":\"user\"}\n"[..]);
        let mut reader = Reader::new(BufReader::new(text));
        assert!(reader.next_line().unwrap().is_some());
        let line = reader.next_line().unwrap();
        assert!(line.is_some());
        assert!(reader.text.capacity() <= 2 << 20, "{}", reader.text.capacity());
        assert!(reader.next_line().unwrap().is_none());
        assert_eq!(reader.counts(), Counts { lines: 3, broken: 0, too_long: 1 });
        assert_eq!(reader.offset(), 3 + (50 << 20) + 17);
        let exact = [vec![b'x'; MAX_LINE], b"\n".to_vec()].concat();
        assert_eq!(read(&exact).1, Counts { lines: 1, broken: 1, too_long: 0 });
    }
}
