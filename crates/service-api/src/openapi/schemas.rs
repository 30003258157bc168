//! Schemas of what clients send; what they are answered describes itself where it is written.

#![expect(dead_code, reason = "these types exist for their schemas only")]

use utoipa::ToSchema;

/// `MALE`, `FEMALE` or `OTHER`.
#[derive(ToSchema)]
#[schema(as = Gender, rename_all = "UPPERCASE", example = "MALE")]
pub(crate) enum GenderSchema {
    Male,
    Female,
    Other,
}

/// A person without an id; other members are ignored.
#[derive(ToSchema)]
#[schema(as = NewPerson, example = json!({"name": "Test1", "gender": "MALE", "age": 100}))]
pub(super) struct NewPersonSchema {
    /// Not blank, no control characters.
    #[schema(
        min_length = 1,
        max_length = 255,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
        example = "Test1"
    )]
    name: String,
    gender: GenderSchema,
    /// In years; written without fraction, exponent or sign.
    #[schema(minimum = 0, maximum = 150, example = 100)]
    age: u8,
}

/// A JSON merge patch (RFC 7396) of a person: the members that are there replace those of the person;
/// none can be removed. Other members are ignored.
#[derive(ToSchema)]
#[schema(as = PersonPatch, example = json!({"age": 101}))]
pub(super) struct PersonPatchSchema {
    /// Not blank, no control characters.
    #[schema(
        nullable = false,
        min_length = 1,
        max_length = 255,
        pattern = r"^[^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f][^\u0000-\u001f\u007f-\u009f]*$",
        example = "Test1"
    )]
    name: Option<String>,
    #[schema(nullable = false)]
    gender: Option<GenderSchema>,
    /// In years; written without fraction, exponent or sign.
    #[schema(nullable = false, minimum = 0, maximum = 150, example = 101)]
    age: Option<u8>,
}
