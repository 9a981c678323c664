"""Tests of the client against answers that a small server gives: pytest docs/python."""

import gzip
import hashlib
import http.server
import json
import os
import threading
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import factor_scores as fs
import polars as pl
import pytest

KEY = "svc_test_0123456789abcdef"
VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
SET = {
    "factor": "ecpnd", "score_name": "ecpnd_score", "factor_version": "1", "universe": "u", "snapshot_id": "s",
    "status": "current", "calculated_at": "2026-11-19T14:00:00Z", "last_checked_at": "2026-11-19T15:00:00Z",
    "data_through": "2026-11-19T14:55:00Z", "prices_through": "2026-11-18", "coverage": {"tickers": 2},
    "scores": [{"ticker": "NA", "ecpnd_score": 5e-05}, {"ticker": "TRUE", "ecpnd_score": None}],
}


class Service:
    """Answers each path with what a test says: a list of (status, headers, body), of which the last one stays."""

    def __init__(self):
        self.answers, self.asked = {}, []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                path = self.path.split("?")[0]
                service.asked.append((self.command, self.path, self.headers))
                queue = service.answers.get(path, [(404, {}, b"")])
                status, headers, body = queue.pop(0) if len(queue) > 1 else queue[0]
                body = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(body)

            do_HEAD = do_GET

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def service():
    made = Service()
    yield made
    made.server.shutdown()


@pytest.fixture
def client(service, tmp_path):
    made = fs.Client(key=KEY, url=service.url, folder=tmp_path, sleep=lambda s: waits.append(s))
    waits = made.waits = []
    return made


def release(service, text, **facts):
    content = gzip.compress(text if isinstance(text, bytes) else text.encode())
    about = {"download_sha256": hashlib.sha256(content).hexdigest(), "download": "/v1/scores/history.csv.gz?factor=ecpnd", **facts}
    service.answers["/v1/scores/history"] = [(200, {}, about)]
    service.answers["/v1/scores/history.csv.gz"] = [(200, {}, content)]
    return content


def downloads(service):
    return [path for method, path, _ in service.asked if method == "GET" and "csv.gz" in path]


def line(score, day="2026-01-02", ticker="AAA"):
    return f"date,ticker,ecpnd_score\n{day},{ticker},{score}\n"


def parse(text):
    return fs._parse_release(gzip.compress(text.encode()), "ecpnd_score", {})


@pytest.mark.parametrize("text, value", VECTORS["scores"]["accepted"].items())
def test_accepts_a_score(text, value):
    assert parse(line(text))["ecpnd_score"].to_list() == [value]


@pytest.mark.parametrize("text", [line(text) for text in VECTORS["scores"]["refused"]]
                         + [line("0.5", ticker=text) for text in VECTORS["tickers"]["refused"]]
                         + [line("0.5", day=text) for text in VECTORS["dates"]["refused"]]
                         + [line("0.5").replace("date,ticker,ecpnd_score", text) for text in VECTORS["headers"]["refused"]])
def test_refuses_a_line(text):
    with pytest.raises(fs.ContractError):
        parse(text)


@pytest.mark.parametrize("ticker", VECTORS["tickers"]["accepted"])
def test_a_ticker_stays_text(ticker):
    assert parse(line("0.5", ticker=ticker))["ticker"].to_list() == [ticker]


@pytest.mark.parametrize("text, value", VECTORS["dates"]["accepted"].items())
def test_accepts_a_date(text, value):
    assert parse(line("0.5", day=text))["date"].to_list() == [date.fromisoformat(value)]


@pytest.mark.parametrize("text, value", VECTORS["instants"]["accepted"].items())
def test_accepts_an_instant(text, value):
    assert fs._instant(text).isoformat(timespec="milliseconds").replace("+00:00", "Z") == value


@pytest.mark.parametrize("text", VECTORS["instants"]["refused"])
def test_refuses_an_instant(text, client):
    with pytest.raises(fs.ContractError):
        fs._instant(text)
    with pytest.raises(fs.FactorError, match="expected an instant with a time zone"):
        client.scores("ecpnd", at=text)


@pytest.mark.parametrize("text", [
    "date,ticker,ecpnd_score\n2026-01-02,AAA\n", "date,ticker,ecpnd_score\n2026-01-02,AAA,0.5,1\n",
    "date,ticker,ecpnd_score\n2026-01-02,AAA,0.5", "date,ticker,ecpnd_score\n\n2026-01-02,AAA,0.5\n",
    "date,ticker,ecpnd_score\n2026-01-02,AAA\n2026-01-05,A,B,0.5\n",
    "date,ticker,ecpnd_score\n2026-01-02,AAA,0.5\n2026-01-05,AAA,0.5\n2026-01-02,AAA,0.5\n",
])
def test_refuses_rows(text):
    with pytest.raises(fs.ContractError):
        parse(text)


