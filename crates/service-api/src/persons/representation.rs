//! What clients are answered of persons.

use person_repository::{Person, PersonId};
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::Page;
use crate::body;

/// A person as JSON.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Person)]
pub(crate) struct PersonDocument<'a> {
    /// Given by the service, ascending, never given again.
    #[schema(minimum = 1, format = Int64, example = 1)]
    id: u64,
    /// Not blank, no control characters.
    #[schema(min_length = 1, max_length = 255, example = "Test1")]
    name: &'a str,
    /// One of three.
    #[schema(value_type = crate::openapi::GenderSchema)]
    gender: &'static str,
    /// In years.
    #[schema(minimum = 0, maximum = 150, example = 100)]
    age: u8,
}

impl<'a> From<&'a Person> for PersonDocument<'a> {
    fn from(person: &'a Person) -> Self {
        Self {
            id: person.id.get(),
            name: person.name.as_str(),
            gender: person.gender.as_str(),
            age: person.age.get(),
        }
    }
}

/// A person as a JSON object.
pub fn to_json(person: &Person) -> Vec<u8> {
    body::to_json(&PersonDocument::from(person))
}

/// The persons of a page as a JSON array.
pub fn page_to_json(persons: &[Person]) -> Vec<u8> {
    body::to_json(&Persons(persons))
}

struct Persons<'a>(&'a [Person]);

impl Serialize for Persons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(PersonDocument::from))
    }
}

/// The path of a person, for a `location` header.
pub fn location(id: PersonId) -> String {
    format!("/persons/{id}")
}

/// The value of a `link` header (RFC 8288) that leads to the page after this one, which ends with the
/// person `last`.
pub fn next_link(page: Page, last: PersonId) -> String {
    format!("</persons?limit={}&after={last}>; rel=\"next\"", page.limit)
}

/// Writes a list of any length as one JSON array, piece by piece.
///
/// ```
/// # use service_api::persons::ListEncoder;
/// let mut encoder = ListEncoder::default();
/// assert_eq!(encoder.end(), b"[]");
/// ```
#[derive(Debug, Default)]
pub struct ListEncoder {
    begun: bool,
}

impl ListEncoder {
    /// The bytes of the next persons.
    pub fn piece(&mut self, persons: &[Person]) -> Vec<u8> {
        // A person takes 46 bytes beside its name and id.
        let mut json = Vec::with_capacity(80 * persons.len());
        for person in persons {
            json.push(if self.begun { b',' } else { b'[' });
            self.begun = true;
            body::write_json(&mut json, &PersonDocument::from(person));
        }
        json
    }

    /// The bytes that close the array.
    pub fn end(&mut self) -> &'static [u8] {
        if self.begun { b"]" } else { b"[]" }
    }
}

#[cfg(test)]
mod tests {
    use person_repository::{Age, Gender, PersonName};

    use super::*;

    fn person(id: u64, name: &str) -> Person {
        Person {
            id: PersonId::new(id),
            name: PersonName::parse(name).unwrap(),
            gender: Gender::Male,
            age: Age::new(100).unwrap(),
        }
    }

    #[test]
    fn a_person_is_compact_json_in_field_order() {
        assert_eq!(
            String::from_utf8(to_json(&person(1, "Test\"1"))).unwrap(),
            r#"{"id":1,"name":"Test\"1","gender":"MALE","age":100}"#
        );
    }

    #[test]
    fn a_list_in_pieces_is_the_array_of_a_page() {
        let persons = [person(1, "A"), person(2, "B"), person(3, "C")];
        let mut encoder = ListEncoder::default();
        let mut json = encoder.piece(&persons[..2]);
        json.extend(encoder.piece(&persons[2..]));
        json.extend(encoder.end());
        assert_eq!(json, page_to_json(&persons));
        assert_eq!(page_to_json(&[]), b"[]");
    }

    #[test]
    fn the_next_page_starts_after_the_last_person() {
        let page = Page {
            after: PersonId::ZERO,
            limit: 2,
        };
        assert_eq!(
            next_link(page, PersonId::new(9)),
            r#"</persons?limit=2&after=9>; rel="next""#
        );
    }
}
