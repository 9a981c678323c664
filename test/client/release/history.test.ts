import { RELEASE_COLUMNS } from "../../helpers/provenance_names.ts";
import { execFileSync } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type IntegrityError, NotFoundError } from "../../../src/base/errors.ts";
import type { ReleaseReport } from "../../../src/client/release/release_report.ts";
import type { DISPLAY } from "../../../src/frames/notebook/display.ts";
import { assertOneVintage } from "../../../src/frames/vintage/one_vintage.ts";
import { exportRelease } from "../../../src/frames/vintage/export_release.ts";
import { provenance } from "../../../src/frames/vintage/provenance.ts";
import {
  FILE,
  GOOD_LINES,
  gzipLines,
  HEAD,
  METADATA,
  offerLargeRelease,
  offerRelease,
  releaseFiles,
} from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);

describe("history()", () => {
  test("gives date, ticker, score and seven provenance columns for two requests and a download", async () => {
    const api = await service.connect();
    const frame = await api.history("ecpnd");
    expect(frame.columns).toEqual(["date", "ticker", "ecpnd_score", ...RELEASE_COLUMNS]);
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
    const { length: rows } = await offerLargeRelease(service.fixture.store);
    const { url } = await service.server.listen();
    const cacheDir = await service.makeFolder();
    const apis = await Promise.all([1, 2, 3].map(() => service.connectTo(url, { cacheDir })));
    const frames = await Promise.all(apis.map((api) => api.history("ecpnd")));
    expect(frames.map((frame) => frame.height)).toEqual([rows, rows, rows]);
    const { entries } = service.server.journal;
    expect(entries.filter((entry) => entry.spentDownloads > 0)).toHaveLength(1);
    expect((await apis[1]!.allowance()).download.remaining).toBe(9);
  });

  test("spends no download that is not allowed", async () => {
    const api = await service.connect();
    await expect(api.history("ecpnd", { maxDownloads: 0 })).rejects.toThrow(
      "maxDownloads 0 does not allow a download; raise maxDownloads",
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
    await expect(api.history("ecxyz" as "ecpnd")).rejects.toThrow(TypeError);
    await expect(api.history("ecpnd", { downloadSha256: "abc" })).rejects.toThrow(RangeError);
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
      metadata: { rows: 3, scoredRows: 2, tickers: null, sessions: null, windowYears: null, extra },
    });
    const api = await service.connect();
    const { raw } = await api.history("ecpnd").withResponse();
    expect(raw.report.passed).toBe(true);
    expect(String(raw.report)).toContain("✓ rows: 3\n");
    expect(String(raw.report)).toContain("– distinct sessions: 2, not stated\n");
    expect(String(raw.report)).toContain("– distinct tickers: 2, not comparable");
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

  test("carries the provenance that is asked for, and tickers that join with text", async () => {
    const api = await service.connect();
    const bare = await api.history("ecpnd", { provenance: false });
    expect(bare.columns).toEqual(["date", "ticker", "ecpnd_score"]);
    const names = pl.DataFrame([pl.Series("ticker", ["NA"], pl.Utf8)]);
    expect(bare.join(names, { on: "ticker" }).height).toBe(2);
    const small = await api.history("ecpnd", { provenance: false, tickers: "categorical" });
    expect(small.getColumn("ticker").dtype).toEqual(pl.Categorical);
    const some = await api.history("ecpnd", { provenance: ["source"] });
    expect(some.columns).toEqual(["date", "ticker", "ecpnd_score", "source"]);
  });

  test("gives frames that can be exported as the release, however they were loaded", async () => {
    const api = await service.connect();
    const folder = await service.makeFolder();
    const frames = [
      await api.history("ecpnd"),
      await api.history("ecpnd", { offline: true, tickers: "categorical", provenance: false }),
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
    await expect(unknown).rejects.toThrow(
      "which keeps no earlier release; take it from a store or study that has it",
    );
  });

  test("tells of another file with the facts of an earlier one, with the number of rows that differ", async () => {
    const told: string[] = [];
    const listen = ({ name, message }: Error) => name === "ScoreframeNotice" && told.push(message);
    process.on("warning", listen);
    const api = await service.connect();
    const before = await api.history("ecpnd").withResponse();
    const offer = async (lines: readonly string[], metadata = {}) => {
      await offerRelease(service.fixture.store, gzipLines(lines), { metadata });
      await api.history("ecpnd");
      await new Promise((resolve) => setTimeout(resolve, 5));
      return told.splice(0);
    };
    const { downloadSha256, download: _, ...facts } = before.raw.release;
    const [notice] = await offer(GOOD_LINES.with(1, "2026-08-13,A,0.75"), facts);
    expect(notice).toContain("rows that differ: 1 of 4");
    expect(notice).toContain(`downloadSha256: "${downloadSha256}"`);
    const newer = GOOD_LINES.map((line) => line.replace("2026-08-13", "2026-08-12"));
    expect(await offer(newer, { ...facts, firstSession: "2026-08-12" })).toEqual([]);
    process.off("warning", listen);
  });
});
