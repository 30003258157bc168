//! The committed OpenAPI document against the types that it is made from.

use std::collections::BTreeSet;

use serde_json::Value;
use service_api::{openapi, routes};

fn document() -> Value {
    serde_json::from_slice(openapi::DOCUMENT).expect("the committed document is JSON")
}

#[test]
fn the_committed_document_is_fresh() {
    assert!(
        openapi::generate().as_bytes() == openapi::DOCUMENT,
        "openapi/openapi.json is stale; run: cargo run -p service-api --example openapi"
    );
}

#[test]
fn every_path_is_documented_in_the_order_of_the_routes() {
    let text = str::from_utf8(openapi::DOCUMENT).expect("the document is text");
    let places = routes::TEMPLATES.map(|template| text.find(&format!("    \"{template}\": {{")));
    assert!(places.is_sorted() && places[0].is_some(), "{places:?}");
    let document = document();
    let paths = document["paths"].as_object().unwrap();
    assert_eq!(paths.len(), routes::TEMPLATES.len());
}

#[test]
fn every_path_allows_the_documented_methods_with_head_and_options() {
    let order = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    for (template, item) in document()["paths"].as_object().unwrap() {
        let documented = |method: &str| item.get(method.to_lowercase()).is_some();
        let expected: Vec<_> = order
            .into_iter()
            .filter(|method| match *method {
                "HEAD" => documented("GET"),
                "OPTIONS" => true,
                method => documented(method),
            })
            .collect();
        assert_eq!(routes::allow(template), expected.join(", "), "{template}");
    }
}

#[test]
fn every_operation_has_an_id_of_its_own_a_summary_a_tag_and_the_status_500() {
    let document = document();
    let mut ids = BTreeSet::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().expect("an operation id");
            assert!(ids.insert(id), "{id} is there twice");
            assert!(operation["summary"].is_string(), "{id} has no summary");
            assert_eq!(operation["tags"].as_array().map(Vec::len), Some(1), "{id}");
            assert!(operation["responses"]["500"].is_object(), "{id}");
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let schema = parameter["schema"].as_object().expect("a schema");
                let bounded = ["minimum", "minLength", "maxLength"]
                    .iter()
                    .any(|bound| schema.contains_key(*bound));
                assert!(bounded, "{id}: {} has no bounds", parameter["name"]);
            }
        }
    }
}

#[test]
fn every_reference_leads_to_something() {
    fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
        match value {
            Value::Object(members) => {
                found.extend(members.get("$ref").and_then(Value::as_str));
                members
                    .values()
                    .for_each(|member| references(member, found));
            }
            Value::Array(items) => items.iter().for_each(|item| references(item, found)),
            _ => {}
        }
    }
    let document = document();
    let mut found = Vec::new();
    references(&document, &mut found);
    assert!(!found.is_empty());
    for reference in found {
        let pointer = reference
            .strip_prefix('#')
            .expect("a reference within the document");
        assert!(
            document.pointer(pointer).is_some(),
            "{reference} leads nowhere"
        );
    }
}
