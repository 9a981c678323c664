import { describe, expect, test } from "vitest";
import { Store } from "../../../src/base/store/store.ts";
import { createScoreServer, openStore, publishScores } from "../../../src/server/mod.ts";
import type { StoreInfo, StoreReader } from "../../../src/server/mod.ts";

const INFO: StoreInfo = {
  format: 1,
  kind: "recording",
  description: "scores of my own",
  synthetic: false,
  complete: null,
  origin: { name: "own" },
};
const AT = "2026-11-19T15:00:00.000Z";

describe("a store of one's own", () => {
  test("is made, published into and opened again", async () => {
    const folder = await Deno.makeTempDir();
    const made = await Store.create(folder, INFO);
    await publishScores(made, { factor: "ecpnd", at: AT, scores: { BBB: null, AAA: 0.25 } });
    const store: StoreReader = await openStore(folder);
    const [check] = await store.listChecks("ecpnd");
    const stored = await store.readCheck("ecpnd", check!.name);
    const set = await store.readSet("ecpnd", stored!.check.snapshotId);
    expect(set!.rows).toEqual({ tickers: ["AAA", "BBB"], scores: [0.25, null] });
  });

  test("cannot be written by whoever only read it", async () => {
    const store: StoreReader = await Store.create(await Deno.makeTempDir(), INFO);
    // @ts-expect-error: a set is published, and never put
    expect(store.putSet).toBeTypeOf("function");
    // @ts-expect-error: nor is a check
    expect(store.putCheck).toBeTypeOf("function");
  });

  test("is refused where it was opened by something else", async () => {
    const store: StoreReader = await Store.create(await Deno.makeTempDir(), INFO);
    const own = { factor: "ecpnd", at: AT, scores: { AAA: 0.25 } } as const;
    await expect(publishScores({ ...store } as StoreReader, own)).rejects.toThrow(
      "Cannot write to the store: expected a store from openStore() or a world, got another object; open it with openStore()",
    );
    expect(() =>
      createScoreServer({
        store: { ...store } as StoreReader,
        accounts: [{ id: "desk", factors: ["ecpnd"], keys: [{ key: "svc_test_0123456789abc" }] }],
        checks: () => null,
      })
    ).toThrow(TypeError);
  });
});
