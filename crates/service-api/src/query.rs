//! Query strings as HTML forms write them (WHATWG URL, section 5.1): `+` is a space, `%XX` a byte.

use std::borrow::Cow;

use percent_encoding::percent_decode;

use crate::problem::Problem;

/// Gives the value of each of the `names`, in their order; other parameters are ignored.
///
/// # Errors
/// 400 where one of the `names` is given twice or its value is no UTF-8.
pub(crate) fn parse<'q, const N: usize>(
    query: Option<&'q str>,
    names: &[&str; N],
) -> Result<[Option<Cow<'q, str>>; N], Problem> {
    let mut values = [const { None }; N];
    for parameter in query.unwrap_or_default().split('&') {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let name = decode(name);
        let Some(index) = names.iter().position(|known| known.as_bytes() == &*name) else {
            continue;
        };
        if values[index].is_some() {
            return Err(Problem::bad_request(format!(
                "{} is given twice",
                names[index]
            )));
        }
        let value = match decode(value) {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
        };
        values[index] =
            Some(value.ok_or_else(|| {
                Problem::bad_request(format!("{} is not valid UTF-8", names[index]))
            })?);
    }
    Ok(values)
}

fn decode(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(['+', '%']) {
        return Cow::Borrowed(text.as_bytes());
    }
    let spaced = text.replace('+', " ");
    Cow::Owned(percent_decode(spaced.as_bytes()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(query: &str) -> Result<Option<String>, u16> {
        parse(Some(query), &["name"])
            .map(|[value]| value.map(Cow::into_owned))
            .map_err(|problem| problem.status().code())
    }

    #[test]
    fn values_are_decoded_as_forms_are() {
        assert_eq!(name("name=A+%42%2B&x=1"), Ok(Some("A B+".to_owned())));
        assert_eq!(name("n%61me=%C3%A9"), Ok(Some("é".to_owned())));
        assert_eq!(name("name=a=b"), Ok(Some("a=b".to_owned())));
        assert_eq!(name("name=50%"), Ok(Some("50%".to_owned())));
        assert_eq!(name("name"), Ok(Some(String::new())));
        assert_eq!(name("NAME=x"), Ok(None));
        assert_eq!(name(""), Ok(None));
    }

    #[test]
    fn a_known_parameter_must_be_utf_8_and_given_once() {
        assert_eq!(name("name=%FF"), Err(400));
        assert_eq!(name("name=a&name=a"), Err(400));
        assert_eq!(name("x=%FF&x=%FF"), Ok(None));
    }
}
