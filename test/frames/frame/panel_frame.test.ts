import { describe, expect, test } from "vitest";
import { formatFrame } from "../../../src/frames/notebook/frame/frame_bundle.ts";
import { provenance } from "../../../src/frames/vintage/provenance.ts";
import { panelProvenance, toPanelFrame } from "../../../src/frames/frame/panel_frame.ts";
import { shownType } from "./_dtype.ts";
import { RECEIPT, setOf, type SetSpec } from "./_score_frames.ts";

const [MONDAY, TUESDAY] = ["2026-11-16T21:00:00.000Z", "2026-11-17T21:00:00.000Z"];
const entry = (at: string, spec: SetSpec) => ({ at, set: setOf(spec), receipt: RECEIPT });

const ecpnd = [
  entry(MONDAY, { snapshotId: "a", scores: { A: 0, NA: 0.5 } }),
  entry(TUESDAY, { snapshotId: "b", scores: { A: 0.25 } }),
];
const ecqdi = [entry(MONDAY, { factor: "ecqdi", snapshotId: "q", scores: { B: 0.75, NA: null } })];
const LONG = { layout: "long", hasChecks: false, provenance: true } as const;
const WIDE = { ...LONG, layout: "wide" } as const;

const LONG_COLUMNS = ["at", "ticker", "ecpnd_score", ...panelProvenance(LONG)] as const;

describe("toPanelFrame(), long", () => {
  test("has the score under its own name for one factor, and the decision time in every row", () => {
    const panel = toPanelFrame(ecpnd, ["ecpnd"], LONG);
    expect(panel.columns.slice(0, 4)).toEqual(["at", "ticker", "ecpnd_score", "factor"]);
    expect(shownType(panel, "at")).toBe("datetime[ms, UTC]");
    expect(panel.select("at", "ticker", "ecpnd_score", "snapshot_id").rows()).toEqual([
      [new Date(MONDAY), "A", 0, "a"],
      [new Date(MONDAY), "NA", 0.5, "a"],
      [new Date(TUESDAY), "A", 0.25, "b"],
    ]);
  });

  test("has one score column for several factors, told apart by factor", () => {
    const panel = toPanelFrame([ecpnd[0]!, ecqdi[0]!], ["ecpnd", "ecqdi"], LONG);
    expect(panel.select("factor", "ticker", "score").rows()).toEqual([
      ["ecpnd", "A", 0],
      ["ecpnd", "NA", 0.5],
      ["ecqdi", "B", 0.75],
      ["ecqdi", "NA", null],
    ]);
  });

  test("has every value of its sets, whether they share it or not", () => {
    const columns = [...LONG_COLUMNS];
    const shared = toPanelFrame(ecpnd.slice(1), ["ecpnd"], LONG).select(...columns);
    const both = toPanelFrame(ecpnd, ["ecpnd"], LONG).select(...columns);
    expect(both.tail(1).rows()).toEqual(shared.rows());
    expect(columns.map((name) => shownType(both, name)))
      .toEqual(columns.map((name) => shownType(shared, name)));
    const [tuesday] = ecpnd.slice(1);
    const empty = { ...tuesday!, set: { ...tuesday!.set, rows: { tickers: [], scores: [] } } };
    expect(toPanelFrame([empty], ["ecpnd"], LONG).height).toBe(0);
  });

  test("leaves out the columns of a check unless each entry has its own", () => {
    const without = toPanelFrame(ecpnd, ["ecpnd"], LONG).columns;
    const added = toPanelFrame(ecpnd, ["ecpnd"], { ...LONG, hasChecks: true }).columns
      .filter((name) => !without.includes(name));
    expect(added).toEqual(["last_checked_at", "data_through", "status", "prices_through"]);
  });
});

describe("toPanelFrame(), wide", () => {
  test("aligns the factors by time and ticker, null where a set does not have the ticker", () => {
    const panel = toPanelFrame([ecpnd[0]!, ecqdi[0]!, ecpnd[1]!], ["ecpnd", "ecqdi"], WIDE);
    expect(panel.columns).toEqual([
      "at",
      "ticker",
      "ecpnd_score",
      "ecqdi_score",
      "ecpnd_snapshot_id",
      "ecpnd_source",
      "ecqdi_snapshot_id",
      "ecqdi_source",
    ]);
    expect(panel.rows()).toEqual([
      [new Date(MONDAY), "A", 0, null, "a", "live", "q", "live"],
      [new Date(MONDAY), "B", null, 0.75, "a", "live", "q", "live"],
      [new Date(MONDAY), "NA", 0.5, null, "a", "live", "q", "live"],
      [new Date(TUESDAY), "A", 0.25, null, "b", "live", null, null],
    ]);
  });

  test("says what answered for each factor and that it is synthetic, even to provenance()", () => {
    const synthetic = { ...RECEIPT, source: "store, synthetic" } as const;
    const panel = toPanelFrame([{ ...ecpnd[0]!, receipt: synthetic }, ecqdi[0]!], [
      "ecpnd",
      "ecqdi",
    ], WIDE);
    expect(provenance(panel).rows()).toEqual([["a", "store, synthetic", "q", "live", 3]]);
    expect(formatFrame(panel)).toContain("[partly synthetic]");
    expect(formatFrame(toPanelFrame([{ ...ecpnd[0]!, receipt: synthetic }], ["ecpnd"], WIDE)))
      .toContain("[synthetic]");
  });

  test("refuses two calculation definitions, and says since when there are two", () => {
    const changed = entry(TUESDAY, { version: "ecpnd-v2" });
    expect(() => toPanelFrame([ecpnd[0]!, changed], ["ecpnd"], WIDE)).toThrow(
      `got ecpnd-v1 before and ecpnd-v2 at ${TUESDAY}`,
    );
    expect(toPanelFrame([ecpnd[0]!, changed], ["ecpnd"], LONG).height).toBe(5);
  });
});

describe("panelProvenance()", () => {
  test("gives the columns in the order of frames, and refuses those that a panel does not have", () => {
    const choice = { hasChecks: false, provenance: ["source", "factor"] } as const;
    expect(panelProvenance(choice)).toEqual(["factor", "source"]);
    expect(() => panelProvenance({ hasChecks: false, provenance: ["status"] })).toThrow(
      'Cannot choose the provenance column "status"',
    );
    expect(panelProvenance({ hasChecks: true, provenance: ["status"] })).toEqual(["status"]);
  });
});
