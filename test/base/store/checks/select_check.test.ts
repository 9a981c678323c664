import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  proveCheckAt,
  readPublication,
  selectCheckAt,
} from "../../../../src/base/store/checks/select_check.ts";
import { Store } from "../../../../src/base/store/store.ts";
import { RECORDING, stored } from "../_stored.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-store-"));
  store = await Store.create(folder, RECORDING);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("selectCheckAt()", () => {
  const AT = "2026-11-19T15:00:00.000Z";

  test("knows nothing of an instant that a recording does not prove", async () => {
    await store.putCheck(stored(AT));
    expect(await selectCheckAt(store, "ecpnd", "2026-11-19T15:00:00.001Z")).toEqual({
      known: false,
    });
    expect(await selectCheckAt(store, "ecpnd", "2026-11-19T14:59:59.999Z")).toEqual({
      known: false,
    });
  });

  test("knows the instant of a check itself, and all between it and a view that gave it", async () => {
    const name = await store.putCheck(stored(AT));
    await store.putView("ecpnd", { at: "2026-11-19T15:40:00.000Z", check: name });
    for (const at of [AT, "2026-11-19T15:10:00.000Z", "2026-11-19T15:40:00.000Z"]) {
      const selection = await selectCheckAt(store, "ecpnd", at);
      expect(selection.known && selection.stored?.check.lastCheckedAt).toBe(AT);
    }
    expect((await selectCheckAt(store, "ecpnd", "2026-11-19T15:40:00.001Z")).known).toBe(false);
  });

  test("does not take a later view of a later check as proof", async () => {
    await store.putCheck(stored(AT));
    const later = await store.putCheck(stored("2026-11-19T16:00:00.000Z"));
    await store.putView("ecpnd", { at: "2026-11-19T16:30:00.000Z", check: later });
    expect((await selectCheckAt(store, "ecpnd", "2026-11-19T15:30:00.000Z")).known).toBe(false);
  });

  test("does not hand out a stale label, which belongs to a latest request, as the recorded status", async () => {
    await store.putCheck(stored(AT, { status: "stale" }));
    expect((await selectCheckAt(store, "ecpnd", AT)).known).toBe(false);
    await store.putCheck(stored(AT, { status: "partial_market_data" }));
    const selection = await selectCheckAt(store, "ecpnd", AT);
    expect(selection.known && selection.stored?.check.status).toBe("partial_market_data");
  });

  test("does not hand out a stale label of a complete store either", async () => {
    const complete = { from: "2026-11-19T00:00:00.000Z", through: "2026-11-20T00:00:00.000Z" };
    const whole = await Store.create(join(folder, "world"), { ...RECORDING, complete });
    await whole.putCheck(stored(AT, { status: "stale" }));
    expect((await selectCheckAt(whole, "ecpnd", AT)).known).toBe(false);
  });

  test("proveCheckAt() tells which check it was all the same, with the label of a latest request", async () => {
    const name = await store.putCheck(stored(AT, { status: "stale" }));
    const seen = "2026-11-19T17:00:00.000Z";
    await store.putView("ecpnd", { at: seen, check: name });
    const found = await proveCheckAt(store, "ecpnd", seen);
    expect(found.known && found.stored?.check.status).toBe("stale");
    expect((await proveCheckAt(store, "ecpnd", "2026-11-19T17:00:00.001Z")).known).toBe(false);
  });

  test("decides everything in the span that a store declares complete, even that there was nothing", async () => {
    const complete = { from: "2026-11-19T00:00:00.000Z", through: "2026-11-20T00:00:00.000Z" };
    const whole = await Store.create(join(folder, "world"), { ...RECORDING, complete });
    await whole.putCheck(stored("2026-11-19T14:00:00.000Z"));
    await whole.putCheck(stored(AT));
    const select = (at: string) => selectCheckAt(whole, "ecpnd", at);
    expect(await select("2026-11-19T13:59:59.999Z")).toEqual({ known: true, stored: null });
    expect(await select("2026-11-19T23:00:00.000Z")).toMatchObject({
      stored: { check: { lastCheckedAt: AT } },
    });
    expect(await select("2026-11-20T00:00:00.001Z")).toEqual({ known: false });
  });

  test("counts both ends of that span in, and nothing before it", async () => {
    const complete = { from: "2026-11-19T14:30:00.000Z", through: AT };
    const whole = await Store.create(join(folder, "world"), { ...RECORDING, complete });
    await whole.putCheck(stored("2026-11-19T14:00:00.000Z"));
    const known = async (at: string) => (await selectCheckAt(whole, "ecpnd", at)).known;
    expect(await known("2026-11-19T14:29:59.999Z")).toBe(false);
    expect(await known("2026-11-19T14:30:00.000Z")).toBe(true);
    expect(await known(AT)).toBe(true);
    expect(await known("2026-11-19T15:00:00.001Z")).toBe(false);
  });

  test("readPublication() finds the check with which a set was published", async () => {
    await store.putCheck(stored(AT));
    expect(await readPublication(store, "ecpnd", "2026-11-19T14:00:00.000Z")).toBeNull();
    await store.putCheck(stored("2026-11-19T14:00:00.000Z"));
    const publication = await readPublication(store, "ecpnd", "2026-11-19T14:00:00.000Z");
    expect(publication?.check.lastCheckedAt).toBe("2026-11-19T14:00:00.000Z");
    expect(await readPublication(store, "ecpnd", "2026-11-19T14:00:00.001Z")).toBeNull();
  });
});
