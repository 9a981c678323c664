import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccountState } from "../../../../src/client/transport/allowance/account_state.ts";
import {
  openLedger,
  removeEndedLedgers,
} from "../../../../src/client/transport/allowance/ledger.ts";

const NOW_MS = Date.parse("2026-11-20T15:00:00Z");
const MIDNIGHT_MS = Date.parse("2026-11-21T00:00:00Z");

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-ledgers-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function keep(name: string, changed: Partial<AccountState>) {
  const ledger = await openLedger(join(folder, name));
  ledger.update((state) => ({ state: { ...state, ...changed }, result: null }));
  return ledger;
}

async function remaining(nowMs: number, isRemovable = (_name: string) => true) {
  await removeEndedLedgers(folder, isRemovable, nowMs);
  return await visible();
}

// The folder holds a lock besides, whose name is hidden.
async function visible(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => !name.startsWith("."));
}

const day = {
  limit: 10_000,
  remaining: 9_999,
  resetMs: MIDNIGHT_MS,
  lowestTold: null,
  isTold: true,
};
const hold = { scope: "*", status: 429, code: null, untilMs: MIDNIGHT_MS };
const flight = { id: "a", owner: "host:1", download: false, leaseUntilMs: MIDNIGHT_MS };

describe("a ledger that has ended", () => {
  test.each<[string, Partial<AccountState>]>([
    ["a budget of which something is spent", { windows: { day } }],
    ["a hold", { holds: [hold] }],
    ["a request in flight", { flights: [flight] }],
  ])("is none with %s, until its time has come", async (_what, state) => {
    (await keep("a.sqlite", state)).close();
    expect(await remaining(MIDNIGHT_MS - 1)).toEqual(["a.sqlite"]);
    expect(await remaining(MIDNIGHT_MS)).toEqual([]);
  });

  test("ends by the clock of the service", async () => {
    (await keep("a.sqlite", { windows: { day }, clockOffsetMs: -3_600_000 })).close();
    expect(await remaining(MIDNIGHT_MS)).toEqual(["a.sqlite"]);
    expect(await remaining(MIDNIGHT_MS + 3_600_000)).toEqual([]);
  });

  test("is removed if nothing was spent", async () => {
    (await keep("a.sqlite", { windows: { day: { ...day, remaining: 10_000 } } })).close();
    expect(await remaining(NOW_MS)).toEqual([]);
  });

  test("stays while another connection has it open", async () => {
    const open = await keep("a.sqlite", {});
    expect(await remaining(NOW_MS)).toContain("a.sqlite");
    open.update((state) => ({ state: { ...state, holds: [hold] }, result: null }));
    expect(open.read().holds).toEqual([hold]);
    open.close();
    expect(await remaining(MIDNIGHT_MS)).toEqual([]);
  });

  test("stays if it may not be removed, and so does what is no ledger", async () => {
    (await keep("other.sqlite", {})).close();
    await writeFile(join(folder, "damaged.sqlite"), "no database, but text of some length");
    await writeFile(join(folder, "note.txt"), "");
    expect(await remaining(NOW_MS, (name) => name !== "other.sqlite")).toEqual([
      "damaged.sqlite",
      "note.txt",
      "other.sqlite",
    ]);
  });

  test("goes with the journal that a killed process left", async () => {
    const open = await keep("a.sqlite", {});
    const parts = await visible();
    expect(parts).toEqual(["a.sqlite", "a.sqlite-shm", "a.sqlite-wal"]);
    const copies = await Promise.all(
      parts.map(async (name) => [name, await Deno.readFile(join(folder, name))] as const),
    );
    open.close();
    for (const [name, bytes] of copies) await writeFile(join(folder, name), bytes);
    expect(await remaining(NOW_MS)).toEqual([]);
  });

  test("is not missed where there is no folder", async () => {
    await expect(removeEndedLedgers(join(folder, "none"), () => true, NOW_MS))
      .resolves.toBeUndefined();
  });

  test("is never removed while another process opens it", async () => {
    const script = fileURLToPath(new URL("_ledger_process.ts", import.meta.url));
    const run = promisify(execFile);
    const notebook = () =>
      run(process.execPath, ["run", "-A", script, folder, "60"], { cwd: ROOT });
    const results = await Promise.all([notebook(), notebook(), notebook()]);
    const told = "60 rounds, 0 lost\n";
    expect(results.map(({ stdout }) => stdout)).toEqual([told, told, told]);
    // The last to look may have found the ledger open in another, which looked before it closed.
    expect(await remaining(NOW_MS)).toEqual([]);
  });
});
