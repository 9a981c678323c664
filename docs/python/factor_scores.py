"""Research Factor Score API in Polars frames: one module, Python 3.10 or later, with Polars as the only package.

    from factor_scores import Client
    api = Client()                                   # SCOREFRAME_API_KEY and SCOREFRAME_URL; HTTPS_PROXY is read, too
    api.scores("ecpnd")                              # latest; at="2026-11-19T15:00:00Z" or snapshot_id="..." for others
    api.history("ecqdi")                             # verified release, downloaded once
    api.history("ecqdi").to_pandas()                 # with pandas and pyarrow: pip install ".[pandas]"
    api.allowance                                    # what is left, as the last answer said

Provenance stands in columns of each frame. A failure is an exception and never an empty frame; text such as `NA` or
`1E5` stays text; null stays null. The rules are those of the API document, whose sections are named at the code.
"""
from __future__ import annotations

import base64
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
import urllib.request
import warnings
import zlib
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import polars as pl

try:
    import fcntl
except ImportError:  # Windows has none: there, one process at a time is to download
    fcntl = None

FACTORS = ("ecpnd", "ecqdi")
TICKER = "[A-Z0-9.-]{1,16}"
INSTANT = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?([Zz]|([+-])([0-9]{2}):([0-9]{2}))")
KEY = re.compile(r"[!-~]{8,}")
SCORE = r"(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"  # a number of JSON without a sign
MINUTE_S, OUTAGE_S = 65, 10
TRANSFER_S, IDLE_S, PLAIN_S = 120, 30, 20  # section 8


class FactorError(Exception):
    """Base of all errors of this module; none of its texts holds the key.

    `message`: the sentence of the service or relay, or this module's own; `status`, `code`, `details`, `request_id`: as answered,
    or None; `retry_at`: the time from which on another try makes sense, in UTC, or None.
    """

    def __init__(self, text, message=None, **facts):
        super().__init__(text)
        self.message = message or text
        self.status: int | None = facts.get("status")
        self.code: str | None = facts.get("code")
        self.details: object = facts.get("details")
        self.request_id: str | None = facts.get("request_id")
        self.retry_at: datetime | None = facts.get("retry_at")


class RefusedError(FactorError):
    """The service refused; `status` and `code` say why (section 7)."""


class WaitError(RefusedError):
    """The service asks for a longer wait than `max_wait`, until `retry_at`."""

    wait: int = 0


class ContractError(FactorError):
    """An answer, or a file, that is not what the API document promises."""


class UnreachableError(FactorError):
    """No answer: no connection, or one that broke off."""


class DiskError(FactorError):
    """The folder of the releases cannot be made, read or written, or is full."""


