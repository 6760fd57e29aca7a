"""Settings: read from the environment, and refused with advice if they are wrong."""

import re
from pathlib import Path

import pytest

from kontor_games.domain.signed_note import COSIGNATURE, read_key
from kontor_games.service.settings import Settings, SettingsError

WITNESS = "remora.n621.de+da77ade7+BOvN63jn/bLvkieywe8R6UYAtVtNbZpXh34x7onlmtw2"
OTHER_WITNESS = "rgdd.se/poc-witness+db03732e+BCjJKlo6BU0xfIb8LutqerIFTWIXEA0L5n3tW3QyPFgG"


def faults_of(**environ: str) -> tuple[str, ...]:
    with pytest.raises(SettingsError) as refused:
        Settings.from_environ(environ)
    return refused.value.faults


def test_an_empty_environment_gives_the_defaults() -> None:
    assert Settings.from_environ({}) == Settings()
    assert Settings().secret_key is None


def test_the_default_database_is_in_the_state_folder_from_wherever_it_is_started(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", "/users/ada")
    monkeypatch.chdir(tmp_path)
    for state, folder in (
        ("/state", "/state"),
        ("", "/users/ada/.local/state"),
        ("relative", "/users/ada/.local/state"),
    ):
        monkeypatch.setenv("XDG_STATE_HOME", state)
        assert Settings().database_url == f"sqlite:///{folder}/kontor/kontor.db"
        assert Settings().sqlite_path == Path(folder) / "kontor" / "kontor.db"
    monkeypatch.delenv("XDG_STATE_HOME")
    assert Settings().sqlite_path == Path("/users/ada/.local/state/kontor/kontor.db")
    assert Settings(database_url="postgresql://u:p@h/d").sqlite_path is None


def test_everything_can_be_set() -> None:
    settings = Settings.from_environ(
        {
            "KONTOR_DATABASE_URL": "postgresql://kontor:pw@db:5432/kontor",
            "KONTOR_SECRET_KEY": "s" * 32,
            "KONTOR_SIGNING_COMMAND": "sign-with-hsm --slot '2 b'",
            "KONTOR_SERVICE_ROLE": "kontor_service",
            "KONTOR_SERVICE_PASSWORD": "p" * 16,
            "KONTOR_WORKERS": "false",
            "KONTOR_BOT_PROCESSES": "0",
            "KONTOR_POOL_SIZE": "4",
            "KONTOR_CACHE_MATCHES": "50",
            "KONTOR_BODY_LIMIT": "2048",
            "KONTOR_CONNECTIONS_PER_ADDRESS": "6",
            "KONTOR_STREAMS": "7",
            "KONTOR_STREAMS_PER_ADDRESS": "8",
            "KONTOR_STREAMS_PER_PLAYER": "9",
            "KONTOR_CORS_ORIGINS": "https://example.org, http://localhost:8000,",
            "KONTOR_TRUST_PROXY": "1",
            "KONTOR_LOG_LEVEL": "DEBUG",
            "KONTOR_LOG_FORMAT": "json",
            "KONTOR_LOG_ORIGIN": "kontor.example/v1/log",
            "KONTOR_WITNESSES": f" {WITNESS}  {OTHER_WITNESS} ",
            "KONTOR_PUBLIC_URL": "https://kontor.example",
            "KONTOR_PUSH_HOSTS": "push.internal:8443, localhost:9000",
            "KONTOR_SMTP_URL": "smtps://kontor:pw@mail.internal",
            "KONTOR_MAIL_FROM": "kontor@kontor.example",
            "KONTOR_ACCOUNTS_PER_HOUR": "6",
            "KONTOR_OPEN_MATCHES": "7",
            "KONTOR_RUNNING_MATCHES": "8",
            "KONTOR_OPEN_MATCH_HOURS": "9",
            "KONTOR_IDLE_MATCH_HOURS": "10",
            "KONTOR_SMALLEST_CLOCK_MS": "11",
            "KONTOR_RATE_LIMIT_READ": "1",
            "KONTOR_RATE_LIMIT_WRITE": "2",
            "KONTOR_RATE_LIMIT_MOVE": "3",
            "KONTOR_RATE_LIMIT_REGISTER": "4",
            "KONTOR_RATE_LIMIT_STREAM": "5",
        }
    )
    assert settings == Settings(
        database_url="postgresql://kontor:pw@db:5432/kontor",
        secret_key="s" * 32,
        signing_command=("sign-with-hsm", "--slot", "2 b"),
        service_role="kontor_service",
        service_password="p" * 16,
        workers_in_process=False,
        bot_processes=0,
        pool_size=4,
        cache_matches=50,
        body_limit=2048,
        connections_per_address=6,
        streams=7,
        streams_per_address=8,
        streams_per_player=9,
        cors_origins=("https://example.org", "http://localhost:8000"),
        trust_proxy=1,
        log_level="debug",
        log_format="json",
        log_origin="kontor.example/v1/log",
        witnesses=(read_key(WITNESS, COSIGNATURE), read_key(OTHER_WITNESS, COSIGNATURE)),
        public_url="https://kontor.example",
        push_hosts=("push.internal:8443", "localhost:9000"),
        smtp_url="smtps://kontor:pw@mail.internal",
        mail_from="kontor@kontor.example",
        accounts_per_hour=6,
        open_matches=7,
        running_matches=8,
        open_match_hours=9,
        idle_match_hours=10,
        smallest_clock_ms=11,
        rate_limit_read=1,
        rate_limit_write=2,
        rate_limit_move=3,
        rate_limit_register=4,
        rate_limit_stream=5,
    )


@pytest.mark.parametrize(
    "text",
    ["kontor.example", "http://kontor.example", "https://kontor.example/", "https://a@b", "ftp://localhost"],
)
def test_the_public_address_is_https_without_a_path(text: str) -> None:
    [fault] = faults_of(KONTOR_PUBLIC_URL=text)
    assert fault.startswith("KONTOR_PUBLIC_URL must be https:// and the name of a host")
    assert Settings.from_environ({"KONTOR_PUBLIC_URL": "http://localhost:8000"}).public_url


def test_hosts_of_push_messages_have_ports() -> None:
    [fault] = faults_of(KONTOR_PUSH_HOSTS="push.internal")
    assert fault.startswith("KONTOR_PUSH_HOSTS must be hosts with ports")


@pytest.mark.parametrize("text", ["a b", "a+b", "a\nb", "x" * 256])
def test_an_invalid_name_of_the_log_is_refused(text: str) -> None:
    [fault] = faults_of(KONTOR_LOG_ORIGIN=text)
    assert fault.startswith("KONTOR_LOG_ORIGIN must be a name without spaces and plus signs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "must be public keys as `kontor witness` prints them"),
        (f"{WITNESS},{OTHER_WITNESS}", "must be public keys as `kontor witness` prints them"),
        (WITNESS.replace("da77", "da78"), "must be public keys as `kontor witness` prints them"),
        (f"{WITNESS} {WITNESS}", "must name each witness once"),
    ],
)
def test_malformed_and_repeated_witnesses_are_refused(text: str, message: str) -> None:
    [fault] = faults_of(KONTOR_WITNESSES=text)
    assert message in fault


