import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compare } from "../../src/client/compare.ts";
import { FIXTURE_SETS } from "../helpers/fixture_store.ts";
import { type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

describe("compare()", () => {
  test("tells what changed per ticker and as a summary", async () => {
    const api = await service.connect();
    const before = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first });
    const after = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.second });
    const { changes, summary } = compare(before, after.filter(pl.col("ticker").neq(pl.lit("1E5"))));
    expect(changes.select("ticker", "change").rows()).toEqual([
      ["0012", "unchanged"],
      ["1E5", "removed"],
      ["A", "moved"],
      ["BF-B", "null_to_value"],
      ["BRK.B", "unchanged"],
      ["NA", "value_to_null"],
      ["TRUE", "unchanged"],
      ["ZZZZZZZZZZZZZZZZ", "unchanged"],
    ]);
    const moved = changes.filter(pl.col("ticker").eq(pl.lit("A"))).toRecords()[0]!;
    expect(moved.move).toBeCloseTo(0.05, 12);
    expect([moved.rank_before, moved.rank_after, moved.rank_shift]).toEqual([5, 5, 0]);
    expect(summary.select("change", "tickers").rows()).toEqual([
      ["added", 0],
      ["removed", 1],
      ["value_to_null", 1],
      ["null_to_value", 1],
      ["moved", 1],
      ["unchanged", 4],
    ]);
  });

  test("writes its summary as text, also in a terminal", async () => {
    const api = await service.connect();
    const before = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first });
    const comparison = compare(before, await api.scores("ecpnd"));
    expect(String(comparison)).toMatch(/^6 rows × 6 columns \[synthetic\]\nchange +tickers/);
    expect(String(comparison)).toMatch(/^moved +1 /m);
    expect(Deno.inspect(comparison)).toBe(String(comparison));
  });

  test("refuses frames of two factors", async () => {
    const api = await service.connect();
    const frames = [await api.scores("ecpnd"), await api.scores("ecqdi")] as const;
    expect(() => compare(...frames)).toThrow(TypeError);
  });

  test("refuses live sets against a release, and two calculation definitions, unless told", async () => {
    const api = await service.connect();
    const live = await api.scores("ecpnd", { snapshotId: FIXTURE_SETS.ecpnd.first });
    const release = await api.history("ecpnd");
    const session = release.filter(pl.col("date").eq(pl.col("date").max()));
    expect(() => compare(session, live)).toThrow("got a release and live sets; mixed: true");
    expect(compare(session, live, { mixed: true }).summary.height).toBe(6);
    const redefined = live.withColumns(pl.lit("ecpnd-v2").alias("factor_version"));
    expect(() => compare(live, redefined)).toThrow("got ecpnd-v1 and ecpnd-v2; mixed: true");
    expect(compare(live, redefined, { mixed: true }).summary.height).toBe(6);
    expect(compare(live, live.select("ticker", "ecpnd_score")).summary.height).toBe(6);
  });

  test("refuses a panel, in which tickers repeat", async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS });
    expect(() => compare(panel, panel)).toThrow('"0012" in the first');
  });
});
