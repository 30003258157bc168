//! Configuration: flags with environment twins, read once at start. A flag wins over its variable.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};

use crate::store::StoreUrl;
use crate::telemetry::{LogFormat, LogLevel, Telemetry};

/// How a server runs.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens; port 0 takes a free one. `HOST`, `PORT`, 127.0.0.1:8080.
    pub address: SocketAddr,
    /// Where it keeps its data. `STORE_URL`, `memory:`.
    pub store: StoreUrl,
    /// Threads that serve requests. `WORKERS`, the processors that the process may use.
    pub workers: usize,
    /// What is logged, and how. `LOG_LEVEL`, info; `LOG_FORMAT`, text.
    pub telemetry: Telemetry,
    /// How long requests in flight may take to end once shutdown has begun. `SHUTDOWN_GRACE`, 30 s.
    pub shutdown_grace: Duration,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Help or the version was asked for: this is the text.
    #[error("{0}")]
    Answer(String),
    /// A flag or a variable is wrong: one line that says which and why.
    #[error("{0}")]
    Invalid(String),
}

impl Config {
    /// Reads the flags of this process and its environment.
    ///
    /// # Errors
    /// Where one of them is wrong, or help or the version was asked for; [`ConfigError::report`] is
    /// what to do then.
    pub fn from_env(program: &'static str, version: &'static str) -> Result<Self, ConfigError> {
        Self::parse(program, version, std::env::args_os())
    }

    /// Reads these arguments, the program's name first, and the environment.
    ///
    /// # Errors
    /// As [`Config::from_env`].
    pub fn parse<I, A>(
        program: &'static str,
        version: &'static str,
        arguments: I,
    ) -> Result<Self, ConfigError>
    where
        I: IntoIterator<Item = A>,
        A: Into<OsString> + Clone,
    {
        let flags = Flags::command()
            .name(program)
            .version(version)
            .try_get_matches_from(arguments)
            .and_then(|matches| Flags::from_arg_matches(&matches))?;
        Ok(Self {
            address: SocketAddr::new(flags.host, flags.port),
            // Not parsed by clap, which would show the value in its message: a URL can hold a password.
            store: flags
                .store
                .parse()
                .map_err(|why| ConfigError::Invalid(format!("--store (STORE_URL): {why}")))?,
            workers: flags.workers.map_or_else(processors, usize::from),
            telemetry: Telemetry {
                level: flags.log_level,
                format: flags.log_format,
            },
            shutdown_grace: flags.shutdown_grace,
        })
    }
}

impl ConfigError {
    /// Tells the user and gives the exit code: 0 after an answer on standard output, 2 after an error
    /// on standard error.
    pub fn report(&self) -> ExitCode {
        match self {
            Self::Answer(text) => {
                // Whether anybody reads it is not for us to judge.
                let _ = write!(io::stdout(), "{text}");
                ExitCode::SUCCESS
            }
            Self::Invalid(line) => {
                let _ = writeln!(io::stderr(), "error: {line}; see --help");
                ExitCode::from(2)
            }
        }
    }
}

impl From<clap::Error> for ConfigError {
    fn from(error: clap::Error) -> Self {
        match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Self::Answer(error.to_string()),
            // What stands where no flag does may be a store URL, and clap would repeat it.
            ErrorKind::UnknownArgument if !names_a_flag(&error) => {
                Self::Invalid("every argument must be a flag or its value".to_owned())
            }
            _ => {
                // What follows the first empty line are hints. A value can hold any character.
                let text = error.to_string();
                let what = text.split("\n\n").next().unwrap_or_default();
                let words = what
                    .strip_prefix("error: ")
                    .unwrap_or(what)
                    .split_whitespace();
                let line = words.collect::<Vec<_>>().join(" ");
                Self::Invalid(line.replace(char::is_control, "\u{fffd}"))
            }
        }
    }
}

/// Serves persons over HTTP.
#[derive(Debug, Parser)]
#[command(about = "Serves persons over HTTP.", max_term_width = 100)]
struct Flags {
    /// Address to listen on: an IP address, or localhost
    #[arg(long, env = "HOST", default_value = "127.0.0.1", value_parser = parse_host)]
    host: IpAddr,

