//! What a handle on a store is and is not.

use person_repository::{PersonId, PersonList, PersonPatch, PersonRepository, StoreKind};

use crate::support::{filled, named, now};

#[test]
fn clones_share_one_store_and_stores_share_nothing() {
    let repository = PersonRepository::in_memory();
    let clone = repository.clone();
    let ada = now(repository.add(named("Ada"))).expect("room in the store");
    assert_eq!(now(clone.get(ada.id)).unwrap(), Some(ada));
    assert_eq!(now(PersonRepository::in_memory().count()).unwrap(), 0);
}

#[test]
fn the_memory_store_answers_and_says_what_it_is() {
    let repository = PersonRepository::in_memory();
    assert!(now(repository.ping()).is_ok());
    assert_eq!(repository.kind(), StoreKind::Memory);
    assert_eq!(repository.kind().as_str(), "memory");
}

#[test]
fn an_id_is_never_given_again() {
    let repository = filled(3);
    for id in 1..=3 {
        assert!(now(repository.delete(PersonId::new(id))).unwrap());
        assert!(!now(repository.delete(PersonId::new(id))).unwrap());
    }
    assert_eq!(
        now(repository.add(named("Ada"))).unwrap().id,
        PersonId::new(4)
    );
}

#[test]
fn a_handle_or_a_list_in_a_log_names_nobody() {
    let repository = PersonRepository::in_memory();
    now(repository.add(named("Ada"))).expect("room in the store");
    let list = now(repository.list()).expect("an answer");
    assert_eq!(
        format!("{repository:?}"),
        "PersonRepository { kind: Memory, .. }"
    );
    assert!(!format!("{list:?}").contains("Ada"));
}

#[test]
fn futures_and_handles_can_move_between_threads() {
    fn assert_send<T: Send>(_: T) {}
    fn assert_static<T: Clone + Send + Sync + 'static>() {}
    fn assert_list<T: Send + 'static>() {}

    assert_static::<PersonRepository>();
    assert_list::<PersonList>();
    let repository = filled(1);
    let id = PersonId::new(1);
    assert_send(repository.ping());
    assert_send(repository.count());
    assert_send(repository.add(named("Ada")));
    assert_send(repository.get(id));
    assert_send(repository.page(id, 1));
    assert_send(repository.list());
    assert_send(repository.replace(id, named("Ada")));
    assert_send(repository.patch(id, PersonPatch::default()));
    assert_send(repository.delete(id));
    assert_send(now(repository.list()).unwrap().next_piece());
}
