import fc from "fast-check";
import pl from "nodejs-polars";
import { compile, type TopLevelSpec } from "vega-lite";
import { describe, expect, test, vi } from "vitest";
import { plot, type PlotOptions } from "../../../../src/report/chart/mod.ts";
import type { Chart } from "../../../../src/report/chart/chart.ts";

type Drawn = Readonly<Record<string, unknown>>;

/** The rows of the largest data set of a chart. */
function rowsIn(chart: Chart): readonly Drawn[] {
  const found: (readonly Drawn[])[] = [];
  JSON.stringify(chart.spec, (key, value) => {
    if (key === "data" && Array.isArray(value?.values)) found.push(value.values);
    return value;
  });
  return found.toSorted((a, b) => b.length - a.length)[0]!;
}

function subtitle(chart: Chart): string {
  return JSON.stringify((chart.spec as { title: { subtitle: unknown } }).title.subtitle)
    .replaceAll('","', " ");
}

function range(values: readonly unknown[]): readonly [number, number] {
  const known = values.filter((value) => typeof value === "number");
  return [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
}

const DAY = 86_400_000;
const day = (i: number) => new Date(Date.UTC(2015, 0, 1) + i * DAY).toISOString().slice(0, 10);

describe("a long line of plot()", () => {
  test("keeps both of two interleaved tickers", () => {
    const frame = pl.DataFrame({
      date: Array.from({ length: 9_000 }, (_, i) => day(Math.floor(i / 3))),
      close: Array.from({ length: 9_000 }, (_, i) => i % 3 === 0 ? 1 : 2),
      ticker: Array.from({ length: 9_000 }, (_, i) => ["A", "B", "C"][i % 3]!),
    });
    const rows = rowsIn(plot(frame, { x: "date", y: "close", color: "ticker" }));
    expect(new Set(rows.map((row) => row["ticker"]))).toEqual(new Set(["A", "B", "C"]));
  });

  test("keeps a spike of one row in 40,000, which its text names", () => {
    const y = Array.from({ length: 40_000 }, (_, i) => Math.sin(i / 50));
    y[23_457] = 100;
    const frame = pl.DataFrame({ x: y.map((_, i) => i), y });
    const chart = plot(frame, { x: "x", y: "y", mark: "line" });
    expect(range(rowsIn(chart).map((row) => row["y"]))[1]).toBe(100);
    expect(rowsIn(chart).find((row) => row["y"] === 100)).toMatchObject({ x: 23_457 });
    expect(chart.description).toContain("y lies between −1 and 100.");
    expect(subtitle(chart)).toMatch(
      /Of every \d+ rows the first, lowest, highest and last are drawn/,
    );
    expect(JSON.stringify(chart.spec).length).toBeLessThan(100_000);
  });

  test("of any length draws the first, last, lowest and highest value of each series", () => {
    const value = fc.option(fc.integer({ min: -1_000_000, max: 1_000_000 }), { freq: 20 });
    const series = fc.array(value, { minLength: 2, maxLength: 6_000, size: "max" });
    fc.assert(
      fc.property(fc.array(series, { minLength: 1, maxLength: 4, size: "max" }), (lines) => {
        const all = lines.flatMap((line, k) => line.map((y, x) => ({ x, y, k: `s${k}` })));
        const known = all.filter(({ y }) => y !== null);
        fc.pre(known.length > 0);
        const frame = pl.DataFrame([
          pl.Series("x", all.map(({ x }) => x), pl.Float64),
          pl.Series("y", all.map(({ y }) => y), pl.Float64),
          pl.Series("k", all.map(({ k }) => k), pl.Utf8),
        ]);
        const drawn = rowsIn(plot(frame, { x: "x", y: "y", color: "k", mark: "line" }));
        for (const k of new Set(known.map((row) => row.k))) {
          const of = (rows: readonly Drawn[]) => rows.filter((row) => row["k"] === k);
          const ys = (rows: readonly Drawn[]) => range(of(rows).map((row) => row["y"]));
          const xs = (rows: readonly Drawn[]) =>
            range(of(rows).filter((row) => row["y"] !== null).map((row) => row["x"]));
          expect(ys(drawn)).toEqual(ys(known));
          expect(xs(drawn)).toEqual(xs(known));
        }
      }),
      { numRuns: 30, seed: 7 },
    );
  });
});

describe("points of plot()", () => {
  test("are a sample in which one row of eight stays one row of eight", () => {
    const length = 29_683;
    const frame = pl.DataFrame({
      x: Array.from({ length }, (_, i) => i),
      y: Array.from({ length }, (_, i) => i % 8 === 0 ? 1 : 0),
    });
    const chart = plot(frame, { x: "x", y: "y" });
    const rows = rowsIn(chart);
    const share = rows.filter((row) => row["y"] === 1).length / rows.length;
    // Three standard errors of a share of an eighth among 1,800 rows.
    expect(Math.abs(share - 0.125)).toBeLessThan(0.0234);
    expect(subtitle(chart)).toMatch(/[Aa] sample of \d,\d\d\d of 29,683 rows/);
    expect(plot(frame, { x: "x", y: "y" }).spec).toEqual(chart.spec);
  });

  test("hold the lowest and the highest of both axes", () => {
    const length = 40_000;
    const y = Array.from({ length }, (_, i) => i % 7);
    y[31_111] = 100;
    y[12_345] = -40;
    const frame = pl.DataFrame({ x: y.map((_, i) => i), y });
    const rows = rowsIn(plot(frame, { x: "x", y: "y" }));
    expect(range(rows.map((row) => row["y"]))).toEqual([-40, 100]);
    expect(range(rows.map((row) => row["x"]))).toEqual([0, 39_999]);
  });
});

describe("bars of plot()", () => {
  const bars: PlotOptions = { x: "name", y: "y", mark: "bar" };

  test("of repeated rows show their mean with its interval, and say so", () => {
    const frame = pl.DataFrame({
      name: ["A", "A", "A", "A", "A", "B"],
      y: [0.4, 0.5, 0.6, 0.7, 0.8, 1],
    });
    const chart = plot(frame, bars);
    const [a, b] = rowsIn(chart);
    // scipy.stats.t.interval(0.95, 4, 0.6, sem([...])): 0.40368 to 0.79632.
    expect(a).toMatchObject({ name: "A", y: 0.6 });
    expect(a!["y from"]).toBeCloseTo(0.40368, 4);
    expect(a!["y to"]).toBeCloseTo(0.79632, 4);
    expect(b).toMatchObject({ name: "B", y: 1 });
    expect(subtitle(chart)).toContain("Mean of y of 1 to 5 rows");
    expect(subtitle(chart)).toContain("95% interval");
  });

  test("keep the place of a null, mark it and count it", async () => {
    const frame = pl.DataFrame({ name: ["A", "B", "C"], y: [1, null, 0] });
    const chart = plot(frame, bars);
    const svg = await chart.toSvg();
    for (const name of ["A", "B", "C"]) expect(svg).toContain(`>${name}</text>`);
    expect(subtitle(chart)).toContain("1 of 3 bars");
    // The dashed place of B.
    expect(svg).toContain("stroke-dasharray");
    expect(rowsIn(chart)).toEqual([
      { name: "A", y: 1 },
      { name: "B", y: null },
      { name: "C", y: 0 },
    ]);
  });

  test("of colours stand beside each other", () => {
    const frame = pl.DataFrame({
      name: ["A", "A", "B"],
      y: [0.5, 0.6, 0.7],
      kind: ["u", "v", "u"],
    });
    expect(JSON.stringify(plot(frame, { ...bars, color: "kind" }).spec)).toContain('"xOffset"');
  });

  test("are never thinned: too many are refused with advice", () => {
    const frame = pl.DataFrame({
      name: Array.from({ length: 5_000 }, (_, i) => `T${i}`),
      y: Array.from({ length: 5_000 }, (_, i) => i),
    });
    expect(() => plot(frame, bars)).toThrow(
      "Cannot plot: expected at most 200 values of name, got 5,000; sort the frame and take head(50)",
    );
  });
});

describe("a line of plot()", () => {
  test("of repeated rows is their mean with its interval, and says so", () => {
    const frame = pl.DataFrame({ x: [1, 1, 1, 1, 1, 2], y: [0.4, 0.5, 0.6, 0.7, 0.8, 1] });
    const chart = plot(frame, { x: "x", y: "y", mark: "line" });
    expect(rowsIn(chart)).toHaveLength(2);
    expect(rowsIn(chart)[0]!["y to"]).toBeCloseTo(0.79632, 4);
    expect(subtitle(chart)).toContain("Mean of y of 1 to 5 rows");
  });
});

test("a histogram of plot() is refused for a column without numbers", () => {
  const frame = pl.DataFrame({ name: ["A", "B"] });
  expect(() => plot(frame, { x: "name", mark: "histogram" })).toThrow(
    /^Cannot plot: expected a column of numbers for a histogram, got name;/,
  );
});

describe("plot() of little or nothing", () => {
  test.each([
    ["no rows", { x: [], y: [] }, "the frame has no rows"],
    ["nulls alone", { x: [1, 2], y: [null, null] }, "none of the 2 rows has a value of y"],
    ["infinities alone", { x: [1, 2], y: [Infinity, NaN] }, "none of the 2 rows has a value of y"],
    ["no x", { x: [null, null], y: [1, 2] }, "none of the 2 rows has a value of x"],
  ])("says why there is nothing to draw of %s", async (_, columns, reason) => {
    const frame = pl.DataFrame([
      pl.Series("x", columns.x as number[], pl.Float64),
      pl.Series("y", columns.y as number[], pl.Float64),
    ]);
    const chart = plot(frame, { x: "x", y: "y" });
    expect(chart.description).toContain(`Nothing to draw: ${reason}`);
    expect(await chart.toSvg()).toContain("Nothing to draw");
  });

  test("counts what is infinite, and draws a column of one value on an axis", async () => {
    const frame = pl.DataFrame({ x: [1, 2, 3], y: [5, Infinity, 5] });
    const chart = plot(frame, { x: "x", y: "y", mark: "line" });
    expect(subtitle(chart)).toContain("1 row is infinite or not a number");
    expect(await chart.toSvg()).not.toMatch(/NaN|Infinity/);
  });

  test("counts a row once that is infinite or not a number in several columns", () => {
    const frame = pl.DataFrame({ x: [1, 2, NaN], y: [5, Infinity, -Infinity], z: [1, 2, 3] });
    expect(subtitle(plot(frame, { x: "x", y: "y" }))).toContain("2 rows are infinite");
    expect(subtitle(plot(frame, { x: "y", y: "y" }))).toContain("2 rows are infinite");
    // Each row is drawn once for y and once for z; y lacks two, and x the third of z, too.
    expect(subtitle(plot(frame, { x: "x", y: ["y", "z"] }))).toContain("3 rows are infinite");
  });
});

describe("what plot() says under the pointer", () => {
  test("is a date of the market, not the day before in the reader's time zone", () => {
    const frame = pl.DataFrame({ date: ["2024-01-02", "2024-01-03"], y: [1, 2] });
    const { $schema: _, ...spec } = plot(frame, { x: "date", y: "y" }).spec;
    const vega = JSON.stringify(compile(spec as unknown as TopLevelSpec).spec);
    expect(vega).toMatch(/"tooltip":\{"signal":"\{[^}]*utcFormat\(/);
  });

  test("comes without a warning of Vega-Lite where bars of colours have nulls and zeros", async () => {
    const frame = pl.DataFrame({ name: ["A", "A", "B"], y: [1, null, 0], kind: ["u", "v", "u"] });
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    await plot(frame, { x: "name", y: "y", color: "kind" }).toSvg();
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });
});

describe("plot() of columns with any name", () => {
  test.each(["a'b", 'a"b', "a\nb", "a\\b", "__proto__", "constructor", "a.b", "a[0]", "é ß", "数"])(
    "draws the column %j",
    async (name) => {
      const frame = pl.DataFrame([
        pl.Series("x", [1, 2, 3], pl.Float64),
        pl.Series(name, [4, 5, 7], pl.Float64),
      ]);
      const svg = await plot(frame, { x: "x", y: name, mark: "point" }).toSvg();
      const [marks] = /<g class="mark-symbol role-mark.*?<\/g>/s.exec(svg) ?? [""];
      expect(marks.match(/<path/g)).toHaveLength(3);
      expect(svg).not.toMatch(/undefined|NaN/);
      const colored = await plot(frame, { x: "x", y: "x", color: name }).toPng();
      expect(colored.length).toBeGreaterThan(1_000);
    },
  );

  test("draws a NUL, a lone surrogate and markup in a ticker", async () => {
    const frame = pl.DataFrame({ name: ["a\0b", "\ud800", "<script>&"], y: [1, 2, 3] });
    const chart = plot(frame, { x: "name", y: "y" });
    expect(await chart.toSvg()).not.toMatch(/\0|<script/);
    expect((await chart.toPng()).length).toBeGreaterThan(1_000);
  });
});

describe("bars that lie", () => {
  test("of repeated rows show the mean of each name with its interval, as upright ones do", async () => {
    const frame = pl.DataFrame({
      name: ["A", "A", "A", "A", "A", "B", "C"],
      y: [0.4, 0.5, 0.6, 0.7, 0.8, 1, null],
    });
    const chart = plot(frame, { x: "y", y: "name" });
    const [upright] = [plot(frame, { x: "name", y: "y" })];
    expect(rowsIn(chart)).toEqual(rowsIn(upright));
    expect(subtitle(chart)).toEqual(subtitle(upright));
    expect(subtitle(chart)).toContain("1 to 5 rows, ");
    const svg = await chart.toSvg();
    // Three bars, one of them the dashed place of C, and two strokes of one interval.
    expect(svg.match(/class="mark-(rect|rule) role-mark/g)?.length).toBe(4);
  });

  test("begin at zero, and keep the place of a null", async () => {
    const frame = pl.DataFrame({ name: ["A", "B", "C"], y: [1, null, 3] });
    const chart = plot(frame, { x: "y", y: "name" });
    expect(JSON.stringify(chart.spec)).toContain('"zero":true');
    expect(subtitle(chart)).toContain("1 of 3 bars");
    expect(await chart.toSvg()).toContain(">B</text>");
  });
});
