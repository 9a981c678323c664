import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ContractError,
  IntegrityError,
  NotFoundError,
  ScoreframeError,
  TransportError,
} from "../../src/errors.ts";
import type { FactorApi } from "../../src/client/factor_api.ts";
import type { ReleaseReport } from "../../src/client/release_report.ts";
import type { DISPLAY } from "../../src/notebook/display.ts";
import { assertOneVintage } from "../../src/frame/one_vintage.ts";
import { exportRelease } from "../../src/frame/export_release.ts";
import { provenance } from "../../src/frame/provenance.ts";
import { GOOD_LINES, gzipLines, offerRelease, sha256Of } from "./_release_files.ts";
import { pathOf, type Service, startService } from "./_service.ts";

const METADATA = "GET /v1/scores/history?factor=ecpnd";
const HEAD = "HEAD /v1/scores/history.csv.gz?factor=ecpnd";
const FILE = "GET /v1/scores/history.csv.gz?factor=ecpnd";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);

/** The store as a list of files below a factor's releases, without those that are still being written. */
async function releaseFiles(api: FactorApi): Promise<string[]> {
  const folder = join(api.store, "ecpnd", "releases");
  return await readdir(folder, { recursive: true }).catch(() => []);
}

describe("history()", () => {
  test("gives date, ticker, score and seven provenance columns for two requests and a download", async () => {
    const api = await service.connect();
    const frame = await api.history("ecpnd");
    expect(frame.columns).toEqual([
      "date",
      "ticker",
      "ecpnd_score",
      "factor",
      "factor_version",
      "universe",
      "download_sha256",
      "availability",
      "source",
      "retrieved_at",
    ]);
    expect(frame.select("date", "ticker", "ecpnd_score").rows()).toEqual([
      [new Date("2026-08-13"), "A", 0.5],
      [new Date("2026-08-13"), "NA", null],
      [new Date("2026-08-14"), "A", 0.25],
      [new Date("2026-08-14"), "NA", 1],
    ]);
    expect(provenance(frame).toRecords()).toMatchObject([{
      factor: "ecpnd",
      factor_version: "ecpnd-v1",
      universe: "US research universe (synthetic)",
      availability: "next session open",
      source: "embedded, synthetic",
      retrieved_at: new Date("2026-11-20T15:00:05.000Z"),
      row_count: 4,
    }]);
    expect(assertOneVintage(frame).height).toBe(4);
    expect(sent()).toEqual([METADATA, HEAD, FILE]);
    const [sha256] = await readdir(join(api.store, "ecpnd", "releases"));
    expect((await releaseFiles(api)).toSorted()).toEqual([
      sha256,
      `${sha256}/history.csv.gz`,
      `${sha256}/release.json`,
    ]);
  });

  test("costs one request the second time, and none offline", async () => {
    const api = await service.connect();
    const first = await api.history("ecpnd");
    sent();
    const second = await api.history("ecpnd");
    expect(sent()).toEqual([METADATA]);
    const third = await api.history("ecpnd", { offline: true });
    expect(sent()).toEqual([]);
    const plain = (frame: pl.DataFrame) => frame.drop("source").toRecords();
    expect(plain(second)).toEqual(plain(first));
    expect(plain(third)).toEqual(plain(first));
    expect(third.toRecords()[0]!.source).toBe("store, synthetic");
  });

  test("downloads once when it is asked twice at the same time", async () => {
    const api = await service.connect();
    const [a, b] = await Promise.all([api.history("ecpnd"), api.history("ecpnd")]);
    expect([a.height, b.height]).toEqual([4, 4]);
    expect(sent().filter((request) => request === FILE)).toHaveLength(1);
  });

  test("ends at once when it is cancelled while another load of the factor runs", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const api = await service.connect({
      fetch: async (request: Request) => {
        if (pathOf(request) === FILE) await released;
        return await service.fetch(request);
      },
    });
    const running = api.history("ecpnd");
    const controller = new AbortController();
    const waiting = api.history("ecpnd", { signal: controller.signal });
    const next = api.history("ecpnd");
    controller.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    release();
    expect([(await running).height, (await next).height]).toEqual([4, 4]);
    expect(sent().filter((request) => request === FILE)).toHaveLength(1);
  });

  test("downloads once when notebooks with one store ask at the same time", async () => {
    // Large enough that the next one looks before the file is in the store, if it could.
    const { length: rows } = await offerLargeRelease();
    const { url } = await service.server.listen();
    const cacheDir = await service.makeFolder();
    const apis = await Promise.all([1, 2, 3].map(() => service.connectTo(url, { cacheDir })));
    const frames = await Promise.all(apis.map((api) => api.history("ecpnd")));
    expect(frames.map((frame) => frame.height)).toEqual([rows, rows, rows]);
    const { entries } = service.server.journal;
    expect(entries.filter((entry) => entry.spentDownloads > 0)).toHaveLength(1);
    expect(apis[1]!.allowance().download.remaining).toBe(9);
  });

  test("spends no download that is not allowed", async () => {
    const api = await service.connect();
    await expect(api.history("ecpnd", { maxDownloads: 0 })).rejects.toThrow(
      "maxDownloads 0 allows no download",
    );
    expect(sent()).toEqual([METADATA]);
    await api.history("ecpnd");
    expect((await api.history("ecpnd", { maxDownloads: 0 })).height).toBe(4);
  });

  test("says offline what is missing, without a request", async () => {
    const api = await service.connect();
    await expect(api.history("ecpnd", { offline: true })).rejects.toThrow(NotFoundError);
    expect(sent()).toEqual([]);
  });

  test("refuses an unknown factor and a malformed checksum before anything is sent", async () => {
    const api = await service.connect();
    await expect(api.history("ecxyz" as "ecpnd")).rejects.toThrow(ContractError);
    await expect(api.history("ecpnd", { downloadSha256: "abc" })).rejects.toThrow(ContractError);
    expect(sent()).toEqual([]);
  });

  test("gives the report of every check with withResponse()", async () => {
    const api = await service.connect();
    const { raw, response } = await api.history("ecpnd").withResponse();
    expect(raw.report.passed).toBe(true);
    expect(raw.report.checks).toHaveLength(18);
    expect(String(raw.report)).toContain("✓ rows: 4");
    expect(response?.status).toBe(200);
    const zcat = execFileSync("sh", [
      "-c",
      `zcat < "${raw.path}" | awk -F, 'NR>1 && $3!=""' | wc -l`,
    ]);
    expect(String(zcat).trim()).toBe("3");
    const sum = execFileSync("sha256sum", [raw.path], { encoding: "utf8" });
    expect(sum.slice(0, 64)).toBe(raw.release.downloadSha256);
  });

  test("compares what the metadata state, and says what could not be compared", async () => {
    const extra = { synthetic: true, tickers: ["A", "NA"], window_years: "ten" };
    await offerRelease(service.fixture.store, gzipLines(GOOD_LINES.toSpliced(1, 1)), {
      metadata: {
        rows: 3,
        scoredRows: 2,
        tickers: null,
        sessions: null,
        windowYears: null,
        extra,
      },
    });
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    expect(raw.report.passed).toBe(true);
    expect(String(raw.report)).toContain("✓ rows: 3\n");
    expect(String(raw.report)).toContain("– distinct sessions: 2, not stated\n");
    expect(String(raw.report)).toContain(
      "– distinct tickers: 2, not comparable with an array of 2\n",
    );
    expect(raw.release.extra).toMatchObject({ tickers: ["A", "NA"], window_years: "ten" });
  });

  test("shows the report as a table, with what a file holds escaped", async () => {
    const lines = GOOD_LINES.with(1, "2026-08-13,<b>A</b>,0.5");
    await offerRelease(service.fixture.store, gzipLines(lines));
    const api = await service.connect();
    const error: IntegrityError = await api.history("ecpnd").then(() => null, (error) => error);
    const report = error.cause as ReleaseReport;
    const bundle = await report[Symbol.for("Jupyter.display") as typeof DISPLAY]();
    expect(bundle["text/plain"]).toContain("line 2: 2026-08-13,<b>A</b>,0.5");
    expect(bundle["text/html"]).toContain("line 2: 2026-08-13,&lt;b&gt;A&lt;/b&gt;,0.5");
    expect(bundle["text/html"]).toContain("refused");
  });

  test("shows metadata of an unknown form escaped", async () => {
    const extra = { tickers: { "<b>all</b>": 2 } };
    await offerRelease(service.fixture.store, gzipLines(GOOD_LINES.with(1, "2026-08-13,A,0")), {
      metadata: { tickers: null, extra },
    });
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    const bundle = await raw.report[Symbol.for("Jupyter.display") as typeof DISPLAY]();
    expect(bundle["text/html"]).toContain("the fields &lt;b&gt;all&lt;/b&gt;");
  });

  test("says that a release is synthetic if only its metadata do", async () => {
    const plain = async (request: Request) => {
      const response = await service.fetch(request);
      const headers = new Headers(response.headers);
      headers.delete("Server");
      headers.delete("X-Scoreframe-Synthetic");
      return new Response(response.body, { status: response.status, headers });
    };
    const api = await service.connect({ fetch: plain });
    const frame = await api.history("ecpnd");
    expect(provenance(frame).toRecords()).toMatchObject([{ source: "live, synthetic" }]);
  });

  test("carries the provenance that is asked for, and tickers as text on request", async () => {
    const api = await service.connect();
    const bare = await api.history("ecpnd", { provenance: false, tickers: "text" });
    expect(bare.columns).toEqual(["date", "ticker", "ecpnd_score"]);
    const names = pl.DataFrame([pl.Series("ticker", ["NA"], pl.Utf8)]);
    expect(bare.join(names, { on: "ticker" }).height).toBe(2);
    const some = await api.history("ecpnd", { provenance: ["source"] });
    expect(some.columns).toEqual(["date", "ticker", "ecpnd_score", "source"]);
  });

  test("gives frames that can be exported as the release, however they were loaded", async () => {
    const api = await service.connect();
    const folder = await service.makeFolder();
    const frames = [
      await api.history("ecpnd"),
      await api.history("ecpnd", { offline: true, tickers: "text", provenance: false }),
    ];
    for (const [i, frame] of frames.entries()) {
      expect((await exportRelease(frame, join(folder, String(i)))).files).toHaveLength(1);
    }
  });

  test("keeps earlier releases, and loads them by their checksum without a request", async () => {
    const api = await service.connect();
    const before = await api.history("ecpnd").withResponse();
    const lines = GOOD_LINES.with(1, "2026-08-13,A,0.75");
    const sha256 = await offerRelease(service.fixture.store, gzipLines(lines));
    const after = await api.history("ecpnd").withResponse();
    expect(after.raw.release.downloadSha256).toBe(sha256);
    expect(after.data.row(0)[2]).toBe(0.75);
    sent();
    const { downloadSha256 } = before.raw.release;
    const again = await api.history("ecpnd", { downloadSha256 });
    expect([again.row(0)[2], sent()]).toEqual([0.5, []]);
    const unknown = api.history("ecpnd", { downloadSha256: "0".repeat(64) });
    await expect(unknown).rejects.toThrow("a service keeps no earlier release");
  });
});

