//! Which processors the servers run on and which the generator.

use serde::{Deserialize, Serialize};

/// Disjoint processors for the servers and the generator, where the machine has two or more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Placement {
    /// The processors of the servers, by their numbers.
    pub(crate) server: Vec<usize>,
    /// The processors of the generator, by their numbers.
    pub(crate) generator: Vec<usize>,
    /// Whether the two are disjoint and can be enforced.
    pub(crate) pinned: bool,
}

impl Placement {
    /// Gives the servers the first half of this process's processors and the generator the rest.
    pub(crate) fn new() -> Self {
        Self::split(&allowed())
    }

    fn split(allowed: &[usize]) -> Self {
        if allowed.len() < 2 || !cfg!(target_os = "linux") {
            return Self {
                server: allowed.to_vec(),
                generator: allowed.to_vec(),
                pinned: false,
            };
        }
        let (server, generator) = allowed.split_at(allowed.len() / 2);
        Self {
            server: server.to_vec(),
            generator: generator.to_vec(),
            pinned: true,
        }
    }

    /// The number of workers that a server is started with: one a processor.
    pub(crate) fn workers(&self) -> usize {
        self.server.len()
    }

    /// Binds the calling thread, and the threads that it starts from now on, to the generator's processors.
    pub(crate) fn enter_generator(&self) {
        if self.pinned {
            bind(&self.generator);
        }
    }

    /// Runs `start` bound to the servers' processors, so that a process started in it is bound from its
    /// first instruction, and comes back to the generator's.
    pub(crate) fn on_server<T>(&self, start: impl FnOnce() -> T) -> T {
        if !self.pinned {
            return start();
        }
        bind(&self.server);
        let started = start();
        bind(&self.generator);
        started
    }
}

#[cfg(target_os = "linux")]
fn allowed() -> Vec<usize> {
    let Ok(set) = rustix::thread::sched_getaffinity(None) else {
        return Vec::new();
    };
    (0..rustix::thread::CpuSet::MAX_CPU)
        .filter(|processor| set.is_set(*processor))
        .collect()
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Vec<usize> {
    (0..std::thread::available_parallelism().map_or(1, usize::from)).collect()
}

#[cfg(target_os = "linux")]
fn bind(processors: &[usize]) {
    let mut set = rustix::thread::CpuSet::new();
    processors.iter().for_each(|processor| set.set(*processor));
    // The processors come from this process's own set: it fails only where that set shrinks meanwhile.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

#[cfg(not(target_os = "linux"))]
fn bind(_processors: &[usize]) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_halves_are_disjoint_and_the_servers_get_the_first() {
        let placement = Placement::split(&[0, 1, 4, 5, 6]);
        assert_eq!(
            (placement.server, placement.generator),
            (vec![0, 1], vec![4, 5, 6])
        );
        let two = Placement::split(&[2, 3]);
        assert_eq!(
            (two.server, two.generator, two.pinned),
            (vec![2], vec![3], true)
        );
    }

    #[test]
    fn a_single_processor_is_shared_and_that_is_said() {
        let one = Placement::split(&[0]);
        assert_eq!(
            (one.server, one.generator, one.pinned),
            (vec![0], vec![0], false)
        );
    }

    #[test]
    fn a_thread_comes_back_from_the_servers_processors() {
        std::thread::spawn(|| {
            let placement = Placement::new();
            placement.enter_generator();
            let (before, inside) = (allowed(), placement.on_server(allowed));
            assert_eq!(inside, placement.server);
            assert_eq!(before, placement.generator);
            assert_eq!(allowed(), placement.generator);
        })
        .join()
        .expect("no panic");
    }
}
