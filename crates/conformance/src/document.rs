//! The OpenAPI document as a judge: what it does not promise must not be answered.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use anyhow::{Context as _, Result, bail, ensure};
use jsonschema::Validator;
use serde_json::{Map, Value, json};

use crate::http::{Request, Response};

/// The committed document, as text.
pub const TEXT: &str = include_str!("../../../openapi/openapi.json");

/// An OpenAPI 3.1 document and the validators that were made from it so far.
pub struct Document {
    root: Value,
    /// By JSON pointer of the schema.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Document {
    /// The committed document of the service.
    pub fn of_the_service() -> &'static Self {
        static DOCUMENT: OnceLock<Document> = OnceLock::new();
        DOCUMENT.get_or_init(|| match Self::parse(TEXT) {
            Ok(document) => document,
            Err(error) => panic!("openapi/openapi.json is no document: {error:#}"),
        })
    }

    /// Parses a document.
    ///
    /// # Errors
    /// Fails where the text is not JSON or has no paths.
    pub fn parse(text: &str) -> Result<Self> {
        let root: Value = serde_json::from_str(text)?;
        ensure!(root["paths"].is_object(), "the document has no paths");
        Ok(Self {
            root,
            validators: Mutex::default(),
        })
    }

    /// Checks a response against the operation that its request is for.
    ///
    /// A request for no documented operation is not judged; a HEAD is judged as the GET beside it,
    /// without the body.
    ///
    /// # Errors
    /// Fails, naming the operation, where the status, the content type, a header or the body is
    /// not what is documented.
    pub fn check(&self, request: &Request, response: &Response) -> Result<()> {
        let Some((pointer, operation)) = self.operation(request) else {
            return Ok(());
        };
        let name = operation["operationId"].as_str().unwrap_or(&pointer);
        self.check_operation(&pointer, operation, request, response)
            .with_context(|| format!("against the OpenAPI operation {name}"))
    }

    fn check_operation(
        &self,
        pointer: &str,
        operation: &Value,
        request: &Request,
        response: &Response,
    ) -> Result<()> {
        let status = response.status.to_string();
        let responses = operation["responses"].as_object();
        let documented = responses.and_then(|all| all.get(&status));
        let Some(documented) = documented else {
            bail!("status {status} is not documented");
        };
        let (pointer, documented) =
            self.resolved(format!("{pointer}/responses/{status}"), documented)?;
        if let Some(headers) = documented["headers"].as_object() {
            self.check_headers(&pointer, headers, response)?;
        }
        if request.method() == "HEAD" || response.body.is_empty() {
            return Ok(());
        }
        self.check_content(&pointer, documented["content"].as_object(), response)
    }

    fn check_headers(
        &self,
        pointer: &str,
        headers: &Map<String, Value>,
        response: &Response,
    ) -> Result<()> {
        for (name, header) in headers {
            let place = format!("{pointer}/headers/{}", escaped(name));
            let (place, header) = self.resolved(place, header)?;
            let Some(value) = response.header(&name.to_ascii_lowercase()) else {
                ensure!(
                    header["required"] != json!(true),
                    "the documented header {name} is missing"
                );
                continue;
            };
            if header["schema"].is_object() {
                let number = value.parse::<u64>().map(Value::from);
                let text = Value::from(value);
                let is_number = header["schema"]["type"] == "integer";
                let value = if is_number {
                    number.unwrap_or(text)
                } else {
                    text
                };
                self.check_schema(&format!("{place}/schema"), &value)
                    .with_context(|| format!("header {name}"))?;
            }
        }
        Ok(())
    }

    fn check_content(
        &self,
        pointer: &str,
        content: Option<&Map<String, Value>>,
        response: &Response,
    ) -> Result<()> {
        let sent = response.required_header("content-type")?;
        let bare = sent.split(';').next().unwrap_or_default().trim();
        let found = content.and_then(|all| {
            all.get_key_value(sent)
                .or_else(|| all.get_key_value(bare))
                .or_else(|| all.get_key_value("*/*"))
        });
        let Some((media, described)) = found else {
            bail!(
                "content type {sent} is not documented for status {}",
                response.status
            );
        };
        if bare.ends_with("json") && described["schema"].is_object() {
            let place = format!("{pointer}/content/{}/schema", escaped(media));
            self.check_schema(&place, &response.json()?)?;
        }
        Ok(())
    }

    fn check_schema(&self, pointer: &str, value: &Value) -> Result<()> {
        let validator = self.validator(pointer)?;
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|error| format!("at {:?}: {error}", error.instance_path().as_str()))
            .take(5)
            .collect();
        ensure!(
            errors.is_empty(),
            "the schema at {pointer} does not fit: {}",
            errors.join("; ")
        );
        Ok(())
    }

    fn validator(&self, pointer: &str) -> Result<Arc<Validator>> {
        let mut validators = self
            .validators
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(validator) = validators.get(pointer) {
            return Ok(Arc::clone(validator));
        }
        let schema = self.root.pointer(pointer).context("no such schema")?;
        // References are pointers from the root of the document: the components go along.
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "allOf": [schema],
            "components": self.root["components"],
        });
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| anyhow::anyhow!("the schema at {pointer} is none: {error}"))?;
        let validator = Arc::new(validator);
        validators.insert(pointer.to_owned(), Arc::clone(&validator));
        Ok(validator)
    }

    /// What an object is, or what the object that it refers to is, and where that stands.
    fn resolved<'a>(&'a self, pointer: String, object: &'a Value) -> Result<(String, &'a Value)> {
        let Some(reference) = object["$ref"].as_str() else {
            return Ok((pointer, object));
        };
        let target = reference.strip_prefix('#').context("a foreign reference")?;
        let object = self
            .root
            .pointer(target)
            .with_context(|| format!("{reference} refers to nothing"))?;
        Ok((target.to_owned(), object))
    }

    /// The operation that a request is for and its JSON pointer.
    ///
    /// Segments match as raw bytes; a literal segment goes before a parameter.
    fn operation(&self, request: &Request) -> Option<(String, &Value)> {
        let path = request.path();
        let paths = self.root["paths"].as_object()?;
        let (template, item) = paths
            .iter()
            .filter(|(template, _)| is_match(template, &path))
            .min_by_key(|(template, _)| template.matches('{').count())?;
        let method = request.method();
        // Methods are told apart by letter case: `get` is no GET.
        let key = Some(method)
            .filter(|method| method.chars().all(|letter| letter.is_ascii_uppercase()))?
            .to_ascii_lowercase();
        let key = match item.get(&key) {
            None if method == "HEAD" => "get".to_owned(),
            _ => key,
        };
        let operation = item.get(&key)?;
        Some((format!("/paths/{}/{key}", escaped(template)), operation))
    }

    /// Every operation as method, template and operationId, in document order.
    pub fn operations(&self) -> Vec<(String, String, String)> {
        const METHODS: [&str; 8] = [
            "get", "put", "post", "delete", "options", "head", "patch", "trace",
        ];
        let mut all = Vec::new();
        for (template, item) in self.root["paths"].as_object().into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                if METHODS.contains(&method.as_str()) {
                    let id = operation["operationId"].as_str().unwrap_or_default();
                    all.push((method.to_ascii_uppercase(), template.clone(), id.to_owned()));
                }
            }
        }
        all
    }
}

fn is_match(template: &str, path: &str) -> bool {
    let mut segments = path.split('/');
    let all = template.split('/').all(|wanted| {
        segments.next().is_some_and(|found| {
            let parameter = wanted.starts_with('{') && wanted.ends_with('}');
            if parameter {
                !found.is_empty()
            } else {
                wanted == found
            }
        })
    });
    all && segments.next().is_none()
}

/// A key as a segment of a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