describe("releases()", () => {
  test("lists what the store holds, the newest first, without a request", async () => {
    const api = await service.connect();
    expect((await api.releases("ecpnd")).height).toBe(0);
    const first = await api.history("ecpnd").withResponse();
    service.clock.ms += 1000;
    const lines = GOOD_LINES.with(1, "2026-08-13,A,0.75");
    const second = await offerRelease(service.fixture.store, gzipLines(lines));
    await api.history("ecpnd");
    sent();
    const kept = await api.releases("ecpnd");
    expect(
      kept.select("factor", "download_sha256", "row_count", "last_session", "retrieved_at").rows(),
    )
      .toEqual([
        ["ecpnd", second, 4, new Date("2026-08-14"), new Date("2026-11-20T15:00:06.000Z")],
        [
          "ecpnd",
          first.raw.release.downloadSha256,
          4,
          new Date("2026-08-14"),
          new Date("2026-11-20T15:00:05.000Z"),
        ],
      ]);
    expect(sent()).toEqual([]);
    await expect(api.releases("ecxyz" as "ecpnd")).rejects.toThrow(ContractError);
  });
});

describe("history() when the release changes", () => {
  const changed = gzipLines(GOOD_LINES.with(1, "2026-08-13,A,0.75"));

  /** Offers another release as soon as the request with this number was answered. */
  async function connectChanging(steps: Readonly<Record<string, () => Promise<unknown>>>) {
    const seen = new Map<string, number>();
    const fetch = async (request: Request) => {
      const path = pathOf(request);
      const count = (seen.get(path) ?? 0) + 1;
      seen.set(path, count);
      const response = await service.fetch(request);
      await steps[`${path} ${count}`]?.();
      return response;
    };
    return await service.connect({ fetch });
  }

  test("between metadata and file, keeps the file under fresh metadata and spends one download", async () => {
    const api = await connectChanging({
      [`${METADATA} 1`]: () => offerRelease(service.fixture.store, changed),
    });
    const { data, raw } = await api.history("ecpnd").withResponse();
    expect([data.row(0)[2], raw.release.downloadSha256]).toEqual([0.75, sha256Of(changed)]);
    expect(sent()).toEqual([METADATA, HEAD, FILE, METADATA]);
  });

  /** A third release, offered after the file of the second was taken. */
  const third = gzipLines(GOOD_LINES.with(1, "2026-08-13,A,0.125"));
  const twice = {
    [`${METADATA} 1`]: () => offerRelease(service.fixture.store, changed),
    [`${FILE} 1`]: () =>
      offerRelease(service.fixture.store, third, { availableFrom: "2026-10-02T00:00:00.000Z" }),
  };

  test("twice, spends one more download", async () => {
    const api = await connectChanging(twice);
    expect((await api.history("ecpnd")).row(0)[2]).toBe(0.125);
    expect(sent().filter((request) => request === FILE)).toHaveLength(2);
  });

  test("says what was spent if the fresh metadata do not come", async () => {
    const { faults } = service.server;
    const api = await connectChanging({
      [`${METADATA} 1`]: () => offerRelease(service.fixture.store, changed),
      [`${FILE} 1`]: () =>
        Promise.resolve(faults.add({ kind: "status", status: 500, endpoint: "history" })),
    });
    const loading = api.history("ecpnd", { maxRetries: 0 });
    await expect(loading).rejects.toThrow(/500.*spent one of the day's 10, 9 are left/);
  });

  test("twice, says what it would cost if only one download is allowed", async () => {
    const api = await connectChanging(twice);
    const loading = api.history("ecpnd", { maxDownloads: 1 });
    await expect(loading).rejects.toThrow(
      /changed the release twice.*maxDownloads.*spent one of the day's 10, 9 are left, and nothing was kept/,
    );
    expect(sent().filter((request) => request === FILE)).toHaveLength(1);
    expect(await releaseFiles(api)).toEqual([]);
  });
});

describe("history() when the transfer goes wrong", () => {
  /** Serves the file's body through a change. */
  const connectWith = (change: (body: Uint8Array) => BodyInit) =>
    service.connect({
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (pathOf(request) !== FILE) return response;
        const body = new Uint8Array(await response.arrayBuffer());
        return new Response(change(body), { headers: response.headers });
      },
    });

  test("refuses bytes that went wrong on the way, without trying again", async () => {
    const api = await connectWith((body) => body.map((byte, i) => i === 40 ? byte ^ 1 : byte));
    const error: Error = await api.history("ecpnd").then(() => null, (error) => error);
    expect(error).toBeInstanceOf(IntegrityError);
    expect(error.message).toContain("the bytes went wrong on the way");
    expect(error.message).toContain("spent one of the day's 10, 9 are left, and nothing was kept");
    expect(sent()).toEqual([METADATA, HEAD, FILE, METADATA]);
    expect(await releaseFiles(api)).toEqual([]);
  });

  test("keeps nothing of a transfer that broke, and says what it cost", async () => {
    const api = await connectWith((body) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(body.subarray(0, 30));
          controller.error(new Error("connection reset"));
        },
      })
    );
    const error: Error = await api.history("ecpnd").then(() => null, (error) => error);
    expect(error).toBeInstanceOf(TransportError);
    expect(error.message).toContain("spent one of the day's 10, 9 are left, and nothing was kept");
    expect(sent()).toEqual([METADATA, HEAD, FILE]);
    expect(await releaseFiles(api)).toEqual([]);
  });

  test("says at the next call that the one before spent a download for nothing", async () => {
    const notices: string[] = [];
    const logger = {
      warn: (text: string) => notices.push(text),
      debug() {},
      info() {},
      error() {},
    };
    let broken = true;
    const api = await service.connect({
      logger,
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (!broken || pathOf(request) !== FILE) return response;
        broken = false;
        await response.body?.cancel();
        return new Response("cut", { headers: response.headers });
      },
    });
    await expect(api.history("ecpnd")).rejects.toThrow(TransportError);
    expect((await api.history("ecpnd")).height).toBe(4);
    expect(notices.join()).toContain("came to nothing and spent one of the day's downloads");
  });

  test("keeps nothing of a transfer that the caller cancelled", async () => {
    const controller = new AbortController();
    const api = await connectWith((body) =>
      new ReadableStream({
        start(stream) {
          stream.enqueue(body.subarray(0, 30));
          setTimeout(() => controller.abort(new Error("enough")), 20);
        },
      })
    );
    await expect(api.history("ecpnd", { signal: controller.signal })).rejects.toThrow("enough");
    expect(await releaseFiles(api)).toEqual([]);
  });

  test("ends a transfer in which nothing arrives for longer than allowed", async () => {
    const api = await connectWith((body) =>
      new ReadableStream({ start: (stream) => stream.enqueue(body.subarray(0, 30)) })
    );
    const error: Error = await api.history("ecpnd", { timeoutMs: 50 }).then(
      () => null,
      (error) => error,
    );
    expect(error).toBeInstanceOf(TransportError);
    expect(error.message).toContain("within timeoutMs 50");
    expect(error.message).toContain("spent one of the day's 10, 9 are left, and nothing was kept");
    expect(await releaseFiles(api)).toEqual([]);
  });

  test("waits longer for the next bytes of a file than for an answer", async () => {
    const api = await service.connect({
      timeoutMs: 1500,
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (pathOf(request) !== FILE) return response;
        const body = new Uint8Array(await response.arrayBuffer());
        const stream = new ReadableStream({
          async start(controller) {
            controller.enqueue(body.subarray(0, 30));
            await new Promise((resolve) => setTimeout(resolve, 2000));
            controller.enqueue(body.subarray(30));
            controller.close();
          },
        });
        return new Response(stream, { headers: response.headers });
      },
    });
    expect((await api.history("ecpnd")).height).toBe(4);
  });

  test("says so even after a restart: what is spent stands in the ledger", async () => {
    const { url } = await service.server.listen();
    const cacheDir = await service.makeFolder();
    const endpoint = "historyFile";
    const fault = { kind: "cut", endpoint, method: "GET", afterBytes: 30, count: 1 } as const;
    service.server.faults.add(fault);
    const before = await service.connectTo(url, { cacheDir });
    await expect(before.history("ecpnd")).rejects.toThrow(TransportError);
    await before.close();
    const notices: string[] = [];
    const logger = { warn: (text: string) => void notices.push(text), debug() {} };
    const after = await service.connectTo(url, { cacheDir, logger });
    expect((await after.history("ecpnd")).height).toBe(4);
    expect(notices.join()).toContain("came to nothing and spent one of the day's downloads");
    const later = await service.connectTo(url, {
      cacheDir,
      logger,
      store: join(cacheDir, "other"),
    });
    expect((await later.history("ecpnd")).height).toBe(4);
    expect(notices).toHaveLength(1);
  });

  test("gives the slot of downloads back if the ledger does not take the note of it", async () => {
    const cacheDir = await service.makeFolder();
    const api = await service.connect({ cacheDir });
    const [name] = (await readdir(join(cacheDir, "ledgers"))).filter((n) => n.endsWith(".sqlite"));
    const database = new DatabaseSync(join(cacheDir, "ledgers", name!));
    database.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON unfinished BEGIN SELECT RAISE(ABORT, 'full'); END",
    );
    database.close();
    await expect(api.history("ecpnd")).rejects.toThrow("full");
    expect(api.allowance().inFlight).toBe(0);
  });

  test("finds out by HEAD that the disk has no room, before a download is spent", async () => {
    const api = await service.connect({
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (pathOf(request) !== HEAD) return response;
        const headers = new Headers(response.headers);
        headers.set("Content-Length", "999999999999999");
        return new Response(null, { headers });
      },
    });
    await expect(api.history("ecpnd")).rejects.toThrow(
      /^Cannot download the ecpnd history: 999999999999999 bytes are required .* nothing was spent/,
    );
    expect(sent()).toEqual([METADATA, HEAD]);
  });

  test("says what a download cost that the disk did not take", async () => {
    const folder = await service.makeFolder();
    const api = await service.connect({
      store: join(folder, "store"),
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (pathOf(request) === FILE) await rm(join(folder, "store"), { recursive: true });
        return response;
      },
    });
    const error: Error = await api.history("ecpnd").then(() => null, (error) => error);
    expect(error).toBeInstanceOf(ScoreframeError);
    expect(error.message).toMatch(
      /^Cannot keep the ecpnd history: a disk is required that takes it.*\(ENOENT\); the started download spent one of the day's 10, 9 are left, and nothing was kept$/,
    );
  });

  test("learns from HEAD what would be refused, before a download is spent", async () => {
    const api = await service.connect({
      maxRetries: 0,
      fetch: (request: Request) =>
        request.method === "HEAD"
          ? Promise.resolve(new Response(null, { status: 503, headers: { "Retry-After": "9999" } }))
          : service.fetch(request),
    });
    await expect(api.history("ecpnd")).rejects.toThrow(/503/);
    expect(sent()).not.toContain(FILE);
  });
});

