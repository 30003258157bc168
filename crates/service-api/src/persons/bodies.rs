//! What clients send of a person.

use std::borrow::Cow;
use std::fmt;

use person_repository::{Age, Gender, NewPerson, PersonName, PersonPatch};

use crate::body::{self, Field, FromBody};
use crate::media_type::BodyKind;
use crate::path::parse_decimal;
use crate::problem::{Problem, Violation};

const FIELDS: [&str; 3] = ["name", "gender", "age"];

impl FromBody for NewPerson {
    const KIND: BodyKind = BodyKind::Json;

    fn from_body(body: &[u8]) -> Result<Self, Problem> {
        parse_new(body)
    }
}

impl FromBody for PersonPatch {
    const KIND: BodyKind = BodyKind::MergePatch;

    fn from_body(body: &[u8]) -> Result<Self, Problem> {
        parse_patch(body)
    }
}

/// Reads a whole person, without an id.
fn parse_new(json: &[u8]) -> Result<NewPerson, Problem> {
    let [name, gender, age] = body::parse_object(json, &FIELDS)?;
    let mut checks = Checks::default();
    let name = checks.required("name", name, parse_name);
    let gender = checks.required("gender", gender, parse_gender);
    let age = checks.required("age", age, parse_age);
    match (name, gender, age) {
        (Some(name), Some(gender), Some(age)) if checks.violations.is_empty() => {
            Ok(NewPerson { name, gender, age })
        }
        _ => Err(Problem::violations(checks.violations)),
    }
}

/// Reads a JSON merge patch (RFC 7396) of a person: a member that is not there changes nothing, and
/// no field can be removed by `null`.
fn parse_patch(json: &[u8]) -> Result<PersonPatch, Problem> {
    let [name, gender, age] = body::parse_object(json, &FIELDS)?;
    let mut checks = Checks::default();
    let patch = PersonPatch {
        name: checks.optional("name", name, parse_name),
        gender: checks.optional("gender", gender, parse_gender),
        age: checks.optional("age", age, parse_age),
    };
    if checks.violations.is_empty() {
        Ok(patch)
    } else {
        Err(Problem::violations(checks.violations))
    }
}

