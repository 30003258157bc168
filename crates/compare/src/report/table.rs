//! The table at the end: a row a figure, a column a flavor, and the published figures apart.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use super::notes::{NOT_OURS, notes};
use crate::articles::{Published, Stack, published};
use crate::result::Record;
use crate::summary::{Row, Value, rows};

/// The whole report: the table, then what must be known to read it; on a terminal of so many columns,
/// if it is for one.
pub(crate) fn render(record: &Record, columns: Option<usize>) -> String {
    let rows = rows(record);
    let whole = table(record, &rows, &Part::ALL);
    let mut report = match columns {
        Some(columns) if width(&whole) > columns => {
            let ours = table(record, &rows, &[Part::Ours]);
            format!("{ours}\n\n{}", published_list(&rows, columns))
        }
        _ => whole,
    };
    report.push('\n');
    for note in notes(record) {
        report.push('\n');
        report.push_str(&match columns {
            Some(columns) => textwrap::fill(&note, columns),
            None => note,
        });
    }
    report
}

/// Which columns stand beside the figures' names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// What was measured here.
    Ours,
    /// What the articles published.
    Theirs,
}

impl Part {
    const ALL: [Self; 2] = [Self::Ours, Self::Theirs];
}

fn width(table: &str) -> usize {
    table
        .lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0)
}

fn table(record: &Record, rows: &[Row], parts: &[Part]) -> String {
    let mut table = Table::new();
    table
        .load_style(presets::ASCII_BORDERS_ONLY_CONDENSED)
        .set_content_arrangement(ContentArrangement::Disabled);
    let heads = parts.iter().flat_map(|part| match part {
        Part::Ours => record
            .targets
            .iter()
            .map(|target| target.flavor.name().to_owned())
            .collect::<Vec<_>>(),
        Part::Theirs => Stack::ALL
            .iter()
            .map(|stack| format!("{}\n{}", stack.name(), NOT_OURS.replace(", ", ",\n")))
            .collect(),
    });
    table.set_header([Cell::new("figure")].into_iter().chain(heads.map(right)));
    for line in lines(rows) {
        let cells = parts.iter().flat_map(|part| match part {
            Part::Ours => line.ours.clone(),
            Part::Theirs => line.theirs.clone(),
        });
        table.add_row([Cell::new(&line.label)].into_iter().chain(cells.map(right)));
    }
    table.to_string()
}

/// What was published, a line a figure, where the table has no room for it.
fn published_list(rows: &[Row], columns: usize) -> String {
    let mut list = vec![format!("Other stacks, {NOT_OURS}:")];
    let mut heading = String::new();
    for line in lines(rows) {
        if !line.label.starts_with(' ') {
            let name = line.label.split([':', ',', '[']).next();
            heading = name.unwrap_or_default().trim_end().to_owned();
        }
        let label = match line.label.strip_prefix("  ") {
            Some(label) => format!("{heading}: {}", label.trim_start()),
            None => line.label,
        };
        let figures: Vec<String> = Stack::ALL
            .iter()
            .zip(&line.theirs)
            .filter(|(_, figure)| !figure.is_empty())
            .map(|(stack, figure)| format!("{} {}", stack.name(), figure.replace('\n', ", ")))
            .collect();
        if !figures.is_empty() {
            list.push(format!("{label}: {}", figures.join("; ")));
        }
    }
    let indent = textwrap::Options::new(columns).subsequent_indent("  ");
    let lines: Vec<String> = list
        .iter()
        .map(|line| textwrap::fill(line, &indent))
        .collect();
    lines.join("\n")
}

/// One line of the table: a label and what stands beside it.
struct Line {
    label: String,
    ours: Vec<String>,
    theirs: Vec<String>,
}

/// The rows line by line.
fn lines(rows: &[Row]) -> Vec<Line> {
    let mut lines = Vec::new();
    for row in rows {
        let count = row.label.lines().count();
        lines.extend(row.label.lines().enumerate().map(|(at, label)| {
            Line {
                label: label.into(),
                ours: row
                    .values
                    .iter()
                    .map(|value| nth(&show(row, value), at, count))
                    .collect(),
                theirs: Stack::ALL
                    .map(|stack| nth(&published_cell(row, stack), at, count))
                    .into(),
            }
        }));
    }
    lines
}

/// What stands beside line `at` of `count`: of as many numbers the one of that line, else all on the first.
fn nth(text: &str, at: usize, count: usize) -> String {
    let parts: Vec<&str> = text.lines().collect();
    match (count, at) {
        (1, _) => text.into(),
        _ if parts.len() == count => parts[at].into(),
        (_, 0) => text.into(),
        _ => String::new(),
    }
}

fn published_cell(row: &Row, stack: Stack) -> String {
    let lines: Vec<String> = published(row.figure, stack).flat_map(reference).collect();
    lines.join("\n")
}

fn right(text: String) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}

fn show(row: &Row, value: &Value) -> String {
    let decimals = row.figure.decimals();
    match value {
        Value::Numbers(numbers) => {
            let numbers: Vec<String> = numbers
                .iter()
                .map(|number| format!("{number:.decimals$}"))
                .collect();
            numbers.join("\n")
        }
        Value::Void => "void".into(),
        Value::Missing => "-".into(),
    }
}