def test_takes_line_ends_of_windows_and_rows_in_any_order():
    text = "date,ticker,ecpnd_score\r\n2026-01-05,B,0.5\r\n2026-01-02,A,\r\n"
    assert parse(text).rows() == [(date(2026, 1, 5), "B", 0.5), (date(2026, 1, 2), "A", None)]


@pytest.mark.parametrize("at, asked", [
    (datetime(2026, 11, 19, 15, tzinfo=timezone.utc), "2026-11-19T15%3A00%3A00.000Z"),
    (datetime(2026, 11, 19, 10, tzinfo=timezone(timedelta(hours=-5))), "2026-11-19T15%3A00%3A00.000Z"),
    (date(2026, 11, 20), "2026-11-20T00%3A00%3A00.000Z"),
    ("2026-11-19T15:00:00Z", "2026-11-19T15%3A00%3A00.000Z"),
])
def test_takes_instants(at, asked, service, client):
    service.answers["/v1/scores"] = [(200, {}, SET)]
    frame = client.scores("ecpnd", at=at)
    assert f"at={asked}" in service.asked[0][1]
    assert frame["ecpnd_score"].to_list() == [5e-05, None]
    assert frame["ticker"].to_list() == ["NA", "TRUE"]


@pytest.mark.parametrize("at", [datetime(2026, 11, 19, 15), 1795100400, "yesterday", ""])
def test_refuses_what_is_no_instant(at, client):
    with pytest.raises(fs.FactorError, match="expected an instant with a time zone, such as"):
        client.scores("ecpnd", at=at)


def test_tells_the_allowance(service, client):
    assert client.allowance == {}
    headers = {"X-DailyLimit-Limit": "10000", "X-DailyLimit-Remaining": "7", "X-DailyLimit-Reset": "1795132800"}
    service.answers["/v1/scores"] = [(200, headers, SET)]
    client.scores()
    assert client.allowance["day"] == {"limit": 10000, "remaining": 7, "reset": datetime(2026, 11, 20, tzinfo=timezone.utc)}


def test_an_error_has_what_the_answer_said(service, client):
    body = {"error": "daily_limit_exceeded", "message": f"The budget of ann is spent, {KEY}", "details": {"field": "at"}}
    service.answers["/v1/scores"] = [(429, {"Retry-After": "9000", "X-Request-Id": "r-1"}, body)]
    with pytest.raises(fs.WaitError) as caught:
        client.scores()
    error = caught.value
    assert (error.status, error.code, error.details, error.request_id) == (429, "daily_limit_exceeded", {"field": "at"}, "r-1")
    assert error.message == "The budget of ann is spent, svc_…" and error.message in str(error) and KEY not in str(error)
    assert abs((error.retry_at - datetime.now(timezone.utc)).total_seconds() - 9000) < 60
    assert client.waits == []


def test_an_outage_is_told_at_once_and_a_spent_minute_waited_for(service, client):
    body = {"error": "service_unavailable", "message": "The service does not answer the relay"}
    service.answers["/v1/scores"] = [(503, {"Retry-After": "60"}, body)]
    with pytest.raises(fs.WaitError, match="does not answer the relay"):
        client.scores()
    assert client.waits == []
    service.answers["/v1/scores"] = [(429, {"Retry-After": "60"}, {"error": "rate_limit_exceeded"}), (200, {}, SET)]
    with pytest.warns(UserWarning, match="Waiting for 60 s"):
        client.scores()
    assert client.waits == [60]


@pytest.mark.parametrize("body", [b"<html>Bad gateway</html>", b"{", b"\xff", b"", b"[]", b'{"error": 1, "message": {}}'])
def test_a_refusal_with_another_body_is_typed(body, service, client):
    service.answers["/v1/scores"] = [(502, {}, body)]
    with pytest.raises(fs.RefusedError) as caught:
        client.scores()
    assert (caught.value.status, caught.value.code) == (502, None)


@pytest.mark.parametrize("change", [
    {"prices_through": "2026-02-30"}, {"calculated_at": "2026-13-01T00:00:00Z"}, {"coverage": {"tickers": 3}}, {"status": None},
    {"scores": [{"ticker": "A", "ecpnd_score": 2}]}, {"scores": [{"ticker": "A", "ecpnd_score": True}]}, {"factor": "ecqdi"},
])
def test_a_set_that_breaks_the_contract_is_typed(change, service, client):
    service.answers["/v1/scores"] = [(200, {}, {**SET, **change})]
    with pytest.raises(fs.ContractError):
        client.scores()


@pytest.mark.parametrize("body", [b"{", b"[" * 100_000, b'{"a": 1, "a": 2}', b'{"a": NaN}', b"\xff", b"7"])
def test_json_that_is_none_is_typed(body, service, client):
    service.answers["/v1/factors"] = [(200, {}, body)]
    with pytest.raises(fs.ContractError):
        client.factors()


