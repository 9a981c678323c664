import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { stationaryBlockLength } from "../../../src/analysis/inference/bootstrap.ts";
import {
  criticalValue,
  drawnMaxima,
  makeFamily,
  shareBeyond,
  stationaryVariance,
  stepwiseP,
} from "../../../src/analysis/selection/make_family.ts";
import { backtestOverfitting } from "../../../src/analysis/selection/backtest_overfitting.ts";
import { demean } from "../../../src/base/statistics/moments.ts";
import { lacksPython, runPython } from "../../helpers/python.ts";

/** What arch and ffn say; `run_selection.py` printed it. */
interface Known {
  readonly columns: readonly (readonly number[])[];
  readonly block: number;
  readonly places: readonly (readonly number[])[];
  readonly p: Readonly<Record<"lower" | "consistent" | "upper", number>>;
  readonly critical: Known["p"];
  readonly variances: readonly number[];
  readonly valid: readonly boolean[];
  readonly superior: readonly number[];
  readonly blocks: readonly number[];
  readonly pbo: number;
  readonly logits: readonly number[];
  readonly meanRank: number;
}

const LONG_MS = 120_000;
const isMissing = lacksPython("arch", "ffn");
const RECORDED = join(import.meta.dirname!, "../known/selection.json");
const recorded = async () => JSON.parse(await readFile(RECORDED, "utf8")) as readonly Known[];
const installed = async () =>
  JSON.parse(
    await runPython(join(import.meta.dirname!, "run_selection.py"), "503", "20", "499"),
  ) as readonly Known[];

describe.each([
  { what: "a recorded family", read: recorded, isLeftOut: false },
  { what: "the installed arch and ffn", read: installed, isLeftOut: isMissing },
])("families of tests beside $what", ({ read, isLeftOut }) => {
  let known: readonly Known[] = [];
  beforeAll(async () => {
    if (!isLeftOut) known = await read();
  }, LONG_MS);

  test.skipIf(isLeftOut)("p values, critical values and the variants found are the same", () => {
    expect(known.length).toBe(2);
    for (const one of known) {
      const family = familyOf(one);
      const draws = one.places.length;
      for (const centring of ["lower", "consistent", "upper"] as const) {
        const maxima = drawnMaxima(family, centring);
        // Ours counts the sample as a draw.
        const beyond = shareBeyond(maxima, Math.max(...family.statistics)) * (1 + draws) - 1;
        expect(beyond / draws).toBeCloseTo(one.p[centring], 12);
        expect(criticalValue(maxima, 0.05)).toBeCloseTo(one.critical[centring], 12);
      }
      const adjusted = stepwiseP(family, "consistent");
      expect([...adjusted.keys()].filter((k) => adjusted[k]! <= 0.05)).toEqual(one.superior);
    }
    expect(known[0]!.superior.length).toBeGreaterThan(0);
    expect(known[1]!.p.consistent).toBeGreaterThan(0.01);
    expect(known[1]!.p.lower).toBeLessThan(known[1]!.p.upper);
  });

  test.skipIf(isLeftOut)("long-run variances, bounds and block lengths are the same", () => {
    for (const one of known) {
      const { bounds, statistics } = familyOf(one);
      for (const [k, column] of one.columns.entries()) {
        const x = Float64Array.from(column);
        expect(stationaryVariance(demean(x), one.block)).toBeCloseTo(one.variances[k]!, 12);
        expect(stationaryBlockLength(x)).toBeCloseTo(one.blocks[k]!, 10);
        expect(statistics[k]! >= bounds[k]!).toBe(one.valid[k]);
      }
      expect(one.valid).toContain(false);
    }
  });

  test.skipIf(isLeftOut)("every split has the same rank, ties among them", () => {
    for (const one of known) {
      const variants = one.columns.map((values, k) => {
        const days = Int32Array.from(values.keys());
        const series = { name: "return", unit: "session", horizon: 1, group: null, counts: days };
        const own = { ...series, days, places: days, values: Float64Array.from(values) };
        return [`v${k}`, own] as const;
      });
      const { tables: { splits }, table } = backtestOverfitting(Object.fromEntries(variants), {
        blocks: 8,
      });
      const logits = splits.getColumn("logit").toArray();
      expect(logits.length).toBe(70);
      for (const [i, logit] of one.logits.entries()) expect(logits[i]).toBeCloseTo(logit, 12);
      const [found] = table.toRecords();
      expect(found!["pbo"]).toBeCloseTo(one.pbo, 12);
      expect(found!["mean_rank"]).toBeCloseTo(one.meanRank, 12);
    }
  });
});

function familyOf({ columns, places, block }: Known) {
  return makeFamily(
    columns.map((column) => Float64Array.from(column)),
    places.map((of) => Int32Array.from(of)),
    {
      studentize: false,
      isTwoSided: false,
      block,
      count: places.length,
      overlaps: columns.map(() => 1),
    },
  );
}
