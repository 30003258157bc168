//! Persons: add, list, read, change, delete.

use person_repository::{NewPerson, PersonPatch};
use service_api::persons::ListQuery;
use service_api::problem::Problem;
use service_runtime::App;

use crate::extract::{Request, json_body, list_parameters, person_path};
use crate::respond::{self, Outcome};

/// Adds a person.
pub(crate) async fn add_person(app: &App, request: Request) -> Outcome {
    let new = json_body::<NewPerson>(request).await?;
    let person = app.persons().add(new).await?;
    Ok(respond::person_added(&person))
}

/// Lists all persons, streamed, or a page of them.
pub(crate) async fn list_persons(app: &App, request: Request) -> Outcome {
    let query = list_parameters(&request)?;
    Ok(match query {
        ListQuery::All => respond::list(app.persons().list().await?),
        ListQuery::Page(page) => {
            let found = app.persons().page(page.after, page.limit).await?;
            respond::page(page, &found)
        }
    })
}

/// Reads a person.
pub(crate) async fn get_person(app: &App, request: Request) -> Outcome {
    let id = person_path(&request)?;
    let person = app.persons().get(id).await?;
    let person = person.ok_or_else(|| Problem::no_person(id))?;
    Ok(respond::person(&person))
}

/// Replaces a person; never creates one.
pub(crate) async fn replace_person(app: &App, request: Request) -> Outcome {
    let id = person_path(&request)?;
    let new = json_body::<NewPerson>(request).await?;
    let person = app.persons().replace(id, new).await?;
    let person = person.ok_or_else(|| Problem::no_person(id))?;
    Ok(respond::person(&person))
}

/// Changes the fields of a person that the patch names.
pub(crate) async fn patch_person(app: &App, request: Request) -> Outcome {
    let id = person_path(&request)?;
    let patch = json_body::<PersonPatch>(request).await?;
    let person = app.persons().patch(id, patch).await?;
    let person = person.ok_or_else(|| Problem::no_person(id))?;
    Ok(respond::person(&person))
}

/// Deletes a person.
pub(crate) async fn delete_person(app: &App, request: Request) -> Outcome {
    let id = person_path(&request)?;
    if !app.persons().delete(id).await? {
        return Err(Problem::no_person(id).into());
    }
    Ok(respond::person_deleted(id))
}
