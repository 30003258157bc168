//! One reader of a list: compares every byte with the persons that were added, in the order of their ids.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::bail;
use load::{Sink, Template, Values, Written};

/// The list that every reader must be given.
#[derive(Debug)]
pub(crate) struct Expected {
    /// Which request each id was given for.
    pub(crate) written: Written,
    /// A person, with its id as `${number}` and the request's index as `${written}`.
    pub(crate) person: Template,
    /// The number of persons; their ids begin at 1.
    pub(crate) persons: u32,
}

/// A reader that compares as it reads; it holds one person at a time.
#[derive(Debug)]
pub(crate) struct Reader {
    expected: Rc<Expected>,
    /// The persons that were expected so far.
    begun: u32,
    closed: bool,
    piece: Vec<u8>,
    /// How much of `piece` was read.
    offset: usize,
    fault: Option<String>,
    /// Bytes that all readers have read.
    bytes: Arc<AtomicU64>,
}

impl Reader {
    pub(crate) const fn new(expected: Rc<Expected>, bytes: Arc<AtomicU64>) -> Self {
        Self {
            expected,
            begun: 0,
            closed: false,
            piece: Vec::new(),
            offset: 0,
            fault: None,
            bytes,
        }
    }

    /// # Errors
    /// The list was not the one expected, or ended early.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        if let Some(fault) = self.fault {
            bail!(fault);
        }
        if !self.closed || self.offset < self.piece.len() {
            bail!(
                "the list ended early, at person {} of {}",
                self.begun,
                self.expected.persons
            );
        }
        Ok(())
    }

    /// Puts the next expected bytes into `piece`: a person with what stands before it, or the end; false after
    /// the end.
    fn advance(&mut self) -> bool {
        self.offset = 0;
        self.piece.clear();
        if self.begun < self.expected.persons {
            self.piece.push(if self.begun == 0 { b'[' } else { b',' });
            let written = self.expected.written.index_of(u64::from(self.begun) + 1);
            let values = Values {
                user: 0,
                index: self.begun,
                written,
            };
            self.begun += 1;
            return self.expected.person.render(&values, &mut self.piece);
        }
        self.piece.push(b']');
        !std::mem::replace(&mut self.closed, true)
    }
}

impl Sink for Reader {
    fn take(&mut self, mut piece: &[u8]) {
        self.bytes.fetch_add(piece.len() as u64, Ordering::Relaxed);
        while !piece.is_empty() && self.fault.is_none() {
            if self.offset == self.piece.len() && !self.advance() {
                self.fault = Some("the list goes on after its end".into());
                return;
            }
            let left = &self.piece[self.offset..];
            let common = left.len().min(piece.len());
            if left[..common] != piece[..common] {
                self.fault = Some(format!("the list differs at person {}", self.begun));
            }
            self.offset += common;
            piece = &piece[common..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &[u8] = br#"[{"id":1,"n":"T5"},{"id":2,"n":"T3"},{"id":3,"n":"T4"}]"#;

    fn read(list: &[u8], piece: usize) -> Result<(), String> {
        let mut written = Written::new(1..=3);
        for (id, index) in [(1, 5), (2, 3), (3, 4)] {
            written.insert(id, index).expect("a new id");
        }
        let person = r#"{"id":${number},"n":"T${written}"}"#.parse().expect("a template");
        let expected = Rc::new(Expected {
            written,
            person,
            persons: 3,
        });
        let bytes = Arc::default();
        let mut reader = Reader::new(expected, Arc::clone(&bytes));
        list.chunks(piece).for_each(|piece| reader.take(piece));
        assert_eq!(bytes.load(Ordering::Relaxed), list.len() as u64);
        reader.finish().map_err(|error| error.to_string())
    }

    #[test]
    fn the_right_list_is_taken_however_it_is_cut() {
        for piece in 1..=LIST.len() {
            assert_eq!(read(LIST, piece), Ok(()));
        }
    }

    #[test]
    fn a_list_that_differs_in_one_byte_is_refused() {
        for at in 0..LIST.len() {
            let mut list = LIST.to_vec();
            list[at] ^= 1;
            assert!(read(&list, 7).is_err(), "byte {at}");
        }
    }

    #[test]
    fn a_list_that_is_short_or_long_is_refused() {
        for length in 0..LIST.len() {
            assert!(read(&LIST[..length], 7).is_err(), "{length} bytes");
        }
        assert_eq!(
            read(&[LIST, b" "].concat(), 7),
            Err("the list goes on after its end".into())
        );
    }
}