def test_an_empty_list_of_witnesses_is_the_default() -> None:
    assert Settings.from_environ({"KONTOR_WITNESSES": ""}) == Settings()


def test_environment_variables_of_other_programs_are_ignored() -> None:
    assert Settings.from_environ({"HOME": "/root", "PATH": "", "XKONTOR_POOL_SIZE": "no"}) == Settings()


def test_the_variables_of_clients_are_no_settings_and_not_refused() -> None:
    assert Settings.from_environ({"KONTOR_URL": "http://127.0.0.1:9000", "KONTOR_TOKEN": "x"}) == Settings()


def test_an_error_about_a_mistyped_name_suggests_the_right_one() -> None:
    assert faults_of(KONTOR_DATABSE_URL="sqlite:///x.db") == (
        "KONTOR_DATABSE_URL is not a setting; remove it or correct its name (did you mean "
        "KONTOR_DATABASE_URL?)",
    )


def test_an_error_about_an_unknown_name_lists_the_known_settings() -> None:
    (fault,) = faults_of(KONTOR_ZZZ="1")
    assert "known settings: KONTOR_DATABASE_URL, KONTOR_SECRET_KEY, KONTOR_SIGNING_KEY," in fault


def test_every_fault_is_named_at_once() -> None:
    faults = faults_of(KONTOR_POOL_SIZE="0", KONTOR_WORKERS="perhaps", KONTOR_NONSENSE="")
    assert [fault.split()[0] for fault in faults] == ["KONTOR_NONSENSE", "KONTOR_WORKERS", "KONTOR_POOL_SIZE"]


