//! Random sequences of calls, on the store and on a simple map beside it.

use std::collections::BTreeMap;

use person_repository::{
    Age, Gender, NewPerson, Person, PersonId, PersonName, PersonPatch, PersonRepository,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use crate::support::now;

/// One call, with ids as fractions of the highest, so that most of them are there.
#[derive(Clone, Debug)]
enum Call {
    Add(NewPerson),
    AddMany(NewPerson, u16),
    Get(Id),
    Page(Id, usize),
    List,
    Replace(Id, NewPerson),
    Patch(Id, PersonPatch),
    Delete(Id),
    DeleteMany { from: Id, many: u64, but_every: u64 },
}

#[derive(Clone, Copy, Debug)]
enum Id {
    Fraction(u16),
    Exact(u64),
}

impl Id {
    fn among(self, last: u64) -> PersonId {
        PersonId::new(match self {
            Self::Fraction(part) => u64::from(part) * (last + 2) / u64::from(u16::MAX),
            Self::Exact(id) => id,
        })
    }
}

fn id() -> impl Strategy<Value = Id> {
    prop_oneof![
        9 => any::<u16>().prop_map(Id::Fraction),
        1 => prop_oneof![
            Just(0),
            Just(i64::MAX.cast_unsigned()),
            Just(u64::MAX - 1),
            Just(u64::MAX),
            any::<u64>(),
        ]
        .prop_map(Id::Exact),
    ]
}

fn name() -> impl Strategy<Value = PersonName> {
    "[a-zA-ZäöüßΩ]{1,60}".prop_map(|name| PersonName::parse(&name).expect("a valid name"))
}

fn gender() -> impl Strategy<Value = Gender> {
    proptest::sample::select(&Gender::ALL[..])
}

fn age() -> impl Strategy<Value = Age> {
    (0..=150_u64).prop_map(|years| Age::new(years).expect("a valid age"))
}

fn new_person() -> impl Strategy<Value = NewPerson> {
    (name(), gender(), age()).prop_map(|(name, gender, age)| NewPerson { name, gender, age })
}

fn patch() -> impl Strategy<Value = PersonPatch> {
    (option::of(name()), option::of(gender()), option::of(age()))
        .prop_map(|(name, gender, age)| PersonPatch { name, gender, age })
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        new_person().prop_map(Call::Add),
        (new_person(), 1..1500_u16).prop_map(|(new, many)| Call::AddMany(new, many)),
        id().prop_map(Call::Get),
        (id(), 0..700_usize).prop_map(|(after, limit)| Call::Page(after, limit)),
        Just(Call::List),
        (id(), new_person()).prop_map(|(id, new)| Call::Replace(id, new)),
        (id(), patch()).prop_map(|(id, patch)| Call::Patch(id, patch)),
        id().prop_map(Call::Delete),
        (id(), 1..1200_u64, 1..20_u64).prop_map(|(from, many, but_every)| Call::DeleteMany {
            from,
            many,
            but_every
        }),
    ]
}

/// The store's behaviour in the plainest terms.
#[derive(Default)]
struct Model {
    persons: BTreeMap<PersonId, Person>,
    last: u64,
}

impl Model {
    fn add(&mut self, new: NewPerson) -> Person {
        self.last += 1;
        let person = new.with_id(PersonId::new(self.last));
        self.persons.insert(person.id, person.clone());
        person
    }

    fn after(&self, id: PersonId) -> impl Iterator<Item = &Person> {
        self.persons
            .values()
            .skip_while(move |person| person.id <= id)
    }

    fn replace(&mut self, id: PersonId, new: NewPerson) -> Option<Person> {
        let person = self.persons.get_mut(&id)?;
        *person = new.with_id(id);
        Some(person.clone())
    }

    fn patch(&mut self, id: PersonId, patch: PersonPatch) -> Option<Person> {
        let person = self.persons.get_mut(&id)?;
        let Person {
            name, gender, age, ..
        } = person.clone();
        person.name = patch.name.unwrap_or(name);
        person.gender = patch.gender.unwrap_or(gender);
        person.age = patch.age.unwrap_or(age);
        Some(person.clone())
    }
}

fn run(repository: &PersonRepository, model: &mut Model, call: Call) {
    match call {
        Call::Add(new) => {
            assert_eq!(now(repository.add(new.clone())).unwrap(), model.add(new));
        }
        Call::AddMany(new, many) => {
            for _ in 0..many {
                assert_eq!(
                    now(repository.add(new.clone())).unwrap(),
                    model.add(new.clone())
                );
            }
        }
        Call::Get(id) => {
            let id = id.among(model.last);
            assert_eq!(
                now(repository.get(id)).unwrap().as_ref(),
                model.persons.get(&id)
            );
        }
        Call::Page(after, limit) => {
            let after = after.among(model.last);
            let page = now(repository.page(after, limit)).unwrap();
            assert!(page.persons.iter().eq(model.after(after).take(limit)));
            assert_eq!(page.has_more, model.after(after).nth(limit).is_some());
            assert_eq!(page.total, model.persons.len() as u64);
        }
        Call::List => {
            let mut list = now(repository.list()).unwrap();
            assert_eq!(list.total(), model.persons.len() as u64);
            let mut listed = Vec::new();
            while let Some(piece) = now(list.next_piece()).unwrap() {
                listed.extend(piece);
            }
            assert!(listed.iter().eq(model.persons.values()));
        }
        Call::Replace(id, new) => {
            let id = id.among(model.last);
            assert_eq!(
                now(repository.replace(id, new.clone())).unwrap(),
                model.replace(id, new)
            );
        }
        Call::Patch(id, patch) => {
            let id = id.among(model.last);
            assert_eq!(
                now(repository.patch(id, patch.clone())).unwrap(),
                model.patch(id, patch)
            );
        }
        Call::Delete(id) => delete(repository, model, id.among(model.last)),
        Call::DeleteMany {
            from,
            many,
            but_every,
        } => {
            let from = from.among(model.last).get();
            for id in (from..from.saturating_add(many)).filter(|id| id % (but_every + 1) != 0) {
                delete(repository, model, PersonId::new(id));
            }
        }
    }
    assert_eq!(now(repository.count()).unwrap(), model.persons.len() as u64);
}

fn delete(repository: &PersonRepository, model: &mut Model, id: PersonId) {
    assert_eq!(
        now(repository.delete(id)).unwrap(),
        model.persons.remove(&id).is_some()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_store_does_what_a_plain_map_does(calls in vec(call(), 1..40)) {
        let repository = PersonRepository::in_memory();
        let mut model = Model::default();
        for call in calls {
            run(&repository, &mut model, call);
        }
    }
}
