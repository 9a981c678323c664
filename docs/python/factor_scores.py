"""Research Factor Score API in Polars frames: one file, Python 3.10 or later, with Polars as the only package.

    from factor_scores import Client
    api = Client()                                   # SCOREFRAME_API_KEY and SCOREFRAME_URL
    api.scores("ecpnd")                              # latest; at="2026-11-19T15:00:00Z" or snapshot_id="..." for others
    api.history("ecqdi")                             # verified release, downloaded once

Provenance stands in columns of each frame. A failure is an exception and never an empty frame; text such as `NA` or
`1E5` stays text; null stays null. The rules are those of the API document, whose sections are named at the code.
"""
from __future__ import annotations

import calendar
import gzip
import hashlib
import http.client
import json
import os
import re
import ssl
import tempfile
import time
import urllib.parse
from datetime import date, datetime, timezone
from pathlib import Path

import polars as pl

try:
    import fcntl
except ImportError:  # Windows has none: there, one process at a time is to download
    fcntl = None

FACTORS = ("ecpnd", "ecqdi")
TICKER = re.compile(r"[A-Z0-9.\-]{1,16}")
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
KEY = re.compile(r"[!-~]{8,}")
SCORE = re.compile(r"(0|1)(\.\d+)?([eE]-?\d+)?|")
MINUTE_S = 65
TRANSFER_S, IDLE_S, PLAIN_S = 120, 30, 20  # section 8


class FactorError(Exception):
    """Base of all errors of this file; the message never holds the key."""


class RefusedError(FactorError):
    """The service refused; `status` and `code` say why (section 7)."""

    status: int = 0
    code: str | None = None


class WaitError(RefusedError):
    """The service asks for a longer wait than `max_wait`: `wait` in seconds, `retry_at` in Unix seconds."""

    wait: int = 0
    retry_at: float = 0


class ContractError(FactorError):
    """An answer, or a file, that is not what the API document promises."""