def test_a_fault_names_the_allowed_values_and_the_default() -> None:
    assert faults_of(KONTOR_POOL_SIZE="many") == (
        "KONTOR_POOL_SIZE must be a whole number between 1 and 1000; the default is 2",
    )
    assert faults_of(KONTOR_WORKERS="on") == ("KONTOR_WORKERS must be true or false; the default is true",)
    assert faults_of(KONTOR_CORS_ORIGINS="example.org")[0].endswith("the default is none")


@pytest.mark.parametrize("number", ["", "-1", "1.5", "1e3", "1001", "٣", "9" * 5000, " 4"])
def test_a_number_is_digits_within_its_bounds(number: str) -> None:
    assert len(faults_of(KONTOR_POOL_SIZE=number)) == 1


@pytest.mark.parametrize(
    "url",
    [
        "",
        "kontor.db",
        "sqlite://kontor.db",
        "sqlite:///",
        "mysql://x/y",
        "postgresql://",
        "postgresql://host",
    ],
)
def test_a_database_is_a_file_or_a_postgresql_server(url: str) -> None:
    assert "postgresql://user:password@host:port/database" in faults_of(KONTOR_DATABASE_URL=url)[0]


@pytest.mark.parametrize(
    "url",
    ["sqlite:////var/lib/kontor.db", "postgresql://u:p@h:1/d", "postgresql:///kontor?host=/run/postgresql"],
)
def test_paths_hosts_and_sockets_are_accepted(url: str) -> None:
    assert Settings.from_environ({"KONTOR_DATABASE_URL": url}).database_url == url


@pytest.mark.parametrize("key", ["", "short", "s" * 31, "ß" * 40])
def test_a_weak_secret_is_refused_without_being_repeated(key: str) -> None:
    (fault,) = faults_of(KONTOR_SECRET_KEY=key)
    assert "openssl rand -hex 32" in fault
    assert not key or key not in fault


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("KONTOR_SECRET_KEY", "CHANGE-ME-CHANGE-ME-CHANGE-ME-CHANGE-ME"),
        ("KONTOR_SECRET_KEY", "please change me please change me please"),
        ("KONTOR_SERVICE_PASSWORD", "CHANGE-ME-CHANGE-ME"),
        ("KONTOR_DATABASE_URL", "postgresql://kontor:CHANGE-ME@postgres-0:5432/kontor"),
    ],
)
def test_the_placeholder_of_an_example_is_not_accepted_as_a_secret(name: str, value: str) -> None:
    (fault,) = faults_of(**{name: value})
    assert "placeholder" in fault
    assert value not in fault


def test_passwords_and_keys_are_in_no_message_and_no_repr() -> None:
    settings = Settings(database_url="postgresql://u:hunter2@h/d", secret_key="k" * 32)
    assert not re.search("hunter2|kkkk", repr(settings))
    assert "hunter2" not in str(faults_of(KONTOR_DATABASE_URL="postgres://u:hunter2@h/d"))


KEY = "0f" * 32


def test_a_signing_key_is_taken_from_the_environment_or_a_file(tmp_path: Path) -> None:
    assert Settings.from_environ({"KONTOR_SIGNING_KEY": f"{KEY} {KEY[::-1]}"}).signing_key == (KEY, KEY[::-1])
    file = tmp_path / "signing.key"
    file.write_text(KEY + "\n", encoding="ascii")
    file.chmod(0o600)
    settings = Settings.from_environ({"KONTOR_SIGNING_KEY_FILE": str(file)})
    assert settings.signing_key_file == (KEY,)
    assert KEY not in repr(settings)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o644, 0o660])
def test_a_key_file_that_others_can_open_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "signing.key"
    file.write_text(KEY, encoding="ascii")
    file.chmod(mode)
    (fault,) = faults_of(KONTOR_SIGNING_KEY_FILE=str(file))
    assert "chmod 600" in fault


