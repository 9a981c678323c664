import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findProvedSpan } from "../../../../src/base/store/checks/select_check.ts";
import { Store } from "../../../../src/base/store/store.ts";
import { RECORDING, stored } from "../_stored.ts";

let folder: string;
let store: Store;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-store-"));
  store = await Store.create(folder, RECORDING);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const FIRST = "2026-11-19T15:00:00.000Z";
const LAST = "2026-11-20T09:00:00.000Z";

describe("findProvedSpan()", () => {
  test("is null without a check", async () => {
    expect(await findProvedSpan(store, "ecpnd", null)).toBeNull();
    await store.putCheck(stored(FIRST));
    expect(await findProvedSpan(store, "ecpnd", "2026-11-19T14:59:59.999Z")).toBeNull();
    expect(await findProvedSpan(store, "ecqdi", null)).toBeNull();
  });

  test("is the last check alone where no view of a later instant gave it", async () => {
    const first = await store.putCheck(stored(FIRST));
    await store.putView("ecpnd", { at: "2026-11-19T15:20:00.000Z", check: first });
    await store.putCheck(stored(LAST));
    expect(await findProvedSpan(store, "ecpnd", null)).toEqual({ from: LAST, through: LAST });
  });

  test("goes up to the last view of the check, or of those up to an instant", async () => {
    const first = await store.putCheck(stored(FIRST));
    for (const time of ["15:10", "15:20"]) {
      await store.putView("ecpnd", { at: `2026-11-19T${time}:00.000Z`, check: first });
    }
    const last = await store.putCheck(stored(LAST));
    await store.putView("ecpnd", { at: "2026-11-20T09:05:00.000Z", check: last });
    const spanUntil = (until: string | null) => findProvedSpan(store, "ecpnd", until);
    expect(await spanUntil(null)).toEqual({ from: LAST, through: "2026-11-20T09:05:00.000Z" });
    expect(await spanUntil("2026-11-20T08:59:59.999Z"))
      .toEqual({ from: FIRST, through: "2026-11-19T15:20:00.000Z" });
    expect(await spanUntil("2026-11-19T15:19:00.000Z"))
      .toEqual({ from: FIRST, through: "2026-11-19T15:10:00.000Z" });
  });
});