class Client:
    """One key at one address: the service, an embedded server, or a relay.

    `max_wait` is the longest time in seconds that a call waits because the service asks for it; `folder` keeps releases.
    """

    def __init__(self, key=None, url=None, folder=None, max_wait=MINUTE_S, now=time.time, sleep=time.sleep):
        self._key = key or os.environ.get("SCOREFRAME_API_KEY", "")
        address = url or os.environ.get("SCOREFRAME_URL", "")
        if not KEY.fullmatch(self._key):
            raise FactorError("Cannot connect: expected a key of printable characters without spaces; set SCOREFRAME_API_KEY")
        self._url = urllib.parse.urlsplit(address)
        if self._url.scheme not in ("http", "https") or not self._url.hostname or self._url.username:
            raise FactorError(f"Cannot connect: expected an address such as https://example.com, got {address!r}; set SCOREFRAME_URL")
        own = self._url.hostname in ("localhost", "127.0.0.1", "::1")
        if self._url.scheme == "http" and self._key.startswith("svc_live_") and not own:
            raise FactorError(f"Cannot connect: a production key would travel in plain text to {self._url.hostname}; use https")
        self._folder = Path(folder or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "factor_scores"
        self._max_wait, self._now, self._sleep = max_wait, now, sleep

    def factors(self) -> pl.DataFrame:
        """Licensed factors, one row each: factor, score_name, factor_version. One request (section 4.2)."""
        body, _ = self._json("/v1/factors")
        names = ("factor", "score_name", "factor_version")
        rows = [{name: _text(entry, name) for name in names} for entry in _get(body, "factors", list)]
        return pl.DataFrame(rows, schema={name: pl.String for name in names})

    def scores(self, factor="ecpnd", at=None, snapshot_id=None) -> pl.DataFrame:
        """One score set, a row for each ticker in alphabetical order (section 4.3). One request.

        Columns: ticker; the score (f64 from 0 to 1, null without an eligible value); nine columns of provenance, `source`
        and `retrieved_at`. `at` is an instant with a time zone. A future instant and an unknown set are refused.
        """
        if at is not None and not INSTANT.fullmatch(at):
            raise FactorError(f"Cannot load {factor}: expected an instant with a time zone such as 2026-11-19T15:00:00Z, got {at!r}")
        query = {"factor": _factor(factor), "at": at, "snapshot_id": snapshot_id}
        body, headers = self._json("/v1/scores", {name: value for name, value in query.items() if value is not None})
        column = f"{factor}_score"
        facts = {name: _text(body, name) for name in ("factor", "factor_version", "universe", "snapshot_id", "status")}
        _expect(facts["factor"] == factor and body.get("score_name") == column, f"scores of {factor}", facts["factor"])
        _expect(snapshot_id is None or facts["snapshot_id"] == snapshot_id.lower(), f"the set {snapshot_id}", facts["snapshot_id"])
        times = {name: _instant(_text(body, name)) for name in ("calculated_at", "last_checked_at", "data_through")}
        if at is not None:
            _expect(times["last_checked_at"] <= _instant(at), f"a check not after {at}", times["last_checked_at"])
        tickers, values = _rows(_get(body, "scores", list), column)
        _expect(_get(_get(body, "coverage", dict), "tickers", int) == len(tickers), "as many rows as coverage states", len(tickers))
        frame = pl.DataFrame({"ticker": pl.Series(tickers, dtype=pl.String), column: pl.Series(values, dtype=pl.Float64)})
        order = ("factor", "factor_version", "universe", "snapshot_id", "calculated_at", "last_checked_at", "data_through", "status")
        known = {**facts, **times}
        prices = date.fromisoformat(_text(body, "prices_through"))
        return frame.with_columns(
            *[pl.lit(known[name]).alias(name) for name in order], pl.lit(prices).alias("prices_through"), *self._receipt(headers)
        )

    def release(self, factor="ecpnd") -> dict:
        """Metadata of the historical release (section 4.4), unknown fields kept. One request."""
        body, headers = self._json("/v1/scores/history", {"factor": _factor(factor)})
        sha256, path = _text(body, "download_sha256").lower(), _text(body, "download")
        _expect(re.fullmatch(r"[0-9a-f]{64}", sha256), "a SHA-256", sha256)
        _expect(path.startswith("/v1/scores/"), "a path that begins with /v1/scores/", path)
        return {**body, "download_sha256": sha256, "source": self._source(headers)}

    def history(self, factor="ecpnd") -> pl.DataFrame:
        """The historical release, a row for each session and ticker, verified before a row is seen (section 2.6).

        One request, and one download if `folder` does not have the file. Columns: date (US session), ticker, the score,
        factor, factor_version, universe, download_sha256, availability, source.
        """
        release = self.release(factor)
        self._folder.mkdir(parents=True, exist_ok=True)
        with open(self._folder / "download.lock", "w") as lock:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX)  # one download at a time, of all processes (section 8)
            content = self._stored(release)
            if content is None and self._download(release) != release["download_sha256"]:
                # The release may have changed in between: fresh metadata, and one more transfer only if so (section 4.5).
                fresh = self.release(factor)
                same = fresh["download_sha256"] == release["download_sha256"]
                if same or (self._stored(fresh) is None and self._download(fresh) != fresh["download_sha256"]):
                    raise ContractError(f"Cannot load the release of {factor}: the file differs from its SHA-256; nothing was kept")
                release = fresh
        frame = _parse_release(self._stored(release) if content is None else content, f"{factor}_score", release)
        facts = ("factor_version", "universe", "download_sha256", "availability", "source")
        labels = {"factor": factor, **{name: release.get(name) for name in facts}}
        return frame.with_columns(*[pl.lit(None if value is None else str(value), dtype=pl.String).alias(name) for name, value in labels.items()])

    # A release is kept under its SHA-256, and read only if it still has it.
    def _path(self, release) -> Path:
        return self._folder / f"{release['download_sha256']}.csv.gz"

    def _stored(self, release) -> bytes | None:
        try:
            content = self._path(release).read_bytes()
        except FileNotFoundError:
            return None
        return content if hashlib.sha256(content).hexdigest() == release["download_sha256"] else None

    def _download(self, release) -> str:
        """Transfers the file and returns its SHA-256; keeps it only if that is right. Never repeated by itself."""
        handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as part:
                sha256 = self._transfer(release["download"], part)
                part.flush()
                os.fsync(part.fileno())
            if sha256 == release["download_sha256"]:
                os.replace(name, self._path(release))
            return sha256
        finally:
            Path(name).unlink(missing_ok=True)

    def _transfer(self, target, part) -> str:
        deadline, digest = self._now() + TRANSFER_S, hashlib.sha256()
        try:
            answer, connection = self._send(target, IDLE_S)
            if answer.status != 200:
                raise self._refusal(target, answer, answer.read())
            expected = answer.getheader("Content-Length")
            while block := answer.read(1 << 20):
                if self._now() > deadline:
                    raise FactorError("Cannot load the release: the transfer took more than 120 seconds; nothing was kept")
                digest.update(block)
                part.write(block)
            connection.close()
        except (OSError, http.client.HTTPException) as error:
            raise FactorError(f"Cannot load the release: the transfer broke off ({type(error).__name__}); nothing was kept") from error
        if expected is not None and part.tell() != int(expected):
            raise FactorError(f"Cannot load the release: expected {expected} bytes, got {part.tell()}; nothing was kept")
        return digest.hexdigest()

    def _json(self, path, query=None):
        target = path if query is None else f"{path}?{urllib.parse.urlencode(query)}"
        lost, waited = 0, 0
        while True:
            try:
                answer, connection = self._send(target, PLAIN_S)
                body = answer.read()
                connection.close()
            except (OSError, http.client.HTTPException) as error:
                lost += 1
                if lost > 2:
                    raise FactorError(f"Cannot load {path}: {self._url.hostname} did not answer ({type(error).__name__})") from error
                self._sleep(lost)
                continue
            if answer.status == 200:
                kind = answer.getheader("Content-Type", "")
                _expect(kind.startswith("application/json"), "JSON", kind)
                return _parse_json(body), answer.headers
            error = self._refusal(path, answer, body)
            # Never sooner than `Retry-After`; a longer wait than `max_wait` in all is an error that says when (section 7).
            if not isinstance(error, WaitError) or waited + error.wait > self._max_wait:
                raise error
            waited += error.wait
            self._sleep(error.wait)

    def _refusal(self, path, answer, body) -> FactorError:
        said = {}
        if answer.getheader("Content-Type", "").startswith("application/json"):
            said = json.loads(body or b"{}")
        code = said.get("error") if isinstance(said, dict) else None
        asked = answer.getheader("Retry-After", "")
        must_wait = answer.status in (429, 503) and re.fullmatch(r"\d{1,9}", asked)
        text = f"Cannot load {path}: the service refused with {answer.status} {code or ''} (request {answer.getheader('X-Request-Id')})"
        error = (WaitError if must_wait else RefusedError)(text.replace(self._key, "svc_…") + (f"; wait {asked} s" if must_wait else ""))
        error.status, error.code = answer.status, code
        if must_wait:
            error.wait = max(1, int(asked))
            error.retry_at = self._now() + error.wait
        return error

    def _send(self, target, timeout):
        """One GET. Redirects are not followed, so that the key goes nowhere else (section 5)."""
        https = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if https else http.client.HTTPConnection
        more = {"context": ssl.create_default_context()} if https else {}
        connection = kind(self._url.hostname, self._url.port, timeout=timeout, **more)
        headers = {"Authorization": f"Bearer {self._key}", "Accept-Encoding": "identity"}
        connection.request("GET", self._url.path.rstrip("/") + target, headers=headers)
        return connection.getresponse(), connection

    def _source(self, headers) -> str:
        mark = " (synthetic)" if headers.get("X-Scoreframe-Synthetic") == "true" else ""
        return f"{self._url.scheme}://{self._url.netloc}{mark}"

    def _receipt(self, headers):
        at = datetime.fromtimestamp(self._now(), timezone.utc)
        return pl.lit(self._source(headers)).alias("source"), pl.lit(at).dt.cast_time_unit("ms").alias("retrieved_at")


