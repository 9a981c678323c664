import { PANEL_COLUMNS } from "../../helpers/provenance_names.ts";
import process from "node:process";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { assertOneVintage } from "../../../src/frames/vintage/one_vintage.ts";
import { publishScores } from "../../../src/server/mod.ts";
import { shownType } from "../../frames/frame/_dtype.ts";
import { FIXTURE_SETS } from "../../helpers/fixture_store.ts";
import { type Service, startService } from "../_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

const HOURS = ["10", "11", "12", "13", "14", "15"].map((hour) => `2026-11-20T${hour}:00:00Z`);

describe("panel()", () => {
  test("asks once for each distinct set, and not at all when repeated", async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS });
    expect(service.requests).toHaveLength(2);
    expect(panel.height).toBe(6 * 8);
    expect(panel.columns).toEqual(["at", "ticker", "ecpnd_score", ...PANEL_COLUMNS]);
    const again = await api.panel("ecpnd", { at: HOURS.toReversed() });
    expect(service.requests).toHaveLength(2);
    expect(again.drop("source").toRecords()).toEqual(panel.drop("source").toRecords());
  });

  test("does not ask for what another notebook brought meanwhile", async () => {
    const store = await service.makeFolder();
    const colleague = await service.connect({ store });
    let requests = 0;
    const api = await service.connect({
      store,
      fetch: async (request) => {
        requests++;
        await colleague.scores("ecpnd", { at: "2026-11-20T12:30:00Z" });
        return await service.fetch(request);
      },
    });
    const panel = await api.panel("ecpnd", { at: [HOURS[0]!, HOURS[5]!] });
    expect(requests).toBe(1);
    expect(new Set(panel.getColumn("snapshot_id").toArray()))
      .toEqual(new Set([FIXTURE_SETS.ecpnd.first, FIXTURE_SETS.ecpnd.second]));
  });

  test("gives each time the numbers that a view at that time gives", async () => {
    const [panelApi, viewApi] = [await service.connect(), await service.connect()];
    const panel = await panelApi.panel("ecqdi", { at: HOURS });
    for (const at of HOURS) {
      const view = await viewApi.scores("ecqdi", { at });
      const rows = panel.filter(
        pl.col("at").eq(pl.lit(new Date(at)).cast(pl.Datetime("ms", "UTC"))),
      );
      expect(rows.select("ticker", "ecqdi_score", "snapshot_id").rows())
        .toEqual(view.select("ticker", "ecqdi_score", "snapshot_id").rows());
    }
  });

  test("types its columns as scores() does, and each row tells its own check", async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS, every: "check" });
    const view = await api.scores("ecpnd", { at: HOURS[3]! });
    const rows = panel.filter(
      pl.col("at").eq(pl.lit(new Date(HOURS[3]!)).cast(pl.Datetime("ms", "UTC"))),
    );
    expect(rows.drop("at").schema).toEqual(view.schema);
    expect(rows.drop("at", "source").rows()).toEqual(view.drop("source").rows());
    for (const name of ["at", "calculated_at"]) {
      expect(shownType(panel, name)).toBe("datetime[ms, UTC]");
    }
    expect(shownType(panel, "prices_through")).toBe("date");
  });

  test('with every: "check" carries the status of each hour', async () => {
    const api = await service.connect();
    const panel = await api.panel("ecpnd", { at: HOURS, every: "check" });
    const statuses = panel.filter(pl.col("ticker").eq(pl.lit("A"))).getColumn("status").toArray();
    expect(statuses).toEqual([
      "current",
      "partial_market_data",
      "call_updates_pending",
      "current",
      "call_source_delayed",
      "current",
    ]);
    expect(service.requests).toHaveLength(6);
    await api.panel("ecpnd", { at: HOURS, every: "check" });
    expect(service.requests).toHaveLength(6);
  });

  test("shows what it has done and what that spent, in a terminal", async () => {
    const api = await service.connect();
    const { isTTY } = process.stderr;
    const lines: string[] = [];
    const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      lines.push(String(text));
      return true;
    });
    process.stderr.isTTY = true;
    try {
      await api.panel("ecpnd", { at: HOURS, progress: true });
    } finally {
      process.stderr.isTTY = isTTY;
      write.mockRestore();
    }
    expect(lines.at(-1)).toContain("Panel of ecpnd: 6 · 2 requests spent");
  });

  test("is not laid out wide across two calculation definitions", async () => {
    await publishScores(service.fixture.store, {
      factor: "ecpnd",
      at: "2026-11-20T15:30:00Z",
      factorVersion: "ecpnd-v2",
      scores: { A: 0.5 },
    });
    service.clock.ms = Date.parse("2026-11-20T15:40:00Z");
    const api = await service.connect();
    const at = [HOURS[5]!, "2026-11-20T15:35:00Z"];
    await expect(api.panel("ecpnd", { at, layout: "wide" })).rejects
      .toThrow("got ecpnd-v1 before and ecpnd-v2 at 2026-11-20T15:35:00.000Z");
    const long = await api.panel("ecpnd", { at });
    expect(() => assertOneVintage(long, { per: "at" })).toThrow("several calculation definitions");
  });

  test("laid out wide tells its vintage by the ids of its sets", async () => {
    const api = await service.connect();
    const options = { at: [HOURS[2]!, HOURS[3]!], layout: "wide" } as const;
    const panel = await api.panel(["ecpnd", "ecqdi"], options);
    expect(assertOneVintage(panel, { per: "at" }).height).toBe(16);
    expect(() => assertOneVintage(panel)).toThrow("several score sets");
    const mixed = panel.withColumns(pl.lit(new Date(HOURS[2]!)).alias("at"));
    expect(() => assertOneVintage(mixed, { per: "at" })).toThrow("several score sets");
  });

  test("aligns two factors by time and ticker in the wide layout", async () => {
    const api = await service.connect();
    const panel = await api.panel(["ecpnd", "ecqdi"], {
      at: [HOURS[2]!, HOURS[3]!],
      layout: "wide",
    });
    expect(panel.columns)
      .toEqual([
        "at",
        "ticker",
        "ecpnd_score",
        "ecqdi_score",
        "ecpnd_snapshot_id",
        "ecpnd_source",
        "ecqdi_snapshot_id",
        "ecqdi_source",
      ]);
    expect(panel.filter(pl.col("ticker").eq(pl.lit("BF-B"))).rows()).toEqual([
      [
        new Date("2026-11-20T12:00:00Z"),
        "BF-B",
        null,
        null,
        FIXTURE_SETS.ecpnd.first,
        "embedded, synthetic",
        FIXTURE_SETS.ecqdi.first,
        "embedded, synthetic",
      ],
      [
        new Date("2026-11-20T13:00:00Z"),
        "BF-B",
        0.875,
        0.2,
        FIXTURE_SETS.ecpnd.second,
        "embedded, synthetic",
        FIXTURE_SETS.ecqdi.second,
        "embedded, synthetic",
      ],
    ]);
  });

  test("stacks two factors in the long layout", async () => {
    const api = await service.connect();
    const panel = await api.panel(["ecpnd", "ecqdi"], { at: [HOURS[5]!], provenance: ["factor"] });
    expect(panel.columns).toEqual(["at", "ticker", "score", "factor"]);
    expect(panel.filter(pl.col("ticker").eq(pl.lit("BRK.B"))).getColumn("score").toArray())
      .toEqual([0.5, 1]);
  });

  test("with a time before the first publication is an error, and keeps what had arrived", async () => {
    const api = await service.connect();
    await expect(api.panel("ecpnd", { at: ["2026-11-20T09:00:00Z", ...HOURS] })).rejects
      .toMatchObject({ name: "NotFoundError" });
    const spent = service.requests.length;
    await api.panel("ecpnd", { at: HOURS });
    expect(service.requests).toHaveLength(spent);
  });

  test("says which time has no set, and how many of the times are as early", async () => {
    const api = await service.connect();
    const at = ["2026-11-20T08:00:00Z", "2026-11-20T09:00:00Z", ...HOURS];
    const error = await api.panel(["ecqdi"], { at }).catch((failure: Error) => failure);
    expect(error).toMatchObject({ name: "NotFoundError", code: "score_snapshot_not_available" });
    const { message } = error as Error;
    expect(message).toMatch(/^Cannot load .* 2026-11-20T09:00:00.000Z: 404 /);
    expect(message).toMatch(
      /; 2 of the 8 times of the ecqdi panel are at or before 2026-11-20T09:00:00.000Z; leave them out/,
    );
    expect(message).not.toContain("base address");
    const single = api.panel("ecqdi", { at: ["2026-11-20T09:00:00Z", HOURS[5]!] });
    await expect(single).rejects.toThrow("1 of the 2 times");
  });

  test("does not carry columns of a check that it did not ask for", async () => {
    const api = await service.connect();
    await expect(api.panel("ecpnd", { at: HOURS, provenance: ["status"] }))
      .rejects.toThrow('provenance column "status"');
    expect(service.requests).toHaveLength(0);
  });
});
