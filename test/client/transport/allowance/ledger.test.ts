import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { StorageError } from "../../../../src/base/errors.ts";
import { UNKNOWN_ACCOUNT } from "../../../../src/client/transport/allowance/account_state.ts";
import { openLedger, openMemoryLedger } from "../../../../src/client/transport/allowance/ledger.ts";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-ledger-"));
  path = join(folder, "deep", "account.sqlite");
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const hold = { scope: "*", status: 429, code: null, untilMs: 5 };

describe.each(["in a file", "in memory"])("a ledger %s", (where) => {
  const open = () => where === "in memory" ? Promise.resolve(openMemoryLedger()) : openLedger(path);

  test("knows nothing at first", async () => {
    const ledger = await open();
    expect(ledger.read()).toEqual(UNKNOWN_ACCOUNT);
    expect(ledger.readValidator("u")).toBeNull();
    ledger.close();
  });

  test("keeps nothing that looks like a key, neither as a URL nor as a validator", async () => {
    const ledger = await open();
    const key = "svc_test_ledger0123456789";
    const validator = { etag: '"e"', check: "c", snapshotId: "s" };
    ledger.writeValidator(`http://x/${key}`, validator);
    ledger.writeValidator("u", { ...validator, etag: key });
    expect(ledger.readValidator(`http://x/${key}`)).toBeNull();
    expect(ledger.readValidator("u")).toBeNull();
    ledger.writeValidator("u", validator);
    expect(ledger.readValidator("u")).toEqual(validator);
    ledger.close();
  });

  test("keeps what an update makes of the state, and gives its result", async () => {
    const ledger = await open();
    const result = ledger.update((state) => ({ state: { ...state, holds: [hold] }, result: 7 }));
    expect(result).toBe(7);
    expect(ledger.read().holds).toEqual([hold]);
    ledger.close();
  });

  test("keeps the state when an update throws", async () => {
    const ledger = await open();
    expect(() =>
      ledger.update(() => {
        throw new Error("no");
      })
    ).toThrow("no");
    expect(ledger.read()).toEqual(UNKNOWN_ACCOUNT);
    ledger.update((state) => ({ state: { ...state, holds: [hold] }, result: null }));
    expect(ledger.read().holds).toEqual([hold]);
    ledger.close();
  });

  test("keeps the last validator of a URL", async () => {
    const ledger = await open();
    ledger.writeValidator("u", { etag: 'W/"1"', check: "a.json", snapshotId: "s" });
    ledger.writeValidator("u", { etag: 'W/"2"', check: "b.json", snapshotId: "s" });
    expect(ledger.readValidator("u")?.etag).toBe('W/"2"');
    ledger.close();
  });

  test("keeps for each factor when an unfinished download began", async () => {
    const ledger = await open();
    ledger.writeUnfinished("ecqdi", "2026-11-20T15:00:00.000Z");
    expect([ledger.readUnfinished("ecpnd"), ledger.readUnfinished("ecqdi")])
      .toEqual([null, "2026-11-20T15:00:00.000Z"]);
    ledger.writeUnfinished("ecqdi", null);
    expect(ledger.readUnfinished("ecqdi")).toBeNull();
    ledger.close();
  });

  test("may be closed twice, and says afterwards that it is closed", async () => {
    const ledger = await open();
    ledger.close();
    ledger.close();
    const closed =
      "Cannot use the connection: expected an open one, got a closed one; connect() again";
    expect(() => ledger.read()).toThrow(closed);
    expect(() => ledger.update((state) => ({ state, result: null }))).toThrow(closed);
    expect(() => ledger.readValidator("u")).toThrow(closed);
    expect(() => ledger.readUnfinished("ecpnd")).toThrow(closed);
  });
});