def _rows(entries, column):
    tickers, values = [], []
    for entry in entries:
        _expect(isinstance(entry, dict) and entry.keys() == {"ticker", column}, f"rows of ticker and {column}", entry)
        ticker, value = entry["ticker"], entry[column]
        _expect(isinstance(ticker, str) and TICKER.fullmatch(ticker), "a ticker", ticker)
        _expect(not tickers or tickers[-1] < ticker, "tickers in alphabetical order, each once", ticker)
        if value is not None:
            _expect(type(value) in (int, float) and 0 <= value <= 1, "a score from 0 to 1, or null", value)
        tickers.append(ticker)
        values.append(None if value is None else float(value))
    return tickers, values


def _parse_release(content, column, release) -> pl.DataFrame:
    try:
        text = gzip.decompress(content).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ContractError("Cannot read the release: expected UTF-8 text in gzip") from error
    _expect(text.endswith("\n"), "a last line with its end", text[-40:])
    header, *lines = text.replace("\r\n", "\n")[:-1].split("\n")
    _expect(header == f"date,ticker,{column}", f"the columns date,ticker,{column}", header)
    rows = [line.split(",") for line in lines]
    for row in rows:
        _expect(len(row) == 3 and TICKER.fullmatch(row[1]) and SCORE.fullmatch(row[2]), "date, ticker and score", row)
    sessions = {text: _session(text) for text in {row[0] for row in rows}}
    values = [float(row[2]) if row[2] else None for row in rows]
    _expect(all(value is None or 0 <= value <= 1 for value in values), "scores from 0 to 1", "one outside")
    frame = pl.DataFrame({
        "date": pl.Series([sessions[row[0]] for row in rows], dtype=pl.Date),
        "ticker": pl.Series([row[1] for row in rows], dtype=pl.String),
        column: pl.Series(values, dtype=pl.Float64),
    })
    _expect(not frame.select("date", "ticker").is_duplicated().any(), "each ticker once a session", "one twice")
    missing = frame[column].null_count()
    counted = {"rows": frame.height, "sessions": len(sessions), "tickers": frame["ticker"].n_unique(),
               "missing_rows": missing, "scored_rows": frame.height - missing}
    for name, count in counted.items():
        if release.get(name) is not None:
            _expect(int(release[name]) == count, f"{release[name]} {name} as the metadata states", count)
    return frame


