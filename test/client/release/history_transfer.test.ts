import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError, StorageError, TransportError } from "../../../src/base/errors.ts";
import {
  FILE,
  GOOD_LINES,
  gzipLines,
  HEAD,
  METADATA,
  offerRelease,
  releaseFiles,
  sha256Of,
} from "./_release_files.ts";
import { pathOf, type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const sent = () => service.requests.splice(0).map(pathOf);
const linesWith = (score: string) => gzipLines(GOOD_LINES.with(1, `2026-08-13,A,${score}`));

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
      /replaced the release twice.*maxDownloads.*spent one of the day's 10, 9 are left, and nothing was kept/,
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
    expect(error.message).toContain("damaged in transit");
    expect(error.message).toContain("10, 9 are left");
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
    expect(error.message).toContain("10, 9 are left");
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
    expect(notices.join()).toContain("failed, and spent one of the day's downloads");
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
    const error: Error = await api.history("ecpnd", { timeoutMs: 1_000 }).then(
      () => null,
      (error) => error,
    );
    expect(error).toBeInstanceOf(TransportError);
    expect(error.message).toContain("within timeoutMs 1000");
    expect(error.message).toContain("10, 9 are left");
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
    expect(notices.join()).toContain("failed, and spent");
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
    expect((await api.allowance()).inFlight).toBe(0);
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
      /^Cannot download the ecpnd history: expected 999999999999999 free bytes .* no download was spent/,
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
    expect(error).toBeInstanceOf(StorageError);
    expect(error.message).toMatch(
      /^Cannot keep the ecpnd history: expected a writable disk.*\(ENOENT\)"; the started download spent one of the day's 10, 9 are left, and nothing was kept$/,
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

describe("history() from the service", () => {
  test("says of metadata that do not tell it that the numbers are synthetic", async () => {
    await offerRelease(service.fixture.store, linesWith("0.75"), { metadata: { extra: {} } });
    const api = await service.connect();
    expect((await api.history("ecpnd")).getColumn("source").toArray()[0]).toBe(
      "embedded, synthetic",
    );
  });

  test("lets a second load of the factor wait for the first, which it then finds in the store", async () => {
    const api = await service.connect();
    await Promise.all([api.history("ecpnd"), api.history("ecpnd")]);
    expect(sent()).toEqual([METADATA, HEAD, FILE, METADATA]);
  });

  test("fails when the file cannot be kept, whatever was read from it", async () => {
    const bytes = linesWith("0.75");
    await offerRelease(service.fixture.store, bytes);
    const api = await service.connect();
    const releases = join(api.store, "ecpnd", "releases");
    await mkdir(releases, { recursive: true });
    await writeFile(join(releases, sha256Of(bytes)), "in the way of the folder");
    await expect(api.history("ecpnd")).rejects.toThrow("Cannot keep the");
    expect((await api.allowance()).inFlight).toBe(0);
  });

  test("gives up a release that changes with every download after two of them", async () => {
    let day = 1;
    const offerNext = () =>
      offerRelease(service.fixture.store, linesWith(`0.${day}`), {
        availableFrom: `2026-10-0${day++}T00:00:00.000Z`,
      });
    const fetch = async (request: Request) => {
      // What is announced is another file by the time that it is fetched, and so on.
      if (pathOf(request) === FILE && day < 6) await offerNext();
      const response = await service.fetch(request);
      if (pathOf(request) === FILE && day < 6) await offerNext();
      return response;
    };
    const api = await service.connect({ fetch });
    await expect(api.history("ecpnd")).rejects.toThrow("replaced the release");
    expect(sent().filter((request) => request === FILE)).toHaveLength(2);
  });
});
