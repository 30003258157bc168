//! The store that fails on command fails as a remote one would.

use std::error::Error;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use person_repository::{Fault, PersonId, PersonRepository, STORE_TIMEOUT, StoreError};
use tokio::task::spawn;
use tokio::time::{sleep, timeout};

use crate::support::named;

#[tokio::test]
async fn without_a_fault_it_is_a_memory_store() {
    let (repository, _switch) = PersonRepository::with_faults();
    repository.ping().await.unwrap();
    let added = repository.add(named("Ada")).await.unwrap();
    assert_eq!(added.id, PersonId::new(1));
    assert_eq!(repository.get(added.id).await.unwrap(), Some(added));
    assert_eq!(repository.count().await.unwrap(), 1);
}

#[tokio::test]
async fn a_store_that_is_down_says_so_and_hides_the_cause() {
    let (repository, switch) = PersonRepository::with_faults();
    switch.set(Fault::Down);
    let error = repository.add(named("Ada")).await.unwrap_err();
    assert!(matches!(error, StoreError::Unavailable(_)));
    assert_eq!(error.to_string(), "the store is unavailable");
    assert!(error.source().is_some());
    assert!(repository.ping().await.is_err());

    switch.set(Fault::None);
    assert_eq!(repository.count().await.unwrap(), 0);
}

#[tokio::test]
async fn a_store_that_hangs_times_out() {
    let (repository, switch) = PersonRepository::with_faults();
    switch.set(Fault::Hang);
    let start = Instant::now();
    let error = repository.ping().await.unwrap_err();
    assert!(matches!(error, StoreError::TimedOut));
    assert!(start.elapsed() >= STORE_TIMEOUT);
}

#[tokio::test]
async fn a_store_that_hung_goes_on_with_the_calls_that_wait() {
    let (repository, switch) = PersonRepository::with_faults();
    switch.set(Fault::Hang);
    let waiting = spawn({
        let repository = repository.clone();
        async move { repository.add(named("Ada")).await }
    });
    sleep(Duration::from_millis(50)).await;
    assert!(!waiting.is_finished());
    switch.set(Fault::None);
    let answer = timeout(Duration::from_secs(1), waiting)
        .await
        .expect("an answer at once");
    assert_eq!(answer.unwrap().unwrap().id, PersonId::new(1));
}

#[tokio::test]
async fn a_store_that_panics_works_again_afterwards() {
    let (repository, switch) = PersonRepository::with_faults();
    switch.set(Fault::Panic);
    let call = AssertUnwindSafe(repository.clone());
    let panicked = spawn(async move { call.count().await }).await.unwrap_err();
    assert!(panicked.is_panic());
    switch.set(Fault::None);
    assert_eq!(repository.count().await.unwrap(), 0);
}

#[tokio::test]
async fn a_list_fails_after_so_many_pieces_and_can_go_on() {
    let (repository, switch) = PersonRepository::with_faults();
    for _ in 0..600 {
        repository.add(named("Ada")).await.unwrap();
    }
    switch.set(Fault::FailListAfter(1));
    let mut list = repository.list().await.unwrap();
    assert_eq!(list.next_piece().await.unwrap().unwrap().len(), 256);
    assert!(matches!(
        list.next_piece().await,
        Err(StoreError::Unavailable(_))
    ));
    assert!(repository.ping().await.is_ok());

    switch.set(Fault::None);
    assert_eq!(
        list.next_piece().await.unwrap().unwrap()[0].id,
        PersonId::new(257)
    );
    assert_eq!(list.next_piece().await.unwrap().unwrap().len(), 88);
    assert_eq!(list.next_piece().await.unwrap(), None);

    switch.set(Fault::FailListAfter(0));
    let mut list = repository.list().await.unwrap();
    assert!(list.next_piece().await.is_err());
}