/// What is given for one field, when it is given once.
enum Value<'a> {
    Text(Cow<'a, str>),
    Raw(&'a str),
}

/// The rules that a value breaks, in the words of the answer.
type Broken = Vec<String>;

/// Collects the violations of a body, field by field.
#[derive(Default)]
struct Checks {
    violations: Vec<Violation>,
}

impl Checks {
    fn required<T>(
        &mut self,
        name: &'static str,
        field: Field<'_>,
        parse: fn(Value<'_>) -> Result<T, Broken>,
    ) -> Option<T> {
        if field == Field::Absent {
            self.add(name, "is required".to_owned());
        }
        self.optional(name, field, parse)
    }

    fn optional<T>(
        &mut self,
        name: &'static str,
        field: Field<'_>,
        parse: fn(Value<'_>) -> Result<T, Broken>,
    ) -> Option<T> {
        let parsed = match field {
            Field::Absent => return None,
            Field::Repeated => Err(vec!["must be given once".to_owned()]),
            Field::Raw("null") => Err(vec!["must not be null".to_owned()]),
            Field::Text(text) => parse(Value::Text(text)),
            Field::Raw(raw) => parse(Value::Raw(raw)),
        };
        match parsed {
            Ok(value) => Some(value),
            Err(broken) => {
                for message in broken {
                    self.add(name, message);
                }
                None
            }
        }
    }

    fn add(&mut self, field: &'static str, message: String) {
        self.violations.push(Violation { field, message });
    }
}

fn parse_name(value: Value<'_>) -> Result<PersonName, Broken> {
    match value {
        Value::Text(text) => PersonName::parse(&text)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect()),
        Value::Raw(_) => Err(broken("must be a string")),
    }
}

fn parse_gender(value: Value<'_>) -> Result<Gender, Broken> {
    match value {
        Value::Text(text) => Gender::parse(&text).map_err(broken),
        Value::Raw(_) => Err(broken("must be a string")),
    }
}

fn parse_age(value: Value<'_>) -> Result<Age, Broken> {
    let Value::Raw(raw) = value else {
        return Err(broken("must be an integer"));
    };
    // The syntax was checked before: what starts so is a number, and these bytes make it no integer.
    if !raw.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        || raw.contains(['.', 'e', 'E'])
    {
        return Err(broken("must be an integer"));
    }
    // A minus sign, before 0 too, and a number of over 64 bits are out of range like any other.
    Age::new(parse_decimal(raw.as_bytes()).unwrap_or(u64::MAX)).map_err(broken)
}

fn broken(rule: impl fmt::Display) -> Broken {
    vec![rule.to_string()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(problem: &Problem) -> Vec<String> {
        assert_eq!(problem.status().code(), 422);
        let document: serde_json::Value =
            serde_json::from_slice(&problem.to_json("/")).expect("a problem is JSON");
        let violations = document["violations"]
            .as_array()
            .expect("a 422 has violations");
        violations
            .iter()
            .map(|violation| {
                let text = |member: &str| violation[member].as_str().unwrap().to_owned();
                format!("{} {}", text("field"), text("message"))
            })
            .collect()
    }

    fn refusals(json: &str) -> Vec<String> {
        violations(&parse_new(json.as_bytes()).unwrap_err())
    }

    #[test]
    fn a_whole_person_is_read_whatever_else_is_there() {
        let person =
            parse_new(br#"{"id":9,"age":150,"x":[],"gender":"OTHER","name":"\u00e9"}"#).unwrap();
        assert_eq!(person.name.as_str(), "é");
        assert_eq!(person.gender, Gender::Other);
        assert_eq!(person.age.get(), 150);
    }

    #[test]
    fn all_violations_are_told_in_field_order() {
        assert_eq!(
            refusals(r#"{"age":151,"gender":"male","name":"\u0000"}"#),
            [
                "name must not contain control characters",
                "gender must be MALE, FEMALE or OTHER",
                "age must be between 0 and 150",
            ]
        );
        assert_eq!(
            refusals("{}"),
            ["name is required", "gender is required", "age is required"]
        );
        assert_eq!(
            refusals(r#"{"name":1,"gender":null,"age":1,"age":1}"#),
            [
                "name must be a string",
                "gender must not be null",
                "age must be given once"
            ]
        );
        assert_eq!(
            refusals(r#"{"name":"\n","gender":[],"age":{}}"#),
            [
                "name must not be blank",
                "name must not contain control characters",
                "gender must be a string",
                "age must be an integer",
            ]
        );
    }

    #[test]
    fn an_age_is_written_as_an_integer() {
        for age in ["100.0", "1e2", "1E2", "1e400", r#""100""#, "true", "[1]"] {
            let json = format!(r#"{{"name":"a","gender":"MALE","age":{age}}}"#);
            assert_eq!(refusals(&json), ["age must be an integer"], "{age}");
        }
        for age in [
            "-0",
            "-1",
            "151",
            "18446744073709551616",
            "99999999999999999999999",
        ] {
            let json = format!(r#"{{"name":"a","gender":"MALE","age":{age}}}"#);
            assert_eq!(refusals(&json), ["age must be between 0 and 150"], "{age}");
        }
    }

    #[test]
    fn a_patch_has_what_it_names_and_removes_nothing() {
        assert_eq!(parse_patch(b"{}").unwrap(), PersonPatch::default());
        let patch = parse_patch(br#"{"age":7,"id":3}"#).unwrap();
        assert_eq!((patch.name, patch.age.map(Age::get)), (None, Some(7)));
        assert_eq!(
            violations(&parse_patch(br#"{"name":null,"age":"7"}"#).unwrap_err()),
            ["name must not be null", "age must be an integer"]
        );
        assert!(violations(&parse_patch(b"[]").unwrap_err()).is_empty());
    }
}