def _parse_json(body):
    def once(pairs):
        _expect(len({name for name, _ in pairs}) == len(pairs), "each field once", [name for name, _ in pairs][:20])
        return dict(pairs)

    def no_constant(text):
        raise ContractError(f"Cannot read the answer: expected numbers, got {text}")

    try:
        value = json.loads(body, object_pairs_hook=once, parse_constant=no_constant)
    except ValueError as error:
        raise ContractError("Cannot read the answer: expected JSON") from error
    _expect(isinstance(value, dict), "an object", value)
    return value


def _get(body, name, kind):
    value = body.get(name) if isinstance(body, dict) else None
    _expect(isinstance(value, kind) and not isinstance(value, bool), f"{name} of the type {kind.__name__}", value)
    return value


def _text(body, name) -> str:
    return _get(body, name, str)


def _instant(text) -> datetime:
    _expect(INSTANT.fullmatch(text), "an instant with a time zone", text)
    return datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(timezone.utc)


def _session(text) -> date:
    _expect(re.fullmatch(r"\d{4}-\d\d-\d\d", text), "a date YYYY-MM-DD", text)
    year, month, day = map(int, text.split("-"))
    _expect(1 <= month <= 12 and 1 <= day <= calendar.monthrange(year, month)[1], "a date of the calendar", text)
    return date(year, month, day)


def _factor(factor) -> str:
    if factor not in FACTORS:
        raise FactorError(f"Cannot load: expected the factor ecpnd or ecqdi, got {factor!r}")
    return factor


def _expect(holds, wanted, got):
    if not holds:
        raise ContractError(f"Cannot read the answer: expected {wanted}, got {str(got)[:80]!r}")
