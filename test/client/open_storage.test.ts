import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "../../src/client/connect.ts";
import { KEY, type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const exists = (path: string) => stat(path).then(() => true, () => false);
const ledgersOf = async (cacheDir: string) =>
  (await readdir(join(cacheDir, "ledgers"))).filter((name) => name.endsWith(".sqlite"));

describe("the store of a connection", () => {
  test("to a service of the network is in the user's cache folder, and stays there", async () => {
    const home = await service.makeFolder();
    const options = { environment: { XDG_CACHE_HOME: home }, apiKey: KEY };
    const api = await connect({ ...options, baseUrl: "https://api.example.com/research" });
    expect(api.store).toBe(join(home, "scoreframe/stores/https-api.example.com_research"));
    await api.close();
    expect(await exists(join(api.store, "store.json"))).toBe(true);
  });

  test("to an embedded service is temporary, and gone after close()", async () => {
    const api = await service.connect();
    await api.scores("ecpnd");
    expect(await exists(join(api.store, "store.json"))).toBe(true);
    await api.close();
    expect(await exists(api.store)).toBe(false);
  });

  test("that the caller named stays, also for an embedded service", async () => {
    const store = await service.makeFolder();
    const api = await service.connect({ store });
    await api.close();
    expect(await exists(join(store, "store.json"))).toBe(true);
  });
});

describe("a place that cannot be written", () => {
  test("is an error of connect() that says which, and what to do", async () => {
    const file = join(await service.makeFolder(), "file");
    await writeFile(file, "");
    await expect(service.connect({ store: file })).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringMatching(
        /^Cannot make the store ".*file": expected access to the file system, got ".*"; .*; connect with/,
      ),
    });
    await mkdir(join(`${file}s`));
    await writeFile(join(`${file}s`, "ledgers"), "");
    await expect(service.connect({ cacheDir: `${file}s` })).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringContaining("Cannot open the allowance ledger"),
    });
  });

  test("makes a load fail with the note that its answer was not kept; the next load may succeed", async () => {
    const store = join(await service.makeFolder(), "store");
    const api = await service.connect({ store });
    await writeFile(join(store, "ecpnd"), "");
    await expect(api.scores("ecpnd")).rejects.toMatchObject({
      name: "StorageError",
      message: expect.stringMatching(
        /^Cannot load the latest ecpnd scores: expected to write the answer to the store .* before it becomes a frame, got /,
      ),
    });
    await rm(join(store, "ecpnd"));
    expect((await api.scores("ecpnd")).height).toBe(8);
  });
});

describe("a folder that the caller named", () => {
  test("is refused if it holds other things than a store, and nothing is written into it", async () => {
    const folder = await service.makeFolder();
    await writeFile(join(folder, "thesis.tex"), "");
    await expect(service.connect({ store: folder })).rejects.toMatchObject({
      name: "StorageError",
      message:
        `Cannot use the store ${folder}: expected a store, or an empty or new folder, got one ` +
        'without store.json that contains "thesis.tex"; connect with another folder',
    });
    expect(await readdir(folder)).toEqual(["thesis.tex"]);
  });

  test("becomes a store if what it has is hidden, and stays one", async () => {
    const folder = await service.makeFolder();
    await writeFile(join(folder, ".gitignore"), "");
    await (await service.connect({ store: folder })).scores("ecpnd");
    await service.connect({ store: folder });
    expect((await readdir(folder)).toSorted()).toEqual([".gitignore", "ecpnd", "store.json"]);
  });

  test.each(["~", "~/scores", "~\\scores"])(
    "is refused with the reason if it is %s",
    async (path) => {
      for (const name of ["store", "cacheDir"]) {
        await expect(service.connect({ [name]: path })).rejects.toMatchObject({
          name: "StorageError",
          message: expect.stringMatching(
            new RegExp(
              `^Cannot use ${name} "~.*expected a path without ~, which only a shell expands`,
            ),
          ),
        });
      }
      expect(await exists("~")).toBe(false);
    },
  );
});

describe("the ledger of a connection", () => {
  test("is one file per account and service, whose name holds nothing of the key", async () => {
    const cacheDir = await service.makeFolder();
    await service.connect({ cacheDir });
    await service.connect({ cacheDir });
    expect(await ledgersOf(cacheDir)).toHaveLength(1);
    await service.connect({ cacheDir, apiKey: "svc_test_another0123456789" });
    const names = await ledgersOf(cacheDir);
    expect(names).toHaveLength(2);
    expect(names.join()).not.toMatch(/another|client0123|svc_/);
  });

  test("of a server on this machine goes when the day of what it counts is over", async () => {
    const cacheDir = await service.makeFolder();
    const first = await service.server.listen();
    const api = await service.connectTo(first.url, { cacheDir });
    await api.factors();
    await api.close();
    expect(await ledgersOf(cacheDir)).toHaveLength(1);
    const second = await service.server.listen();
    await (await service.connectTo(second.url, { cacheDir })).close();
    expect(await ledgersOf(cacheDir)).toEqual([
      expect.stringContaining(`_${new URL(first.url).port}-`),
    ]);
    service.clock.ms = Date.parse("2026-11-21T00:00:01Z");
    await (await service.connectTo(second.url, { cacheDir })).close();
    expect(await ledgersOf(cacheDir)).toEqual([]);
  });

  test("of a service of the network stays, whatever it counts", async () => {
    const cacheDir = await service.makeFolder();
    const options = { cacheDir, apiKey: KEY, now: () => Date.parse("2026-11-22T00:00:00Z") };
    await (await connect({ ...options, baseUrl: "https://localhost.example.com" })).close();
    const listener = await service.server.listen();
    await (await service.connectTo(listener.url, { cacheDir })).close();
    expect(await ledgersOf(cacheDir)).toEqual([
      expect.stringMatching(/^https-localhost\.example\.com-/),
    ]);
  });

  test("is closed with the connection: no file of its journal is left", async () => {
    const cacheDir = await service.makeFolder();
    const api = await service.connect({ cacheDir });
    await api.factors();
    await api.close();
    expect(await readdir(join(cacheDir, "ledgers")))
      .toEqual([".lock", ...(await ledgersOf(cacheDir))]);
  });
});
