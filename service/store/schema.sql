-- The tables beside those of the event store, in the order in which they are created.

-- Matches: what lists and filters need; the facts themselves are in the event store
CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, status TEXT NOT NULL, private INTEGER NOT NULL,
    creator TEXT NOT NULL, bots INTEGER NOT NULL, clock INTEGER NOT NULL, created_at BIGINT NOT NULL,
    changed_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS matches_newest ON matches (created_at, id);
CREATE INDEX IF NOT EXISTS matches_by_creator ON matches (creator, status);
CREATE INDEX IF NOT EXISTS matches_by_status ON matches (status, created_at, id);
CREATE TABLE IF NOT EXISTS match_players (
    player TEXT NOT NULL, match_id TEXT NOT NULL, PRIMARY KEY (player, match_id)
);
CREATE INDEX IF NOT EXISTS match_players_by_match ON match_players (match_id);
CREATE INDEX IF NOT EXISTS matches_newest_of_creator ON matches (creator, created_at, id);
CREATE INDEX IF NOT EXISTS matches_newest_of_game ON matches (game, created_at, id);
CREATE TABLE IF NOT EXISTS match_tags (tag TEXT NOT NULL, match_id TEXT NOT NULL, PRIMARY KEY (tag, match_id));
CREATE INDEX IF NOT EXISTS match_tags_by_match ON match_tags (match_id);
CREATE TABLE IF NOT EXISTS match_expiries (match_id TEXT PRIMARY KEY, due BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS match_expiries_by_due ON match_expiries (due);

-- Players and their accounts
CREATE TABLE IF NOT EXISTS players (
    id TEXT PRIMARY KEY, name TEXT, bot INTEGER NOT NULL, created_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS player_keys (
    player TEXT PRIMARY KEY, public_key TEXT NOT NULL, created_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS player_settings (player TEXT PRIMARY KEY, invitations_from TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS bans (
    player TEXT PRIMARY KEY REFERENCES players (id), at BIGINT NOT NULL, reason TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS player_names (player TEXT PRIMARY KEY, folded TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS player_names_by_name ON player_names (folded, player);
CREATE TABLE IF NOT EXISTS registrations (address TEXT NOT NULL, at BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS registrations_by_address ON registrations (address, at);
CREATE INDEX IF NOT EXISTS registrations_by_age ON registrations (at);
CREATE TABLE IF NOT EXISTS tokens (
    id TEXT PRIMARY KEY, player TEXT NOT NULL REFERENCES players (id), hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL, scopes TEXT NOT NULL, last_four TEXT NOT NULL, created_at BIGINT NOT NULL,
    expires_at BIGINT, revoked_at BIGINT
);
CREATE INDEX IF NOT EXISTS tokens_by_player ON tokens (player);
CREATE TABLE IF NOT EXISTS token_revocations (token TEXT PRIMARY KEY, revoked_at BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS token_revocations_by_age ON token_revocations (revoked_at);
CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS token_requests (
    request TEXT PRIMARY KEY, body TEXT NOT NULL, token TEXT NOT NULL, player TEXT NOT NULL,
    created_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS token_requests_by_age ON token_requests (created_at);
CREATE INDEX IF NOT EXISTS token_requests_by_player ON token_requests (player);

-- One-time codes for other devices
CREATE TABLE IF NOT EXISTS device_codes (
    hash TEXT PRIMARY KEY, player TEXT NOT NULL, token TEXT NOT NULL, expires_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS device_codes_by_player ON device_codes (player);
CREATE TABLE IF NOT EXISTS device_parcels (
    hash TEXT PRIMARY KEY, player TEXT NOT NULL, sealed TEXT NOT NULL, expires_at BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS used_device_codes (hash TEXT PRIMARY KEY, expires_at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS device_code_tries (
    address TEXT NOT NULL, number INTEGER NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (address, number)
);
CREATE INDEX IF NOT EXISTS device_code_tries_by_age ON device_code_tries (at);

-- Keys of private matches
CREATE TABLE IF NOT EXISTS match_links (
    match_id TEXT PRIMARY KEY, generation BIGINT NOT NULL, request TEXT NOT NULL
);

-- When players were seen
CREATE TABLE IF NOT EXISTS presence (player TEXT PRIMARY KEY, seen_at BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS presence_by_time ON presence (seen_at);

-- Devices for push messages, and the calls that were sent
CREATE TABLE IF NOT EXISTS push_devices (
    player TEXT NOT NULL, device TEXT NOT NULL, endpoint TEXT NOT NULL, public_key TEXT NOT NULL,
    auth TEXT NOT NULL, language TEXT NOT NULL, created_at BIGINT NOT NULL, failures INTEGER NOT NULL,
    PRIMARY KEY (player, device)
);
CREATE INDEX IF NOT EXISTS push_devices_by_endpoint ON push_devices (endpoint);

CREATE TABLE IF NOT EXISTS sent_calls (
    player TEXT NOT NULL, match_id TEXT NOT NULL, way TEXT NOT NULL, number BIGINT NOT NULL,
    at BIGINT NOT NULL, PRIMARY KEY (player, match_id, way, number)
);
CREATE INDEX IF NOT EXISTS sent_calls_by_age ON sent_calls (at);

-- Ladders
CREATE TABLE IF NOT EXISTS rated_matches (
    match_id TEXT PRIMARY KEY, game TEXT NOT NULL, kind TEXT NOT NULL, ended_at BIGINT NOT NULL,
    players TEXT NOT NULL, places TEXT NOT NULL, counted INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS rated_matches_by_order ON rated_matches (counted, game, kind, ended_at, match_id);
CREATE TABLE IF NOT EXISTS rating_points (
    game TEXT NOT NULL, kind TEXT NOT NULL, player TEXT NOT NULL, ended_at BIGINT NOT NULL,
    match_id TEXT NOT NULL, place INTEGER NOT NULL, mean DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL, matches BIGINT NOT NULL,
    PRIMARY KEY (player, game, kind, ended_at, match_id)
);
CREATE INDEX IF NOT EXISTS rating_points_by_order ON rating_points (game, kind, ended_at, match_id);
CREATE TABLE IF NOT EXISTS ratings (
    game TEXT NOT NULL, kind TEXT NOT NULL, player TEXT NOT NULL, mean DOUBLE PRECISION NOT NULL,
    deviation DOUBLE PRECISION NOT NULL, conservative DOUBLE PRECISION NOT NULL, matches BIGINT NOT NULL,
    ended_at BIGINT NOT NULL, PRIMARY KEY (player, game, kind)
);
CREATE INDEX IF NOT EXISTS ratings_by_rank ON ratings (game, kind, conservative, player);

-- Seeks
CREATE TABLE IF NOT EXISTS seeks (
    id TEXT PRIMARY KEY, player TEXT NOT NULL, bot INTEGER NOT NULL, game TEXT NOT NULL,
    terms TEXT NOT NULL, opponents TEXT NOT NULL, request TEXT NOT NULL, created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL, status TEXT NOT NULL, turn BIGINT NOT NULL, match_id TEXT,
    changed_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS seeks_by_status ON seeks (status, created_at, id);
CREATE INDEX IF NOT EXISTS seeks_by_player ON seeks (player, status);
CREATE INDEX IF NOT EXISTS seeks_by_match ON seeks (match_id);
CREATE INDEX IF NOT EXISTS seeks_by_age ON seeks (changed_at);
CREATE TABLE IF NOT EXISTS seek_turns (seek TEXT NOT NULL, turn BIGINT NOT NULL, PRIMARY KEY (seek, turn));
CREATE TABLE IF NOT EXISTS declined_players (
    player TEXT NOT NULL, other TEXT NOT NULL, until BIGINT NOT NULL, PRIMARY KEY (player, other)
);

-- Outages and heartbeats
CREATE TABLE IF NOT EXISTS service_heartbeat (id INTEGER PRIMARY KEY, at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS heartbeat_clock (id INTEGER PRIMARY KEY, clock TEXT NOT NULL, ms BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS outages (since BIGINT PRIMARY KEY, until BIGINT NOT NULL);

-- Cursors of feeds that are too long to be sent
CREATE TABLE IF NOT EXISTS feed_positions (
    id TEXT PRIMARY KEY, player TEXT NOT NULL, positions TEXT NOT NULL, created_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS feed_positions_by_player ON feed_positions (player, created_at);

-- Signing keys
CREATE TABLE IF NOT EXISTS signing_keys (
    id TEXT PRIMARY KEY, private_key TEXT NOT NULL, public_key TEXT NOT NULL, created_at BIGINT NOT NULL
);

-- The transparency log
CREATE TABLE IF NOT EXISTS log_leaves (
    place BIGINT PRIMARY KEY, subject TEXT NOT NULL, version BIGINT, content TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS log_leaves_by_subject ON log_leaves (subject, place);
CREATE TABLE IF NOT EXISTS log_tiles (
    level INTEGER NOT NULL, place BIGINT NOT NULL, width INTEGER NOT NULL, hashes BYTEA NOT NULL,
    PRIMARY KEY (level, place, width)
);
CREATE TABLE IF NOT EXISTS log_checkpoints (
    size BIGINT PRIMARY KEY, root TEXT NOT NULL, taken_at BIGINT NOT NULL, signing_key TEXT NOT NULL,
    note TEXT NOT NULL, seen BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS log_cosignatures (
    size BIGINT NOT NULL, witness TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (size, witness)
);

-- Results of audits
CREATE TABLE IF NOT EXISTS match_audits (
    match_id TEXT PRIMARY KEY, game TEXT NOT NULL, facts BIGINT NOT NULL, problem TEXT, deal_of TEXT
);
CREATE TABLE IF NOT EXISTS counted_deals (deal TEXT PRIMARY KEY, match_id TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS draw_counts (
    game TEXT NOT NULL, stream TEXT NOT NULL, bound BIGINT NOT NULL, outcome BIGINT NOT NULL,
    times BIGINT NOT NULL, PRIMARY KEY (game, stream, bound, outcome)
);

-- Calls counted by the processes
CREATE TABLE IF NOT EXISTS limit_reports (
    process TEXT PRIMARY KEY, number BIGINT NOT NULL, at BIGINT NOT NULL, calls TEXT NOT NULL
);

-- Tournaments
CREATE TABLE IF NOT EXISTS tournaments (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, status TEXT NOT NULL, organiser TEXT NOT NULL,
    created_at BIGINT NOT NULL, changed_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS tournaments_newest ON tournaments (created_at, id);
CREATE TABLE IF NOT EXISTS tournament_players (
    player TEXT NOT NULL, tournament TEXT NOT NULL, PRIMARY KEY (player, tournament)
);
CREATE TABLE IF NOT EXISTS tournament_matches (
    match_id TEXT PRIMARY KEY, tournament TEXT NOT NULL, opened_at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS tournament_matches_by_tournament ON tournament_matches (tournament);

-- Refused moves in tournaments
CREATE TABLE IF NOT EXISTS tournament_refusals (
    match_id TEXT NOT NULL, player TEXT NOT NULL, code TEXT NOT NULL, moves BIGINT NOT NULL,
    PRIMARY KEY (match_id, player, code)
);

-- Moves of searching bots, and the processes that search them
CREATE TABLE IF NOT EXISTS bot_turns (
    match_id TEXT PRIMARY KEY, version BIGINT NOT NULL, holder TEXT NOT NULL, until BIGINT NOT NULL
);
CREATE TABLE IF NOT EXISTS bot_processes (name TEXT PRIMARY KEY, seen_at BIGINT NOT NULL);

-- Analyses of finished matches
CREATE TABLE IF NOT EXISTS match_analyses (
    match_id TEXT PRIMARY KEY, player TEXT NOT NULL, asked_at BIGINT NOT NULL, until BIGINT NOT NULL,
    result TEXT
);
CREATE INDEX IF NOT EXISTS match_analyses_due ON match_analyses (asked_at) WHERE result IS NULL;

-- Blocked players, reports about players, phrases
CREATE TABLE IF NOT EXISTS blocks (
    player TEXT NOT NULL, blocked TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (player, blocked)
);
CREATE TABLE IF NOT EXISTS reports (
    id TEXT PRIMARY KEY, player TEXT NOT NULL, reported TEXT NOT NULL, match_id TEXT,
    reason TEXT NOT NULL, text TEXT NOT NULL, at BIGINT NOT NULL, outcome TEXT, closed_at BIGINT
);
CREATE INDEX IF NOT EXISTS reports_by_player ON reports (player, at);
CREATE INDEX IF NOT EXISTS reports_by_age ON reports (at, id);
CREATE TABLE IF NOT EXISTS phrases (
    match_id TEXT NOT NULL, number INTEGER NOT NULL, player TEXT NOT NULL, seat INTEGER NOT NULL,
    phrase TEXT NOT NULL, request TEXT NOT NULL, at BIGINT NOT NULL, PRIMARY KEY (match_id, number)
);
CREATE UNIQUE INDEX IF NOT EXISTS phrases_by_request ON phrases (player, request);

-- E-mail: addresses, and hashes of those that were asked for confirmation
CREATE TABLE IF NOT EXISTS mail_addresses (
    player TEXT PRIMARY KEY, address TEXT NOT NULL, language TEXT NOT NULL, at BIGINT NOT NULL,
    asked INTEGER NOT NULL, confirmed INTEGER NOT NULL, confirm_code TEXT NOT NULL,
    stop_code TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS mail_addresses_by_confirm_code ON mail_addresses (confirm_code);
CREATE INDEX IF NOT EXISTS mail_addresses_by_stop_code ON mail_addresses (stop_code);
CREATE TABLE IF NOT EXISTS mail_requests (mailbox TEXT NOT NULL, player TEXT NOT NULL, at BIGINT NOT NULL);
CREATE INDEX IF NOT EXISTS mail_requests_by_age ON mail_requests (at);

-- Recovery phrases: a keyed hash of one half, and keys encrypted with the other
CREATE TABLE IF NOT EXISTS recoveries (
    hash TEXT PRIMARY KEY, player TEXT NOT NULL, sealed TEXT, at BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS recoveries_by_player ON recoveries (player);