/// A published figure with its source; where it has several numbers, a line each, as ours.
fn reference(published: &Published) -> impl Iterator<Item = String> {
    let letter = published.source.letter();
    let source = match published.of {
        "" => format!("({letter})"),
        of => format!("({letter}, {of})"),
    };
    published
        .text
        .split(", ")
        .map(move |number| format!("{number} {source}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::tests::sample;

    #[test]
    fn the_table_has_a_row_a_figure_and_a_column_a_flavor_and_marks_what_is_not_ours() {
        let record = sample();
        assert_eq!(table(&record, &rows(&record), &Part::ALL), TABLE.trim());
    }

    #[test]
    fn on_a_narrow_terminal_the_published_figures_are_a_list_of_their_own() {
        let (whole, narrow) = (render(&sample(), None), render(&sample(), Some(100)));
        assert!(width(TABLE) > 100 && whole.contains(TABLE.trim()));
        let too_wide = narrow.lines().find(|line| line.chars().count() > 100);
        assert_eq!(too_wide, None);
        for columns in [80, 100] {
            let narrow = render(&sample(), Some(columns));
            let stands_beside = |label: &str, number: &str| {
                narrow
                    .lines()
                    .any(|line| line.contains(label) && line.contains(number))
            };
            for (label, number) in [
                ("median of 15", "4.07"),
                ("1st [ms]", "157.7 (C)"),
                ("first 5 answers: 5th [ms]", "7.6 (C)"),
                ("start to first correct answer: best of", "2741 (B)"),
                ("memory idle: private anonymous", "305 (A)"),
                ("memory after both loads: private anonymous", "369 (A)"),
            ] {
                assert!(stands_beside(label, number), "{label}: {number}\n{narrow}");
            }
        }
    }

    const TABLE: &str = r#"
+----------------------------------------------------------------------------------------------------------------------------------+
| figure                                              axum   hyper         Spring Boot               Micronaut       Spring Native |
|                                                                        as published,           as published,       as published, |
|                                                                    not measured here       not measured here   not measured here |
+==================================================================================================================================+
| start to first correct answer, median of 15 [ms]    4.07    void                                                                 |
|   best of the first 5 [ms]                          4.00    void            2741 (B)         1496 (B, 1.3.4)                     |
|                                                                                           1295 (B, 2.0.0 M2)                     |
|   fastest [ms]                                      4.00    void                                                                 |
|   slowest [ms]                                      4.14                                                                         |
| first 5 answers, one by one, medians: 1st [ms]     0.500    void           157.7 (C)                                     3.9 (C) |
|   2nd [ms]                                         0.100                     9.7 (C)                                     0.7 (C) |
|   3rd [ms]                                         0.090                     7.5 (C)                                     0.9 (C) |
|   4th [ms]                                         0.080                     9.6 (C)                                     0.7 (C) |
|   5th [ms]                                         0.070                     7.6 (C)                                     0.8 (C) |
| memory idle: RSS [MB]                               5.00    void                                                                 |
|   PSS [MB]                                          4.00    void                                                                 |
|   private anonymous ("heap") [MB]                   1.00    void             305 (A)                 254 (A)                     |
|   file-backed ("non-heap") [MB]                     4.00    void              81 (A)                  51 (A)                     |
| persons-post: good answers [1/s]                   20000    void            1176 (A)                1290 (A)                     |
|   total time [s]                                    2.00    void                                                                 |
|   service time p50 [ms]                            2.001    void                                                                 |
|     p90 [ms]                                       3.600                                                                         |
|     p99 [ms]                                       3.961                                                                         |
|     max [ms]                                       4.002                                                                         |
|   server CPU time per good answer [us]              10.0    void                                                                 |
| persons-get: good answers [1/s]                    20000    void            1428 (A)                1538 (A)                     |
|   total time [s]                                    2.00    void                                                                 |
|   service time p50 [ms]                            2.001    void                                                                 |
|     p90 [ms]                                       3.600                                                                         |
|     p99 [ms]                                       3.961                                                                         |
|     max [ms]                                       4.002                                                                         |
|   server CPU time per good answer [us]              10.0    void                                                                 |
| memory after both loads: RSS [MB]                  12.00    void         473.328 (B)      435.092 (B, 1.3.4)                     |
|                                                                                        424.560 (B, 2.0.0 M2)                     |
|   private anonymous ("heap") [MB]                   1.00    void             369 (A)                 254 (A)                     |
|   file-backed ("non-heap") [MB]                     4.00    void              87 (A)                  63 (A)                     |
|   highest RSS since the start [MB]                  5.50    void                                                                 |
| artifact [MB]                                       7.25       -            24.2 (A)                12.1 (A)                     |
|   of it Swagger UI [MB]                             3.10       -                                                                 |
|   crates in it, without our own                       90       -         over 50 (A)                  37 (A)                     |
|   build time of what was not built before [s]      100.2       -                                                                 |
+----------------------------------------------------------------------------------------------------------------------------------+
"#;
}
