import { createHash } from "node:crypto";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { correctRelease } from "../../../src/base/store/release/release_folder.ts";
import { putFixtureRelease } from "../../helpers/fixture_store.ts";
import { useServers, WAYS } from "../_harness.ts";

const FILE = "/v1/scores/history.csv.gz";

describe.each(WAYS)("the historical release (sections 2.5, 2.6, 4.4 to 4.6), %s", (way) => {
  const { start, fixture } = useServers();

  // @rule 2.5 base/contract/release.ts: first_session and last_session are the included dates
  // @rule 2.5 base/contract/release.ts: window_years, window_start and window_end are the nominal window
  // @rule 2.5 base/contract/release.ts: sessions, tickers and rows are counted
  // @rule 2.5 base/contract/release.ts: scored_rows and missing_rows add up to rows
  // @rule 2.5 base/contract/release.ts: availability and universe are given
  // @rule 2.5 base/contract/release.ts: source_sha256 is not the download checksum
  // @rule 2.5 base/contract/release.ts: Factor and version are given
  // @rule 2.5 base/contract/release.ts: Additional provenance fields may be present: those of the release are passed on
  // @rule 4.4 server/pipeline/serve_history.ts: GET /v1/scores/history answers metadata as JSON
  // @silent 2.5 base/contract/release.ts: Metadata fields have the names of section 2.5 and JSON numbers; factor and factor_version are given
  test("is described by its metadata", async () => {
    const { get } = await start(way);
    const response = await get("/v1/scores/history");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json");
    const metadata = await response.json();
    expect(metadata).toMatchObject({
      factor: "ecpnd",
      factor_version: "ecpnd-v1",
      first_session: "2026-08-13",
      last_session: "2026-08-14",
      window_years: 10,
      window_start: "2016-08-15",
      window_end: "2026-08-14",
      sessions: 2,
      tickers: 2,
      rows: 4,
      scored_rows: 3,
      missing_rows: 1,
      availability: "next session open",
      universe: "US research universe (synthetic)",
      download: "/v1/scores/history.csv.gz?factor=ecpnd",
      source_sha256: "0".repeat(64),
      // A provenance field that the API document does not name is passed on.
      synthetic: true,
    });
    expect(metadata.download_sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(metadata.source_sha256).not.toBe(metadata.download_sha256);
  });

  // @rule 1 server/pipeline/serve_history.ts: The historical release is separate per factor
  // @rule 4.4 server/catalogue/catalogue.ts: Each factor has its own release
  // @rule 4.4 server/catalogue/catalogue.ts: The dates of a release can differ by factor
  test("is one of its own for each factor", async () => {
    const { get } = await start(way);
    const ecpnd = await (await get("/v1/scores/history")).json();
    const ecqdi = await (await get("/v1/scores/history?factor=ecqdi")).json();
    expect(ecqdi.rows).toBe(3);
    expect(ecqdi.download).toBe("/v1/scores/history.csv.gz?factor=ecqdi");
    expect(ecqdi.download_sha256).not.toBe(ecpnd.download_sha256);
  });

  test("shows metadata that were corrected while the server runs", async () => {
    const { server, get } = await start(way);
    const { store, path } = fixture();
    const sha256 = await putFixtureRelease(store, {
      factor: "ecqdi",
      rows: [`2026-08-13,A,${way === "in process" ? 0.5 : 0.75}`],
      availableFrom: "2027-01-05T00:00:00Z",
    });
    // As if the release had been put there long ago: what was read of the folder is remembered.
    const past = new Date("2026-01-01T00:00:00Z");
    await utimes(join(path, "ecqdi", "releases"), past, past);
    server.clock.set("2027-01-06T00:00:00Z");
    const metadata = async () => await (await get("/v1/scores/history?factor=ecqdi")).json();
    expect((await metadata()).universe).toBe("US research universe (synthetic)");
    const stored = (await store.listReleases("ecqdi"))
      .find(({ release }) => release.downloadSha256 === sha256)!;
    const release = { ...stored.release, universe: "US research universe, as corrected" };
    await correctRelease(stored, { release, receivedAt: "2027-01-05T12:00:00.000Z" });
    await expect.poll(async () => (await metadata()).universe)
      .toBe("US research universe, as corrected");
  });

  test("is offered under this server's own path, wherever it was recorded", async () => {
    const { server, get } = await start(way);
    await putFixtureRelease(fixture().store, {
      factor: "ecqdi",
      rows: ["2026-08-13,A,0.5", way === "in process" ? "2026-08-14,A,0.5" : "2026-08-14,A,0.75"],
      availableFrom: "2026-12-05T00:00:00Z",
      download: "/v1/scores/history.csv.gz?factor=ecqdi&release=recorded",
    });
    server.clock.set("2026-12-06T00:00:00Z");
    const metadata = await (await get("/v1/scores/history?factor=ecqdi")).json();
    expect(metadata.download).toBe("/v1/scores/history.csv.gz?factor=ecqdi");
    expect((await get(metadata.download)).status).toBe(200);
  });

  // @rule 2.5 server/pipeline/serve_history.ts: download is relative, starts with /v1/scores/ and keeps its query
  // @rule 2.5 base/store/release/release_folder.ts: download_sha256 is the checksum of the compressed file
  // @rule 2.6 server/pipeline/serve_history.ts: The file has the content type application/gzip
  // @rule 2.6 server/pipeline/serve_history.ts: Its columns are date,ticker,<factor>_score
  // @rule 4.5 server/pipeline/serve_history.ts: Content-Length is the compressed size
  test("downloads to the bytes that download_sha256 announces, and unpacks to its CSV", async () => {
    const { get } = await start(way);
    for (const factor of ["ecpnd", "ecqdi"]) {
      const metadata = await (await get(`/v1/scores/history?factor=${factor}`)).json();
      const response = await get(metadata.download);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/gzip");
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(response.headers.get("content-length")).toBe(String(bytes.length));
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(metadata.download_sha256);
      const lines = gunzipSync(bytes).toString().split("\n");
      expect(lines[0]).toBe(`date,ticker,${factor}_score`);
    }
  });

  // @rule 1 server/pipeline/serve_history.ts: Dates of the file are sessions, YYYY-MM-DD
  // @rule 2.6 server/pipeline/serve_history.ts: Missing scores of the file are blank
  test("has dates, tickers, scores and blanks in its CSV", async () => {
    const { get } = await start(way);
    const bytes = new Uint8Array(await (await get(FILE)).arrayBuffer());
    expect(gunzipSync(bytes).toString()).toBe(
      "date,ticker,ecpnd_score\n2026-08-13,A,0.5\n2026-08-13,NA,\n2026-08-14,A,0.25\n2026-08-14,NA,1\n",
    );
  });

  // @rule 4.5 server/pipeline/serve_history.ts: The file has an attachment filename
  test("is offered as an attachment", async () => {
    const { get } = await start(way);
    const response = await get(`${FILE}?factor=ecqdi`);
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="ecqdi_history.csv.gz"',
    );
    await response.arrayBuffer();
  });

  // @rule 4.5 server/pipeline/serve_history.ts: There is no byte-range resume
  test("is sent as it is, without a content encoding or ranges", async () => {
    const { get } = await start(way);
    const headers = { Range: "bytes=10-", "Accept-Encoding": "gzip" };
    const response = await get(FILE, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-encoding")).toBeNull();
    expect((await response.arrayBuffer()).byteLength)
      .toBe(Number(response.headers.get("content-length")));
  });

  // @rule 4.5 server/pipeline/serve_history.ts: The ETag is not the checksum
  test("has an ETag that is not its checksum", async () => {
    const { get } = await start(way);
    const { download_sha256 } = await (await get("/v1/scores/history")).json();
    const etag = (await get(FILE, { method: "HEAD" })).headers.get("etag") ?? "";
    expect(etag).not.toContain(download_sha256.slice(0, 16));
  });

  // @rule 4.6 server/pipeline/serve_history.ts: HEAD gives ETag, Content-Disposition and Content-Length
  test("answers HEAD with the headers of GET and no body", async () => {
    const { get } = await start(way);
    const head = await get(FILE, { method: "HEAD" });
    const file = await get(FILE);
    expect(head.status).toBe(200);
    for (const name of ["etag", "content-disposition", "content-length", "content-type"]) {
      expect(head.headers.get(name), name).toBe(file.headers.get(name));
    }
    expect(await head.text()).toBe("");
    await file.arrayBuffer();
  });

  // @rule 7.3 server/pipeline/reply_writer.ts: HEAD error responses have no body
  test("answers HEAD errors without a body, with status and request id", async () => {
    const { get } = await start(way);
    const cases = [
      [`${FILE}?limit=1`, 400, {}],
      [`${FILE}?factor=other`, 400, {}],
      [FILE, 401, { key: null }],
      [`${FILE}?factor=ecqdi`, 403, { key: "svc_test_licensed_ecpnd" }],
      ["/v1/none", 404, {}],
    ] as const;
    for (const [path, status, options] of cases) {
      const response = await get(path, { ...options, method: "HEAD" });
      expect(response.status).toBe(status);
      expect(await response.text()).toBe("");
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  // @rule 4.4 base/contract/http/query.ts: Other parameters: 400 invalid_request
  test("refuses any parameter but factor", async () => {
    const { get } = await start(way);
    for (const query of ["ticker=A", "at=2026-11-20T12:00:00Z", "factor=ecpnd&factor=ecqdi"]) {
      for (const path of ["/v1/scores/history", FILE]) {
        const response = await get(`${path}?${query}`);
        expect(response.status).toBe(400);
        expect((await response.json()).error).toBe("invalid_request");
      }
    }
  });

  // @rule 4.4 base/contract/http/query.ts: Unknown factor: 400 invalid_factor
  test("refuses an unknown factor with 400 invalid_factor", async () => {
    const { get } = await start(way);
    for (const path of ["/v1/scores/history", FILE]) {
      const response = await get(`${path}?factor=other`);
      expect([response.status, (await response.json()).error]).toEqual([400, "invalid_factor"]);
    }
  });

  // @rule 4.4 server/pipeline/serve_history.ts: 503 historical_export_preparing before there is a release
  // @rule 4.6 server/pipeline/reply_writer.ts: HEAD errors have status, Retry-After and X-Request-Id
  test("answers 503 historical_export_preparing before there is one", async () => {
    const { server, get } = await start(way);
    server.clock.set("2026-08-31T23:59:59Z");
    for (const path of ["/v1/scores/history", FILE]) {
      const response = await get(path);
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await response.json()).error).toBe("historical_export_preparing");
    }
    const head = await get(FILE, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([503, ""]);
    expect(Number(head.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  });

  // @rule 1 server/catalogue/catalogue.ts: The release does not advance with live updates
  test("does not advance with the live sets, and changes when it is replaced", async () => {
    const { server, get } = await start(way);
    const before = await (await get("/v1/scores/history")).json();
    server.clock.set("2026-11-30T15:00:00Z");
    expect(await (await get("/v1/scores/history")).json()).toEqual(before);
    const sha256 = await putFixtureRelease(fixture().store, {
      factor: "ecpnd",
      rows: ["2026-08-13,A,0.5", "2026-11-13,A,0.75"],
      availableFrom: way === "in process" ? "2026-12-01T00:00:00Z" : "2026-12-02T00:00:00Z",
    });
    expect((await (await get("/v1/scores/history")).json()).download_sha256)
      .toBe(before.download_sha256);
    server.clock.set("2026-12-02T00:00:00Z");
    const after = await (await get("/v1/scores/history")).json();
    expect(after.download_sha256).toBe(sha256);
    expect(after.last_session).toBe("2026-11-13");
  });
});