describe("a ledger in a file", () => {
  test("is one for all who open it, and outlives them", async () => {
    const [a, b] = [await openLedger(path), await openLedger(path)];
    a.update((state) => ({ state: { ...state, holds: [hold] }, result: null }));
    expect(b.read().holds).toEqual([hold]);
    a.close();
    b.close();
    const again = await openLedger(path);
    expect(again.read().holds).toEqual([hold]);
    again.close();
  });

  test.runIf(Deno.build.os === "linux")("makes a folder that nobody else can read", async () => {
    (await openLedger(path)).close();
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
  });

  test("waits for the disk at every change but those that need not survive a power loss", async () => {
    const ledger = await openLedger(path);
    const executed = vi.spyOn(DatabaseSync.prototype, "exec");
    const change = (durable?: boolean) =>
      ledger.update(
        (state) => ({ state: { ...state }, result: null }),
        durable === undefined ? {} : { durable },
      );
    try {
      change();
      change(false);
      change(false);
      change(true);
      ledger.writeValidator("u", { etag: '"e"', check: "c", snapshotId: "s" });
      change();
      ledger.writeValidator("u", { etag: '"f"', check: "c", snapshotId: "s" });
      ledger.writeUnfinished("ecpnd", null);
      const statements = executed.mock.calls.map(([sql]) => sql);
      const [lazily, durably] = ["PRAGMA synchronous = NORMAL", "PRAGMA synchronous = FULL"];
      const changed = ["BEGIN IMMEDIATE", "COMMIT"];
      expect(statements).toEqual([
        ...changed,
        ...[lazily, ...changed, ...changed],
        ...[durably, ...changed],
        lazily,
        ...[durably, ...changed],
        lazily,
        durably,
      ]);
    } finally {
      executed.mockRestore();
      ledger.close();
    }
  });

  test("shows a change that did not wait for the disk to the others at once", async () => {
    const [a, b] = [await openLedger(path), await openLedger(path)];
    a.update((state) => ({ state: { ...state, holds: [hold] }, result: null }), { durable: false });
    expect(b.read().holds).toEqual([hold]);
    a.close();
    b.close();
  });

  test.each<[string, () => Promise<void>]>([
    ["whose tables are gone", async () => {
      const other = new DatabaseSync(path);
      other.exec("DROP TABLE account; DROP TABLE validator; DROP TABLE unfinished");
      await Promise.resolve(other.close());
    }],
    ["with another schema", async () => {
      const other = new DatabaseSync(path);
      other.exec("DROP TABLE account; CREATE TABLE account (something TEXT)");
      await Promise.resolve(other.close());
    }],
    ["with a row that is no state", async () => {
      const other = new DatabaseSync(path);
      other.exec("INSERT OR REPLACE INTO account VALUES (1, '{\"windows\":3}')");
      await Promise.resolve(other.close());
    }],
    ["with a row that is no JSON", async () => {
      const other = new DatabaseSync(path);
      other.exec("INSERT OR REPLACE INTO account VALUES (1, '{')");
      await Promise.resolve(other.close());
    }],
    ["whose pages are damaged", async () => {
      const other = new DatabaseSync(path);
      other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      other.close();
      const bytes = await readFile(path);
      await writeFile(path, bytes.fill(0x5a, 100));
    }],
  ])("%s after it was opened is an error that names the file", async (_, damage) => {
    const ledger = await openLedger(path);
    ledger.update((state) => ({ state: { ...state, holds: [hold] }, result: null }));
    await damage();
    const use = () =>
      ledger.update((state) => ({ state: { ...state, lostSome: !state.lostSome }, result: null }));
    expect(use).toThrow(StorageError);
    expect(use).toThrow(`Cannot use the allowance ledger ${path}: expected a SQLite file`);
    expect(use).toThrow(/remove the file.*: the service reports the remaining allowance again/);
    ledger.close();
  });

  test("with another schema is refused when it is opened", async () => {
    (await openLedger(path)).close();
    const other = new DatabaseSync(path);
    other.exec("DROP TABLE account; CREATE TABLE account (something TEXT)");
    other.close();
    await expect(openLedger(path)).rejects.toThrow(StorageError);
    await expect(openLedger(path)).rejects.toThrow(`allowance ledger ${path}`);
  });

  test("that is damaged says what to do", async () => {
    const damaged = join(folder, "damaged.sqlite");
    await writeFile(
      damaged,
      "this is no database, and it is long enough to be read as one ".repeat(20),
    );
    await expect(openLedger(damaged)).rejects.toThrow("; remove the file: ");
  });

  test("in a folder that cannot be made says where one can be, and not to make room", async () => {
    await writeFile(join(folder, "file"), "");
    // A folder in the place of the file stands for a disk that is read-only, which an administrator alone can mount.
    await mkdir(join(folder, "folder.sqlite"));
    await expect(openLedger(join(folder, "folder.sqlite"))).rejects.toThrow(
      `"unable to open database file`,
    );
    await expect(openLedger(join(folder, "folder.sqlite"))).rejects.toThrow(
      `allow this user to write to ${folder}, or set XDG_CACHE_HOME or cacheDir to a folder that can be written`,
    );
  });
});
