//! The figures that the articles published, for the reference columns: read there, not measured here.
//!
//! Only figures that answer the same question as one of ours are here. None of the published runs used this
//! machine, this service or this load generator, and none states an interval.

use crate::summary::Figure;

/// A stack that the articles measured; each has a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stack {
    /// Spring Boot on a JVM.
    SpringBoot,
    /// Micronaut on a JVM.
    Micronaut,
    /// Spring Native, compiled ahead of time by GraalVM.
    SpringNative,
}

/// Where a figure was published.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The person store in memory, by the author of the `pl.piomin.services` samples.
    A,
    /// The README of micronaut-projects/micronaut-comparisons.
    B,
    /// An article on the experimental plugin of Spring Native.
    C,
}

/// One published figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Published {
    /// The figure of ours that answers the same question.
    pub(crate) figure: Figure,
    /// Whose it is.
    pub(crate) stack: Stack,
    /// Where it was published.
    pub(crate) source: Source,
    /// The figure as it was published, in the unit of our row.
    pub(crate) text: &'static str,
    /// The version or the condition that belongs to it, where the source has several.
    pub(crate) of: &'static str,
}

impl Stack {
    pub(crate) const ALL: [Self; 3] = [Self::SpringBoot, Self::Micronaut, Self::SpringNative];

    /// The name in the table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::SpringBoot => "Spring Boot",
            Self::Micronaut => "Micronaut",
            Self::SpringNative => "Spring Native",
        }
    }
}

impl Source {
    pub(crate) const ALL: [Self; 3] = [Self::A, Self::B, Self::C];

    /// The letter in the table.
    pub(crate) const fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
            Self::C => "C",
        }
    }

    /// What was measured there.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::A => {
                "an article on a person store in memory: Spring Boot 2.1.4 and Micronaut 1.0.0.RC1, JDK 11, \
                 Gatling, one run; memory as YourKit shows heap and non-heap; the fat JAR, without its JVM, and the \
                 libraries in it"
            }
            Self::B => {
                "micronaut-projects/micronaut-comparisons: Spring Boot 2.2, Micronaut 1.3.4 and 2.0.0 M2, JDK 8, \
                 -Xmx128m; start asked every 10 ms; memory after another load (JHipster, 1000 users)"
            }
            Self::C => {
                "an article on Spring Native: the first five requests of GET /ping, total times"
            }
        }
    }
}

/// Every published figure that has a row of ours.
pub(crate) const PUBLISHED: &[Published] = {
    use Figure::{
        AnonymousAfter, AnonymousIdle, BinarySize, Dependencies, FileAfter, FileIdle, FirstAnswers,
        GetRate, PostRate, RssAfter, StartBestOfFive,
    };
    use Source::{A, B, C};
    use Stack::{Micronaut, SpringBoot, SpringNative};
    &[
        of(StartBestOfFive, SpringBoot, B, "2741", ""),
        of(StartBestOfFive, Micronaut, B, "1496", "1.3.4"),
        of(StartBestOfFive, Micronaut, B, "1295", "2.0.0 M2"),
        of(FirstAnswers, SpringBoot, C, "157.7, 9.7, 7.5, 9.6, 7.6", ""),
        of(FirstAnswers, SpringNative, C, "3.9, 0.7, 0.9, 0.7, 0.8", ""),
        of(AnonymousIdle, SpringBoot, A, "305", ""),
        of(AnonymousIdle, Micronaut, A, "254", ""),
        of(FileIdle, SpringBoot, A, "81", ""),
        of(FileIdle, Micronaut, A, "51", ""),
        of(PostRate, SpringBoot, A, "1176", ""),
        of(PostRate, Micronaut, A, "1290", ""),
        of(GetRate, SpringBoot, A, "1428", ""),
        of(GetRate, Micronaut, A, "1538", ""),
        of(RssAfter, SpringBoot, B, "473.328", ""),
        of(RssAfter, Micronaut, B, "435.092", "1.3.4"),
        of(RssAfter, Micronaut, B, "424.560", "2.0.0 M2"),
        of(AnonymousAfter, SpringBoot, A, "369", ""),
        of(AnonymousAfter, Micronaut, A, "254", ""),
        of(FileAfter, SpringBoot, A, "87", ""),
        of(FileAfter, Micronaut, A, "63", ""),
        of(BinarySize, SpringBoot, A, "24.2", ""),
        of(BinarySize, Micronaut, A, "12.1", ""),
        of(Dependencies, SpringBoot, A, "over 50", ""),
        of(Dependencies, Micronaut, A, "37", ""),
    ]
};

/// The published figures of a row and a stack, in the order of the sources.
pub(crate) fn published(figure: Figure, stack: Stack) -> impl Iterator<Item = &'static Published> {
    PUBLISHED
        .iter()
        .filter(move |published| published.figure == figure && published.stack == stack)
}

const fn of(
    figure: Figure,
    stack: Stack,
    source: Source,
    text: &'static str,
    of: &'static str,
) -> Published {
    Published {
        figure,
        stack,
        source,
        text,
        of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_and_every_stack_has_a_figure() {
        for source in Source::ALL {
            assert!(PUBLISHED.iter().any(|published| published.source == source));
        }
        for stack in Stack::ALL {
            assert!(PUBLISHED.iter().any(|published| published.stack == stack));
        }
    }

    #[test]
    fn no_figure_stands_twice_for_one_version() {
        for (at, one) in PUBLISHED.iter().enumerate() {
            let twin = PUBLISHED[at + 1..].iter().find(|other| {
                (other.figure, other.stack, other.source, other.of)
                    == (one.figure, one.stack, one.source, one.of)
            });
            assert_eq!(twin, None);
        }
    }
}