@pytest.mark.parametrize("text", ["", "0f", KEY.upper(), KEY + "0", f"{KEY} x", "ß" * 64])
def test_a_malformed_signing_key_is_refused_without_being_repeated(tmp_path: Path, text: str) -> None:
    file = tmp_path / "signing.key"
    file.write_text(text, encoding="utf-8")
    file.chmod(0o600)
    for given in ({"KONTOR_SIGNING_KEY": text}, {"KONTOR_SIGNING_KEY_FILE": str(file)}):
        (fault,) = faults_of(**given)
        assert "hex digits" in fault
        assert KEY not in fault.lower()


def test_a_missing_key_file_is_refused(tmp_path: Path) -> None:
    assert "can be read (No such file" in faults_of(KONTOR_SIGNING_KEY_FILE=str(tmp_path / "none"))[0]


def test_only_one_source_of_the_signing_key_can_be_set() -> None:
    assert faults_of(KONTOR_SIGNING_KEY=KEY, KONTOR_SIGNING_COMMAND="sign") == (
        "KONTOR_SIGNING_KEY and KONTOR_SIGNING_COMMAND exclude each other; set one of them",
    )


@pytest.mark.parametrize("command", ["", " ", "'unfinished"])
def test_a_signing_command_is_a_command_line(command: str) -> None:
    assert len(faults_of(KONTOR_SIGNING_COMMAND=command)) == 1


@pytest.mark.parametrize("role", ["", "1st", "Kontor", 'x"; DROP ROLE y', "a" * 64])
def test_a_role_has_a_plain_name(role: str) -> None:
    assert len(faults_of(KONTOR_SERVICE_ROLE=role)) == 1


@pytest.mark.parametrize("password", ["", "short", "with 'quotes' in it", "percent%percent%percent"])
def test_the_password_of_the_role_is_plain_and_long(password: str) -> None:
    (fault,) = faults_of(KONTOR_SERVICE_PASSWORD=password)
    assert not password or password not in fault


@pytest.mark.parametrize(
    "origins", ["https://example.org/path", "ftp://example.org", "https://", "null", "https://a.org,b.org"]
)
def test_an_origin_has_a_scheme_and_a_host_and_nothing_else(origins: str) -> None:
    assert len(faults_of(KONTOR_CORS_ORIGINS=origins)) == 1


def test_every_origin_can_be_allowed() -> None:
    assert Settings.from_environ({"KONTOR_CORS_ORIGINS": "*"}).cors_origins == ("*",)


def test_a_log_level_is_one_of_four() -> None:
    assert "must be one of debug, info, warning, error" in faults_of(KONTOR_LOG_LEVEL="chatty")[0]


@pytest.mark.parametrize(
    ("name", "default"),
    [
        ("KONTOR_LOG_ORIGIN", "localhost/ID/v1/log"),
        ("KONTOR_WITNESSES", "none"),
        ("KONTOR_DATABASE_URL", "sqlite:///~/.local/state/kontor/kontor.db"),
        ("KONTOR_SECRET_KEY", "none"),
        ("KONTOR_WORKERS", "true"),
    ],
)
def test_an_invalid_setting_is_refused_with_its_default(name: str, default: str) -> None:
    assert faults_of(**{name: "a b"})[0].endswith(f"; the default is {default}")


def test_the_message_lists_the_faults_line_by_line() -> None:
    error = SettingsError(["a", "b"])
    assert str(error) == "Some settings are invalid:\n- a\n- b"


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"KONTOR_SMTP_URL": "mail.internal:25"}, "must be smtp://"),
        ({"KONTOR_SMTP_URL": "smtp://mail.internal:x"}, "must be smtp://"),
        ({"KONTOR_SMTP_URL": "smtp://u:changeme@mail.internal"}, "must be smtp://"),
        ({"KONTOR_SMTP_URL": "smtp://mail.internal"}, "needs KONTOR_MAIL_FROM and KONTOR_PUBLIC_URL"),
        ({"KONTOR_MAIL_FROM": "Kontor <kontor@example.org>"}, "must be an e-mail address"),
    ],
)
def test_a_mail_server_is_given_by_its_address_with_a_sender(given: dict[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        Settings.from_environ(given)