    /// Port to listen on; 0 takes a free one
    #[arg(
        long,
        env = "PORT",
        default_value_t = 8080,
        allow_negative_numbers = true
    )]
    port: u16,

    /// Where data is kept: memory: (gone when the process ends)
    #[arg(
        long,
        env = "STORE_URL",
        default_value = "memory:",
        value_name = "URL",
        hide_env_values = true
    )]
    store: String,

    /// Threads that serve requests, 1 to 512 [default: the processors that the process may use]
    #[arg(long, env = "WORKERS", value_name = "COUNT", value_parser = clap::value_parser!(u16).range(1..=512), allow_negative_numbers = true)]
    workers: Option<u16>,

    /// Least severe level that is logged; info has one line a request
    #[arg(
        long,
        env = "LOG_LEVEL",
        value_name = "LEVEL",
        default_value = "info",
        ignore_case = true
    )]
    log_level: LogLevel,

    /// Form of a log line
    #[arg(
        long,
        env = "LOG_FORMAT",
        value_name = "FORMAT",
        default_value = "text",
        ignore_case = true
    )]
    log_format: LogFormat,

    /// How long requests in flight may take to end once shutdown has begun: a whole number with ms, s
    /// or m
    #[arg(long, env = "SHUTDOWN_GRACE", value_name = "DURATION", default_value = "30s", value_parser = parse_duration)]
    shutdown_grace: Duration,
}

fn names_a_flag(error: &clap::Error) -> bool {
    let argument = error.get(ContextKind::InvalidArg);
    matches!(argument, Some(ContextValue::String(argument)) if argument.starts_with('-'))
}

fn parse_host(host: &str) -> Result<IpAddr, String> {
    if host.eq_ignore_ascii_case("localhost") {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    let bracketed = host
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    bracketed
        .unwrap_or(host)
        .parse()
        .map_err(|_| "must be an IP address or localhost".to_owned())
}

fn parse_duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
    let milliseconds = match &text[digits.len()..] {
        "ms" => 1,
        "s" => 1000,
        "m" => 60_000,
        _ => 0,
    };
    let count = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit())
        .then(|| digits.parse::<u64>());
    count
        .and_then(Result::ok)
        .and_then(|count| count.checked_mul(milliseconds))
        .filter(|_| milliseconds > 0)
        .map(Duration::from_millis)
        .ok_or_else(|| "must be a whole number with ms, s or m, such as 400ms or 30s".to_owned())
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(arguments: &[&str]) -> Result<Config, String> {
        let arguments = ["server"].iter().chain(arguments);
        Config::parse("server", "0", arguments).map_err(|error| match error {
            ConfigError::Answer(text) => format!("answer: {text}"),
            ConfigError::Invalid(line) => line,
        })
    }

    #[test]
    fn flags_are_read_with_their_units() {
        let config = parse(&[
            "--host",
            "::1",
            "--port=0",
            "--workers=3",
            "--shutdown-grace=2m",
            "--log-level=WARN",
        ]);
        let config = config.unwrap();
        assert_eq!(config.address, "[::1]:0".parse().unwrap());
        assert_eq!(config.workers, 3);
        assert_eq!(config.shutdown_grace, Duration::from_secs(120));
        assert_eq!(config.telemetry.level, LogLevel::Warn);
    }

    #[test]
    fn a_bad_value_is_told_in_one_line_that_names_the_flag() {
        for (arguments, named) in [
            (["--port", "65536"], "--port"),
            (["--port", "-1"], "--port"),
            (["--port", "1\n2"], "--port"),
            (["--log-format", "yaml"], "possible values: text, json"),
            (["--port", "http"], "--port"),
            (["--host", "nowhere"], "--host"),
            (["--workers", "0"], "--workers"),
            (["--workers", "513"], "--workers"),
            (["--host", "::1]"], "--host"),
            (["--log-level", "loud"], "--log-level"),
            (["--log-format", "xml"], "--log-format"),
            (["--shutdown-grace", "30"], "--shutdown-grace"),
            (["--shutdown-grace", "1.5s"], "--shutdown-grace"),
            (["--shutdown-grace", "s"], "--shutdown-grace"),
            (
                ["--shutdown-grace", "99999999999999999999s"],
                "--shutdown-grace",
            ),
            (["--store", "sqlite:x.db"], "--store"),
            (["--colour", "red"], "--colour"),
        ] {
            let line = parse(&arguments).unwrap_err();
            assert!(line.contains(named) && !line.contains('\n'), "{line}");
        }
    }

    #[test]
    fn a_store_url_is_never_shown() {
        let line = parse(&["--store", "postgres://me:hunter2@db/x"]).unwrap_err();
        assert!(
            line.contains("memory:") && !line.contains("hunter2"),
            "{line}"
        );
        let line = parse(&["postgres://me:hunter2@db/x"]).unwrap_err();
        assert!(line.contains("flag") && !line.contains("hunter2"), "{line}");
    }

    #[test]
    fn help_lists_every_flag_with_its_variable_and_default() {
        let help = parse(&["--help"]).unwrap_err();
        for word in [
            "--host",
            "[env: PORT",
            "[default: memory:]",
            "WORKERS",
            "LOG_LEVEL",
            "[default: text]",
            "SHUTDOWN_GRACE",
            "[default: 30s]",
        ] {
            assert!(help.contains(word), "{word} is not in {help}");
        }
    }
}