def test_nothing_that_listens_is_typed(tmp_path):
    client = fs.Client(key=KEY, url="http://127.0.0.1:9", folder=tmp_path, sleep=lambda _: None)
    with pytest.raises(fs.UnreachableError):
        client.scores()


@pytest.mark.parametrize("url", ["", "ftp://x", "https://", "https://u:p@x", "http://[", "https://x:port"])
def test_an_address_that_is_none_is_typed(url, monkeypatch):
    monkeypatch.delenv("SCOREFRAME_URL", raising=False)
    with pytest.raises(fs.FactorError, match="expected an address"):
        fs.Client(key=KEY, url=url)


def test_a_release_is_downloaded_once_and_gives_pandas(service, client):
    release(service, line("5e-05"), rows=1)
    assert [client.history()["ecpnd_score"].to_list() for _ in range(2)] == [[5e-05]] * 2
    assert len(downloads(service)) == 1
    pytest.importorskip("pandas")
    assert client.history().to_pandas()["ticker"].tolist() == ["AAA"]


def test_a_refused_download_is_waited_for(service, client):
    content = release(service, line("0.5"))
    busy = (429, {"Retry-After": "3"}, {"error": "download_limit_exceeded"})
    service.answers["/v1/scores/history.csv.gz"] = [(200, {}, content), busy, (200, {}, content)]
    with pytest.warns(UserWarning):
        assert client.history().height == 1
    assert client.waits == [3]


def test_a_transfer_that_breaks_off_is_not_repeated_and_keeps_nothing(service, client, tmp_path):
    content = release(service, line("0.5"))
    service.answers["/v1/scores/history.csv.gz"] = [(200, {}, content), (200, {"Content-Length": "999"}, content)]
    service.server.daemon_threads = True
    with pytest.raises(fs.FactorError):
        client.history()
    assert len(downloads(service)) == 1
    assert [path.name for path in (tmp_path / "factor_scores").iterdir()] == ["download.lock"]


def test_a_folder_that_cannot_be_made_costs_no_download(service, tmp_path):
    release(service, line("0.5"))
    (tmp_path / "file").write_text("")
    client = fs.Client(key=KEY, url=service.url, folder=tmp_path / "file")
    with pytest.raises(fs.DiskError, match="pass another folder"):
        client.history()
    assert downloads(service) == []


def test_a_full_disk_costs_no_download(service, client, monkeypatch):
    release(service, line("0.5"))

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(fs.DiskError, match="No space left"):
        client.history()
    assert downloads(service) == []


def test_goes_through_a_proxy_but_not_to_this_machine(service, tmp_path, monkeypatch):
    service.answers["/v1/factors"] = [(200, {}, {"factors": []})]
    # A proxy gets the whole address; of this service, it is the path that it knows.
    service.answers["http://scores.example/v1/factors"] = [(200, {}, {"factors": []})]
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, service.url)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert fs.Client(key=KEY, url="http://scores.example", folder=tmp_path).factors().height == 0
    assert service.asked[-1][1] == "http://scores.example/v1/factors"
    assert fs.Client(key=KEY, url=service.url, folder=tmp_path).factors().height == 0
    assert service.asked[-1][1] == "/v1/factors"


def test_asks_a_proxy_of_https_for_a_tunnel(service, tmp_path, monkeypatch):
    for name in ("HTTPS_PROXY", "https_proxy"):
        monkeypatch.setenv(name, service.url)
    client = fs.Client(key=KEY, url="https://scores.example", folder=tmp_path, sleep=lambda _: None)
    with pytest.raises(fs.UnreachableError):
        client.factors()
    assert service.asked == []  # CONNECT is no method of this server, and the key went nowhere


def test_reads_scores_with_types(service, client):
    service.answers["/v1/scores"] = [(200, {"X-Scoreframe-Synthetic": "true"}, SET)]
    frame = client.scores()
    assert frame.schema["ecpnd_score"] == pl.Float64 and frame["source"][0].endswith(" (synthetic)")


def test_compares_the_files_of_a_table_with_its_log(tmp_path):
    log = tmp_path / "_delta_log"
    log.mkdir()
    content = {"part-a.parquet": b"one", "part-b.parquet": b"two"}
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    add = [{"add": {"path": name, "tags": {"sha256": hashlib.sha256(data).hexdigest()}}} for name, data in content.items()]
    (log / f"{0:020}.json").write_text(json.dumps(add[0]))
    (log / f"{1:020}.json").write_text("\n".join(map(json.dumps, [add[1], {"remove": {"path": "part-a.parquet"}}])))
    assert fs.verified_files(tmp_path, version=0) == [str(tmp_path / "part-a.parquet")]
    assert fs.verified_files(tmp_path) == [str(tmp_path / "part-b.parquet")]
    (tmp_path / "part-b.parquet").write_bytes(b"twO")
    with pytest.raises(fs.ContractError, match="part-b"):
        fs.verified_files(tmp_path)
    with pytest.raises(fs.ContractError, match="no log"):
        fs.verified_files(tmp_path / "none")