class Client:
    """One key at one address: the service, an embedded server, or a relay.

    `max_wait` is the longest time in seconds that a call waits because the service asks for it, in an outage at most ten
    seconds; `folder` keeps releases.
    """

    def __init__(self, key=None, url=None, folder=None, max_wait=MINUTE_S, now=time.time, sleep=time.sleep):
        self._key = key or os.environ.get("SCOREFRAME_API_KEY", "")
        address = url or os.environ.get("SCOREFRAME_URL", "")
        if not KEY.fullmatch(self._key):
            raise FactorError("Cannot connect: expected a key of printable characters without spaces; set SCOREFRAME_API_KEY")
        try:
            self._url = urllib.parse.urlsplit(address)
            is_address = self._url.scheme in ("http", "https") and self._url.hostname and not self._url.username
            self._port = self._url.port or (443 if self._url.scheme == "https" else 80)
        except ValueError:
            is_address = False
        if not is_address:
            raise FactorError(f"Cannot connect: expected an address such as https://example.com, got {address!r}; set SCOREFRAME_URL")
        self._is_own = self._url.hostname in ("localhost", "127.0.0.1", "::1")
        if self._url.scheme == "http" and self._key.startswith("svc_live_") and not self._is_own:
            raise FactorError(f"Cannot connect: a production key would travel in plain text to {self._url.hostname}; use https")
        self._folder = Path(folder or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "factor_scores"
        self._max_wait, self._now, self._sleep = max_wait, now, sleep
        self._allowance: dict = {}

    @property
    def allowance(self) -> dict:
        """What the account may still spend, as the last answers said: minute, day and downloads, each with limit, remaining and
        reset (a datetime). Empty before the first answer; costs nothing (section 4.1)."""
        return {name: dict(left) for name, left in self._allowance.items()}

    def factors(self) -> pl.DataFrame:
        """Licensed factors, one row each: factor, score_name, factor_version. One request (section 4.2)."""
        body, _ = self._json("/v1/factors")
        names = ("factor", "score_name", "factor_version")
        rows = [{name: _text(entry, name) for name in names} for entry in _get(body, "factors", list)]
        return pl.DataFrame(rows, schema={name: pl.String for name in names})

    def scores(self, factor="ecpnd", at=None, snapshot_id=None) -> pl.DataFrame:
        """One score set, a row for each ticker in alphabetical order (section 4.3). One request.

        Columns: ticker; the score (f64 from 0 to 1, null without an eligible value); nine columns of provenance, `source`
        and `retrieved_at`. `at` is an instant with a time zone, as text or datetime; a date is its beginning in UTC. A future
        instant and an unknown set are refused.
        """
        asked = None if at is None else _asked(factor, at)
        text = None if asked is None else asked.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if snapshot_id is not None and not isinstance(snapshot_id, str):
            raise FactorError(f"Cannot load {factor}: expected the id of a set as text, got {snapshot_id!r}")
        query = {"factor": _factor(factor), "at": text, "snapshot_id": snapshot_id}
        body, headers = self._json("/v1/scores", {name: value for name, value in query.items() if value is not None})
        column = f"{factor}_score"
        facts = {name: _text(body, name) for name in ("factor", "factor_version", "universe", "snapshot_id", "status")}
        _expect(facts["factor"] == factor and body.get("score_name") == column, f"scores of {factor}", facts["factor"])
        _expect(snapshot_id is None or facts["snapshot_id"] == snapshot_id.lower(), f"the set {snapshot_id}", facts["snapshot_id"])
        times = {name: _instant(_text(body, name)) for name in ("calculated_at", "last_checked_at", "data_through")}
        if asked is not None:
            _expect(times["last_checked_at"] <= asked, f"a check not after {text}", times["last_checked_at"])
        tickers, values = _rows(_get(body, "scores", list), column)
        _expect(_get(_get(body, "coverage", dict), "tickers", int) == len(tickers), "as many rows as coverage states", len(tickers))
        frame = pl.DataFrame({"ticker": pl.Series(tickers, dtype=pl.String), column: pl.Series(values, dtype=pl.Float64)})
        order = ("factor", "factor_version", "universe", "snapshot_id", "calculated_at", "last_checked_at", "data_through", "status")
        known = {**facts, **times}
        prices = _session(_text(body, "prices_through"))
        return frame.with_columns(
            *[pl.lit(known[name]).alias(name) for name in order], pl.lit(prices).alias("prices_through"), *self._receipt(headers)
        )

    def release(self, factor="ecpnd") -> dict:
        """Metadata of the historical release (section 4.4), unknown fields kept. One request."""
        body, headers = self._json("/v1/scores/history", {"factor": _factor(factor)})
        sha256, path = _text(body, "download_sha256").lower(), _text(body, "download")
        _expect(re.fullmatch(r"[0-9a-f]{64}", sha256), "a SHA-256", sha256)
        _expect(re.fullmatch(r"/v1/scores/[!-~]*", path), "a path that begins with /v1/scores/", path)
        return {**body, "download_sha256": sha256, "source": self._source(headers)}

    def history(self, factor="ecpnd") -> pl.DataFrame:
        """The historical release, a row for each session and ticker, verified before a row is seen (section 2.6).

        One request; if `folder` does not have the file, another one for its size and one download. Columns: date (US session),
        ticker, the score, factor, factor_version, universe, download_sha256, availability, source.
        """
        release = self.release(factor)
        with _on_disk(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = open(self._folder / "download.lock", "w")
        with lock:
            with _on_disk(self._folder):
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
        with _on_disk(self._folder):
            try:
                content = self._path(release).read_bytes()
            except FileNotFoundError:
                return None
        return content if hashlib.sha256(content).hexdigest() == release["download_sha256"] else None

    def _download(self, release) -> str:
        """Transfers the file and returns its SHA-256; keeps it only if that is right. Never repeated by itself."""
        with _on_disk(self._folder):
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as part:
                # A request for the size spends no download; a disk without room for it is told before one is spent.
                _, headers = self._answer(release["download"], method="HEAD", timeout=PLAIN_S)
                length = headers.get("Content-Length", "")
                if length.isdigit() and int(length) > 0 and hasattr(os, "posix_fallocate"):
                    with _on_disk(self._folder):
                        os.posix_fallocate(part.fileno(), 0, int(length))
                sha256 = self._transfer(release["download"], part)
                with _on_disk(self._folder):
                    part.truncate()
                    part.flush()
                    os.fsync(part.fileno())
            if sha256 == release["download_sha256"]:
                with _on_disk(self._folder):
                    os.replace(name, self._path(release))
            return sha256
        finally:
            Path(name).unlink(missing_ok=True)

    def _transfer(self, target, part) -> str:
        digest = hashlib.sha256()

        def keep(answer):
            deadline, expected = self._now() + TRANSFER_S, answer.getheader("Content-Length")
            while block := answer.read(1 << 20):
                if self._now() > deadline:
                    raise UnreachableError("Cannot load the release: the transfer took more than 120 seconds; nothing was kept")
                digest.update(block)
                with _on_disk(self._folder):
                    part.write(block)
            if expected is not None and part.tell() != int(expected):
                raise UnreachableError(f"Cannot load the release: expected {expected} bytes, got {part.tell()}; nothing was kept")

        self._answer(target, timeout=IDLE_S, read=keep, tries=1)
        return digest.hexdigest()

    def _json(self, path, query=None):
        body, headers = self._answer(path if query is None else f"{path}?{urllib.parse.urlencode(query)}", timeout=PLAIN_S, tries=3)
        kind = headers.get("Content-Type", "")
        _expect(kind.startswith("application/json"), "JSON", kind)
        return _parse_json(body), headers

    def _answer(self, target, timeout, method="GET", read=lambda answer: answer.read(), tries=3):
        """One answer of 200. A connection that fails is tried again, a refusal waited for as long as it says (section 7)."""
        path, lost, waited = target.split("?")[0], 0, 0
        while True:
            try:
                answer, connection = self._send(method, target, timeout)
                self._note(answer.headers)
                body = read(answer) if answer.status == 200 else answer.read(1 << 20)
                connection.close()
            except (OSError, http.client.HTTPException, ValueError) as error:
                lost += 1
                if lost >= tries:
                    raise UnreachableError(
                        f"Cannot load {path}: {self._url.hostname} did not answer, or the transfer broke off "
                        f"({type(error).__name__}); nothing was kept"
                    ) from error
                self._sleep(lost)
                continue
            if answer.status == 200:
                return body, answer.headers
            error = self._refusal(path, answer, body)
            # Never sooner than `Retry-After`; a longer wait than `max_wait` in all is an error that says when.
            longest = self._max_wait if answer.status == 429 else min(self._max_wait, OUTAGE_S)
            if not isinstance(error, WaitError) or waited + error.wait > longest:
                raise error
            warnings.warn(f"Waiting for {error.wait} s: {error.message}", stacklevel=4)
            waited += error.wait
            self._sleep(error.wait)

    def _note(self, headers):
        for name, header in (("minute", "RateLimit"), ("day", "DailyLimit"), ("downloads", "DownloadLimit")):
            texts = [headers.get(f"X-{header}-{part}", "") for part in ("Limit", "Remaining", "Reset")]
            if all(re.fullmatch("[0-9]{1,11}", text) for text in texts):
                limit, remaining, reset = map(int, texts)
                self._allowance[name] = {"limit": limit, "remaining": remaining, "reset": datetime.fromtimestamp(reset, timezone.utc)}

    def _refusal(self, path, answer, body) -> FactorError:
        try:
            said = json.loads(body.decode().replace(self._key, "svc_…"))
        except ValueError:  # of a proxy, or cut off: the status says what is known
            said = None
        said = said if isinstance(said, dict) else {}
        code, message = (said.get(name) if isinstance(said.get(name), str) else None for name in ("error", "message"))
        asked = answer.getheader("Retry-After", "")
        wait = max(1, int(asked)) if answer.status in (429, 503) and re.fullmatch(r"[0-9]{1,9}", asked) else None
        retry_at = None if wait is None else datetime.fromtimestamp(self._now(), timezone.utc) + timedelta(seconds=wait)
        request_id = (answer.getheader("X-Request-Id") or "").replace(self._key, "svc_…") or None
        text = f"Cannot load {path}: {message or 'the service refused'} ({answer.status} {code or answer.reason}, request {request_id})"
        if said.get("details"):
            text += f"; {json.dumps(said['details'])[:300]}"
        if retry_at is not None:
            text += f"; wait until {retry_at:%Y-%m-%d %H:%M:%S} UTC"
        error = (RefusedError if wait is None else WaitError)(
            text, message, status=answer.status, code=code, details=said.get("details"), request_id=request_id, retry_at=retry_at
        )
        if wait is not None:
            error.wait = wait
        return error

    def _send(self, method, target, timeout):
        """One request. Redirects are not followed, so that the key goes nowhere else (section 5)."""
        https = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if https else http.client.HTTPConnection
        more = {"context": ssl.create_default_context()} if https else {}
        headers = {"Authorization": f"Bearer {self._key}", "Accept-Encoding": "identity"}
        path = self._url.path.rstrip("/") + target
        host = self._url.hostname
        through = None if self._is_own or urllib.request.proxy_bypass(host) else urllib.request.getproxies().get(self._url.scheme)
        if through is None:
            connection = kind(host, self._port, timeout=timeout, **more)
        else:
            proxy = urllib.parse.urlsplit(through if "//" in through else f"http://{through}")
            login = urllib.parse.unquote(f"{proxy.username}:{proxy.password or ''}") if proxy.username else None
            known = {} if login is None else {"Proxy-Authorization": "Basic " + base64.b64encode(login.encode()).decode()}
            connection = kind(proxy.hostname, proxy.port or 80, timeout=timeout, **more)
            if https:
                connection.set_tunnel(host, self._port, known)
            else:
                headers, path = {**headers, **known}, f"http://{self._url.netloc}{path}"
        connection.request(method, path, headers=headers)
        return connection.getresponse(), connection

    def _source(self, headers) -> str:
        mark = " (synthetic)" if headers.get("X-Scoreframe-Synthetic") == "true" else ""
        return f"{self._url.scheme}://{self._url.netloc}{mark}"

    def _receipt(self, headers):
        at = datetime.fromtimestamp(self._now(), timezone.utc)
        return pl.lit(self._source(headers)).alias("source"), pl.lit(at).dt.cast_time_unit("ms").alias("retrieved_at")


class _on_disk:
    """Errors of the system within are those of a folder."""

    def __init__(self, folder):
        self._folder = folder

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if isinstance(error, OSError):
            raise DiskError(f"Cannot use {self._folder}: {error.strerror or error}; pass another folder, or make room") from error


def verified_files(table, version=None) -> list[str]:
    """Files of a table that scoreframe exported, as a Delta log names them, after comparing each with its SHA-256:
    `polars.read_parquet(verified_files("DATASET/scores"))`. `version` is that of the table; the newest by default."""
    files: dict[str, str] = {}
    with _on_disk(table):
        logs = sorted(Path(table, "_delta_log").glob("[0-9]*.json"))
        _expect(logs, f"a Delta table in {table}", "no log")
        for log in logs if version is None else logs[: version + 1]:
            for line in log.read_text(encoding="utf-8").splitlines():
                action = json.loads(line)
                if "remove" in action:
                    files.pop(action["remove"]["path"], None)
                elif "add" in action:
                    files[action["add"]["path"]] = action["add"]["tags"]["sha256"]
        paths = {str(Path(table, name)): sha256 for name, sha256 in files.items()}
        for path, sha256 in paths.items():
            _expect(hashlib.sha256(Path(path).read_bytes()).hexdigest() == sha256, f"the SHA-256 {sha256} of {path}", "another")
    return list(paths)


def _rows(entries, column):
    tickers, values = [], []
    for entry in entries:
        _expect(isinstance(entry, dict) and entry.keys() == {"ticker", column}, f"rows of ticker and {column}", entry)
        ticker, value = entry["ticker"], entry[column]
        _expect(isinstance(ticker, str) and re.fullmatch(TICKER, ticker), "a ticker", ticker)
        _expect(not tickers or tickers[-1] < ticker, "tickers in alphabetical order, each once", ticker)
        if value is not None:
            _expect(type(value) in (int, float) and 0 <= value <= 1, "a score from 0 to 1, or null", value)
        tickers.append(ticker)
        values.append(None if value is None else float(value))
    return tickers, values


def _read_text(content, column) -> pl.DataFrame:
    """The three columns as text, so that nothing is guessed. Polars fills up short rows and drops line ends, so bytes are counted."""
    try:
        rows = pl.read_csv(content, infer_schema=False, quote_char=None)
    except (pl.exceptions.PolarsError, OSError) as error:
        raise ContractError("Cannot read the release: expected UTF-8 text of three columns in gzip") from error
    _expect(rows.columns == ["date", "ticker", column], f"the columns date,ticker,{column}", ",".join(rows.columns))
    fields = rows.select(pl.all().str.len_bytes().sum()).row(0)
    # Two commas and a line end in each row and in the header; gzip ends with the size of what it holds.
    told = sum(fields) + len("".join(rows.columns)) + 3 * (rows.height + 1)
    if told % 2**32 == int.from_bytes(content[-4:], "little"):
        return rows
    try:
        text = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise ContractError("Cannot read the release: expected a file in gzip") from error
    plain = text.replace(b"\r\n", b"\n")
    _expect(len(plain) != len(text), "a date, a ticker and a score in each row, and the end of the last one", text[-40:])
    return _read_text(gzip.compress(plain, 1), column)


def _parse_release(content, column, release) -> pl.DataFrame:
    rows = _read_text(content, column)
    sessions, tickers = rows["date"].unique(), rows["ticker"].unique()
    for session in sessions:
        _session(session or "")
    wrong = tickers.filter(~tickers.str.contains(f"^{TICKER}$").fill_null(False))
    _expect(wrong.is_empty(), "a ticker", wrong.head(1).to_list())
    score = pl.col(column)
    wrong = rows.lazy().filter(~score.str.contains(f"^{SCORE}$")).head(1).collect()
    _expect(wrong.is_empty(), "a score", wrong.rows())
    frame = rows.select(
        pl.col("date").str.to_date("%Y-%m-%d"), "ticker", score.cast(pl.Float64)
    )
    del rows
    largest = frame[column].max()
    _expect(largest is None or largest <= 1, "scores from 0 to 1", largest)
    before = pl.col("date").shift(1), pl.col("ticker").shift(1)
    follows = (pl.col("date") > before[0]) | ((pl.col("date") == before[0]) & (pl.col("ticker") > before[1]))
    if not frame.select(follows.fill_null(True).all()).item():
        _expect(not frame.select("date", "ticker").is_duplicated().any(), "each ticker once a session", "one twice")
    missing = frame[column].null_count()
    counted = {"rows": frame.height, "sessions": len(sessions), "tickers": len(tickers),
               "missing_rows": missing, "scored_rows": frame.height - missing}
    for name, count in counted.items():
        if release.get(name) is not None:
            _expect(str(release[name]) == str(count), f"{release[name]} {name} as the metadata states", count)
    return frame


def _parse_json(body):
    def once(pairs):
        _expect(len({name for name, _ in pairs}) == len(pairs), "each field once", [name for name, _ in pairs][:20])
        return dict(pairs)

    def no_constant(text):
        raise ContractError(f"Cannot read the answer: expected numbers, got {text}")

    try:
        value = json.loads(body, object_pairs_hook=once, parse_constant=no_constant)
    except (ValueError, RecursionError) as error:
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
    """An instant of RFC 3339 in UTC; digits beyond the millisecond are cut off, and a leap second is the one before."""
    match = INSTANT.fullmatch(text)
    _expect(match, "an instant with a time zone", text)
    *parts, fraction, _, sign, hours, minutes = match.groups()
    year, month, day, hour, minute, second = map(int, parts)
    try:
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        _expect(int(hours or 0) <= 23 and int(minutes or 0) <= 59, "an offset of less than a day", text)
        local = datetime(year, month, day, hour, minute, min(second, 59) if second == 60 else second, tzinfo=timezone.utc)
        moment = local - offset if sign == "+" else local + offset
    except (ValueError, OverflowError) as error:
        raise ContractError(f"Cannot read the answer: expected an instant that exists, got {text[:80]!r}") from error
    _expect(second != 60 or (moment.hour, moment.minute) == (23, 59), "an instant that exists", text)
    return moment + timedelta(milliseconds=int((fraction or "0")[:3].ljust(3, "0")))


def _asked(factor, at) -> datetime:
    example = "such as 2026-11-19T15:00:00Z or datetime(2026, 11, 19, 15, tzinfo=timezone.utc)"
    if isinstance(at, datetime):
        if at.tzinfo is None:
            raise FactorError(f"Cannot load {factor}: expected an instant with a time zone, {example}, got {at!r}")
        return at.astimezone(timezone.utc)
    if isinstance(at, date):
        return datetime(at.year, at.month, at.day, tzinfo=timezone.utc)
    try:
        return _instant(at)
    except (ContractError, TypeError) as error:
        raise FactorError(f"Cannot load {factor}: expected an instant with a time zone, {example}, got {at!r}") from error


def _session(text) -> date:
    _expect(re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text), "a date YYYY-MM-DD", text)
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise ContractError(f"Cannot read the answer: expected a date of the calendar, got {text!r}") from error


def _factor(factor) -> str:
    if factor not in FACTORS:
        raise FactorError(f"Cannot load: expected the factor ecpnd or ecqdi, got {factor!r}")
    return factor


def _expect(holds, wanted, got):
    if not holds:
        raise ContractError(f"Cannot read the answer: expected {wanted}, got {str(got)[:80]!r}")