describe("history() from the store", () => {
  test("refuses a file that changed on the disk, and says how to get it again", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    const bytes = await readFile(raw.path);
    await writeFile(raw.path, bytes.with(40, bytes[40]! ^ 1));
    const error: Error = await api.history("ecpnd").then(() => null, (error) => error);
    expect(error).toBeInstanceOf(IntegrityError);
    expect(error.message).toContain("SHA-256 of the compressed file");
    expect(error.message).toContain(`remove ${dirname(raw.path)} and load again`);
  });

  test("refuses a file of another size than the one that was received", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    const metadata = join(dirname(raw.path), "release.json");
    const known = JSON.parse(await readFile(metadata, "utf8"));
    await writeFile(metadata, JSON.stringify({ ...known, size_bytes: 1234 }));
    await expect(api.history("ecpnd", { offline: true })).rejects.toThrow(
      /size in bytes: 1,234 is required, found/,
    );
  });

  test("accepts metadata that the service corrected, from then on also offline", async () => {
    let rows = 5;
    const api = await service.connect({
      fetch: async (request: Request) => {
        const response = await service.fetch(request);
        if (pathOf(request) !== METADATA) return response;
        const headers = new Headers(response.headers);
        headers.delete("Content-Length");
        return new Response(JSON.stringify({ ...await response.json(), rows }), { headers });
      },
    });
    await expect(api.history("ecpnd")).rejects.toThrow("5 is required, found 4");
    rows = 4;
    sent();
    expect((await api.history("ecpnd")).height).toBe(4);
    expect(sent()).toEqual([METADATA]);
    const lazy = await api.history("ecpnd", { lazy: true, offline: true }).withResponse();
    expect(lazy.raw.release.rows).toBe(4);
    rows = 3;
    await expect(api.history("ecpnd")).rejects.toThrow("3 is required, found 4");
    const { downloadSha256 } = lazy.raw.release;
    expect((await api.history("ecpnd", { downloadSha256 })).height).toBe(4);
  });

  test("gives a lazy frame with the same rows, tickers as text, and provenance", async () => {
    const api = await service.connect();
    const lazy = await api.history("ecpnd", { lazy: true });
    const wanted = await lazy.filter(pl.col("ticker").eq(pl.lit("NA"))).collect();
    expect(wanted.select("date", "ticker", "ecpnd_score", "factor").rows()).toEqual([
      [new Date("2026-08-13"), "NA", null, "ecpnd"],
      [new Date("2026-08-14"), "NA", 1, "ecpnd"],
    ]);
    expect(sent()).toEqual([METADATA, HEAD, FILE]);
  });

  test("reads the derived Parquet file, and makes a damaged one anew from the original", async () => {
    const api = await service.connect();
    const { data: lazy, raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const rows = (await lazy.collect()).toRecords();
    const derived = join(dirname(raw.path), "history.parquet");
    const eager = await api.history("ecpnd", { offline: true, tickers: "text" }).withResponse();
    expect(eager.data.drop("source").toRecords()).toEqual(rows.map(({ source: _, ...row }) => row));
    expect(eager.raw.report.checks).toHaveLength(18);
    const bytes = await readFile(derived);
    await writeFile(derived, bytes.with(bytes.length >> 1, bytes[bytes.length >> 1]! ^ 1));
    const again = await api.history("ecpnd", { offline: true, lazy: true });
    expect((await again.collect()).drop("source").toRecords())
      .toEqual(rows.map(({ source: _, ...row }) => row));
    expect((await readFile(derived)).equals(bytes)).toBe(true);
  });

  test("says that a lazy frame needs a Parquet file which cannot be written", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    await mkdir(join(dirname(raw.path), "history.parquet", "in the way"), { recursive: true });
    await expect(api.history("ecpnd", { lazy: true, offline: true })).rejects.toThrow(
      /^Cannot load the ecpnd history lazily: a Parquet file beside .* load it without lazy/,
    );
    expect((await api.history("ecpnd", { offline: true })).height).toBe(4);
  });

  test("reads a derived file whose tickers have other places in this process", async () => {
    const api = await service.connect();
    const { raw } = await api.history("ecpnd", { lazy: true }).withResponse();
    const metadata = join(dirname(raw.path), "history.parquet.json");
    const known = JSON.parse(await readFile(metadata, "utf8"));
    // As if another process had written it, in which the two tickers stood the other way round.
    const codes = known.codes.toReversed();
    await writeFile(metadata, JSON.stringify({ ...known, codes }));
    const frame = await api.history("ecpnd", { offline: true });
    expect(frame.getColumn("ticker").toArray()).toEqual(["NA", "A", "NA", "A"]);
  });
});

test("history() reads a file of some megabytes in a thread of its own, with the same result", async () => {
  const rows = await offerLargeRelease();
  const api = await service.connect();
  const downloaded = await api.history("ecpnd");
  expect(downloaded.height).toBe(rows.length);
  expect(downloaded.row(rows.length - 1)[2]).toBe(Number(rows.at(-1)!.split(",")[2]));
  const derived = await api.history("ecpnd", { offline: true });
  expect(derived.drop("source").frameEqual(downloaded.drop("source"))).toBe(true);
});

test("history() has constant columns in one piece, also from a file that was written in pieces", async () => {
  const rows = await offerLargeRelease();
  const api = await service.connect();
  const lazy = await api.history("ecpnd", { lazy: true });
  const last = await lazy.filter(pl.col("date").eq(pl.lit(new Date("2025-09-17")).cast(pl.Date)))
    .collect();
  expect(last.getColumn("ticker").toArray().slice(0, 3)).toEqual(["T0", "T1", "T2"]);
  const whole = await api.history("ecpnd", { offline: true });
  expect(whole.height).toBe(rows.length);
  const inPieces = whole.columns.filter((name) => whole.getColumn(name).nChunks() > 1);
  expect(inPieces).toEqual(["ticker", "ecpnd_score"]);
  const lines = whole.tail(2).rows().map(([date, ticker, score]) =>
    `${(date as Date).toISOString().slice(0, 10)},${ticker},${score}`
  );
  expect(lines).toEqual(rows.slice(-2));
});

/** Offers a release of some megabytes, and returns its lines without the header. */
async function offerLargeRelease(): Promise<readonly string[]> {
  const days = Array.from({ length: 260 }, (_, i) => new Date(Date.UTC(2025, 0, 1 + i)))
    .filter((day) => day.getUTCDay() % 6 !== 0).map((day) => day.toISOString().slice(0, 10));
  const rows = days.flatMap((day, d) =>
    Array.from(
      { length: 2000 },
      (_, t) => `${day},T${t},${(((d * 7919 + t * 104729) * 2654435761) >>> 0) / 2 ** 32}`,
    )
  );
  const bytes = gzipLines([GOOD_LINES[0]!, ...rows]);
  expect(bytes.length).toBeGreaterThan(2_000_000);
  await offerRelease(service.fixture.store, bytes, {
    metadata: {
      rows: rows.length,
      scoredRows: rows.length,
      missingRows: 0,
      sessions: days.length,
      tickers: 2000,
      firstSession: days[0]!,
      lastSession: days.at(-1)!,
    },
  });
  return rows;
}
