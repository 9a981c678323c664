import { describe, expect, test } from "vitest";
import pl from "nodejs-polars";
import { PROVENANCE_COLUMNS } from "../../../../src/frames/frame/provenance/provenance_schema.ts";
import { formatFrame, frameBundle } from "../../../../src/frames/notebook/frame/frame_bundle.ts";

const CONSTANT = {
  factor: "ecpnd",
  factor_version: "ecpnd-v1",
  universe: "synthetic US research universe",
  snapshot_id: "0191e7c2-0000-4000-8000-000000000001",
  status: "current",
  source: "embedded, synthetic",
};

function scoreFrame(tickers: readonly string[], scores: readonly (number | null)[]) {
  const fill = (value: string) => pl.lit(value);
  return pl.DataFrame([
    pl.Series("ticker", [...tickers], pl.Utf8),
    pl.Series("ecpnd_score", [...scores], pl.Float64),
  ]).withColumns(...Object.entries(CONSTANT).map(([name, value]) => fill(value).alias(name)));
}

/** What the output of a frame holds of its rows. */
function heldOf(frame: pl.DataFrame, tables: number): string {
  const html = String(frameBundle(frame, { tables })["text/html"]);
  return html.split('<script type="application/json">')[1]!.split("</script>")[0]!;
}

describe("frameBundle()", () => {
  test("offers text/html and text/plain and no dataresource", () => {
    expect(Object.keys(frameBundle(scoreFrame(["A"], [0.5])))).toEqual(["text/html", "text/plain"]);
  });

  test("writes shape, badge, one provenance line, dtypes and aligned scores as text", () => {
    expect(formatFrame(scoreFrame(["BRK.B", "NA", "TRUE"], [0.5, null, 0]))).toBe(
      [
        "3 rows × 8 columns [synthetic]",
        "ecpnd (ecpnd-v1) · current · set 0191e7c2… · embedded, synthetic",
        "ticker  ecpnd_score",
        "str             f64",
        "BRK.B        0.5000",
        "NA             null",
        "TRUE         0.0000",
      ].join("\n"),
    );
  });

  test("tells a null, a zero, a NaN, an empty text and texts that read like them apart", () => {
    const frame = scoreFrame(["", "null", "NaN", " ", '""', "NA"], [null, 0, NaN, 0.5, 1, 2])
      .select("ticker", "ecpnd_score");
    const { "text/html": html, "text/plain": text } = frameBundle(frame);
    const cells = [...String(html).matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell]) => cell);
    expect(cells).toEqual([
      ...["&quot;&quot;", '<em style="opacity:0.65">null</em>'],
      ...["&quot;null&quot;", "0.0000"],
      ...["&quot;NaN&quot;", "<b>NaN</b>"],
      ...["&quot; &quot;", "0.5000"],
      ...["&quot;\\&quot;\\&quot;&quot;", "1.0000"],
      ...["NA", "2.0000"],
    ]);
    expect(String(text).split("\n").slice(3)).toEqual([
      '""             null',
      '"null"       0.0000',
      '"NaN"           NaN',
      '" "          0.5000',
      '"\\"\\""       1.0000',
      "NA           2.0000",
    ]);
  });

  test("holds the rows of a table of more than ten, and no script for a smaller one", () => {
    const of = (count: number, options = {}) => {
      const x = Array.from({ length: count }, (_, i) => i);
      return String(frameBundle(pl.DataFrame({ x }), options)["text/html"]);
    };
    expect(of(10)).not.toContain("<script");
    expect(of(11).split("<script").length).toBe(3);
    expect(of(11)).toContain('"values":[0,1,2,3,4,5,6,7,8,9,10]');
    expect(of(11, { heldRows: 0 })).not.toContain("<script");
    expect(of(9000)).toContain('{"height":9000,"held":5000,"head":2500,');
    expect(of(9000, { heldRows: 9000 })).toContain('{"height":9000,"held":9000,"head":9000,');
  });

  test("holds as many rows as fit into 64 kB, and shares them among the tables of an output", () => {
    const random = Array.from({ length: 6000 }, (_, i) => Math.sin(i));
    const frame = pl.DataFrame({ x: random, y: random });
    const lengthOf = (tables: number) => heldOf(frame, tables).length;
    expect(lengthOf(1)).toBeGreaterThan(50_000);
    expect(lengthOf(1)).toBeLessThanOrEqual(64_000);
    expect(lengthOf(4)).toBeLessThanOrEqual(16_000);
    const texts = pl.DataFrame({
      text: Array.from({ length: 20 }, (_, i) => i + "x".repeat(9999)),
    });
    expect(JSON.parse(heldOf(texts, 1)).columns[0].values[3][1].length).toBe(500);
  });

  test("shows five rows at each end, and how many stand between them", () => {
    const tickers = Array.from({ length: 1234 }, (_, index) => `T${index}`);
    const lines = formatFrame(scoreFrame(tickers, tickers.map(() => 0.25))).split("\n");
    expect(lines[0]).toBe("1,234 rows × 8 columns [synthetic]");
    expect(lines.slice(4).map((line) => line.split(" ")[0])).toEqual(
      ["T0", "T1", "T2", "T3", "T4", "…", "T1229", "T1230", "T1231", "T1232", "T1233"],
    );
    expect(lines[9]).toBe("… 1,224 more");
  });

  test("shows ten rows whole", () => {
    const tickers = Array.from({ length: 10 }, (_, index) => `T${index}`);
    const bundle = frameBundle(scoreFrame(tickers, tickers.map(() => 0.25)));
    expect(bundle["text/plain"]).not.toContain("more");
    expect(bundle["text/html"]).not.toContain("more");
  });

  test("knows every provenance column that a frame may carry", () => {
    const names = PROVENANCE_COLUMNS.map(({ name }) => name);
    expect(names.length).toBe(13);
    const frame = pl.DataFrame({ ticker: ["A", "B"] })
      .withColumns(...names.map((name) => pl.lit("same").alias(name)));
    expect(formatFrame(frame).split("\n").slice(2)).toEqual(["ticker", "str", "A", "B"]);
  });

  test("keeps a provenance column in the table when its rows differ", () => {
    const frame = pl.concat([
      scoreFrame(["A"], [0.5]),
      scoreFrame(["B"], [0.5]).withColumns(pl.lit("stale").alias("status")),
    ]);
    const text = formatFrame(frame);
    expect(text.split("\n")[1]).toBe("ecpnd (ecpnd-v1) · set 0191e7c2… · embedded, synthetic");
    expect(text).toContain("ticker  ecpnd_score  status");
    expect(text).toContain("B            0.5000  stale");
  });

  test("writes the instants of the provenance line to the minute", () => {
    const at = pl.lit(new Date("2026-11-20T14:57:56.173Z")).cast(pl.Datetime("ms", "UTC"));
    const frame = pl.DataFrame({ ticker: ["A"] }).withColumns(
      at.alias("calculated_at"),
      at.alias("last_checked_at"),
      at.alias("data_through"),
    );
    expect(formatFrame(frame).split("\n")[1]).toBe(
      "published 2026-11-20 14:57Z · checked 2026-11-20 14:57Z · data through 2026-11-20 14:57Z",
    );
    const hour = pl.lit(new Date("2026-11-20T15:00:00Z")).cast(pl.Datetime("ms", "UTC"));
    const whole = pl.DataFrame({ ticker: ["A"] }).withColumns(hour.alias("calculated_at"));
    expect(formatFrame(whole).split("\n")[1]).toBe("published 2026-11-20 15:00Z");
  });

  test("keeps provenance columns in a frame that is about them: one without tickers", () => {
    const text = formatFrame(scoreFrame(["A"], [0.5]).drop("ticker").drop("ecpnd_score"));
    expect(text.split("\n")[0]).toBe("1 row × 6 columns [synthetic]");
    expect(text).toContain("0191e7c2-0000-4000-8000-000000000001");
  });

  test("says when only some of the rows are synthetic", () => {
    const live = scoreFrame(["A"], [0.5]).withColumns(pl.lit("live").alias("source"));
    expect(formatFrame(pl.concat([live, scoreFrame(["B"], [0.5])]))).toContain(
      "[partly synthetic]",
    );
    expect(formatFrame(live)).not.toContain("synthetic]");
  });

  test("finds the mark of synthetic rows in the columns of each factor, and of a join", () => {
    const marked = (columns: Record<string, string | null>) =>
      pl.DataFrame({ ticker: ["A", "B"] }).withColumns(
        ...Object.entries(columns).map(([name, value]) => pl.lit(value).cast(pl.Utf8).alias(name)),
      );
    const [made, real] = ["store, synthetic", "live"];
    expect(formatFrame(marked({ ecpnd_source: made, ecqdi_source: made }))).toContain(
      "[synthetic]",
    );
    expect(formatFrame(marked({ ecpnd_source: made, ecqdi_source: real })))
      .toContain("[partly synthetic]");
    expect(formatFrame(marked({ source: real, source_right: made }))).toContain(
      "[partly synthetic]",
    );
    expect(formatFrame(marked({ ecpnd_source: made, ecqdi_source: null }))).toContain(
      "[synthetic]",
    );
    expect(formatFrame(marked({ ecpnd_source: real, data_source: made }))).not.toContain(
      "synthetic]",
    );
  });

  test("keeps a provenance column in the table when only rows in the middle differ", () => {
    const parts = ["current", "stale", "current"].map((status, i) =>
      scoreFrame([`T${i}`], [0.5]).withColumns(pl.lit(status).alias("status"))
    );
    expect(formatFrame(pl.concat(parts))).toMatch(/^ticker +ecpnd_score +status$/m);
  });

  test("escapes the line that says where rows come from", () => {
    const frame = scoreFrame(["A"], [0.5]).withColumns(pl.lit("<b>v1</b>").alias("factor_version"));
    const html = String(frameBundle(frame)["text/html"]);
    expect(html).toContain("(&lt;b&gt;v1&lt;/b&gt;)");
    expect(html).not.toContain("<b>v1");
  });

  test("escapes names and values", () => {
    const frame = pl.DataFrame({ "<img src=x>": ['<script>alert("1")</script>'] });
    const html = String(frameBundle(frame)["text/html"]);
    expect(html).toContain("&lt;img src=x&gt;");
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    expect(html).not.toContain("<script");
  });

  test("keeps a table in its lines, and escape sequences out of a terminal", () => {
    const frame = scoreFrame(["A\nB"], [0.5])
      .withColumns(
        pl.lit("\u001b]0;gotcha\u0007 US").alias("universe"),
        pl.lit(1).alias("\u001b[2J"),
      );
    const { "text/plain": text, "text/html": html } = frameBundle(frame);
    expect(String(text).split("\n").length).toBe(5);
    expect(String(text)).toContain("A B");
    for (const shown of [text, html]) {
      expect(String(shown).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
    }
  });

  test("shows 64-bit integers, dates and instants", () => {
    const frame = pl.DataFrame([
      pl.Series("rows", [1, 2], pl.Int32),
      pl.Series("at", [new Date("2026-11-19T15:00:00Z"), null], pl.Datetime("ms")),
    ]).select(
      pl.col("rows").cast(pl.Int64),
      pl.col("at").cast(pl.Datetime("ms", "UTC")),
      pl.col("at").cast(pl.Date).alias("date"),
    );
    expect(formatFrame(frame)).toBe(
      [
        "2 rows × 3 columns",
        "rows  at                 date",
        " i64  datetime[ms, UTC]  date",
        "   1  2026-11-19 15:00Z  2026-11-19",
        "   2  null               null",
      ].join("\n"),
    );
  });

  test("writes four significant digits of the largest value of a column, and cents of prices", () => {
    const text = formatFrame(pl.DataFrame({
      ic: [-0.05113512, 0.00704121596, 0.00000695861],
      t: [-2.31456, 0.5, 11.2],
      close: [26.5, 1234.567, 99],
      n: [9992, 30786, null],
    }));
    expect(text.split("\n").slice(3)).toEqual([
      "-0.05114  -2.31     26.50   9,992",
      " 0.00704   0.50  1,234.57  30,786",
      " 0.00001  11.20     99.00    null",
    ]);
  });

  test("never writes a number as zero that is not zero", () => {
    const text = formatFrame(
      pl.DataFrame({ y: [1e-12, 3, NaN], p: [0.5, 0.0000004, 0], ecpnd_score: [1e-6, 0, 0.25] }),
    );
    expect(text.split("\n").slice(3)).toEqual([
      "1e-12   0.5         1e-6",
      "    3  4e-7       0.0000",
      "  NaN   0.0       0.2500",
    ]);
  });

  test("shows the whole value of a number, an id and a text under the pointer", () => {
    const frame = pl.DataFrame({
      ticker: ["A", "B"],
      ret: [0.00704121596, 0.25],
      snapshot_id: ["0191e7c2-0000-4000-8000-000000000001", "0191e7c2-0000-4000-8000-000000000002"],
    });
    const html = String(frameBundle(frame)["text/html"]);
    expect(html).toContain('title="0.00704121596">0.0070</td>');
    expect(html).toContain('title="0191e7c2-0000-4000-8000-000000000001">0191e7c2…</td>');
    expect(html).not.toContain('title="0.25"');
    expect(html).not.toContain('title="A"');
  });

  test("writes years and ids without commas", () => {
    const frame = pl.DataFrame({ year: [2026], gics_id: [45102010], volume: [45102010] });
    expect(formatFrame(frame).split("\n")[3]).toBe("2026  45102010  45,102,010");
  });

  test("writes instants as exactly as their column needs it", () => {
    const at = (text: string) => pl.Series("at", [new Date(text)], pl.Datetime("ms", "UTC"));
    const cell = (text: string) => formatFrame(pl.DataFrame([at(text)])).split("\n")[3];
    expect(cell("2026-11-19T15:00:00Z")).toBe("2026-11-19 15:00Z");
    expect(cell("2026-11-19T15:00:07Z")).toBe("2026-11-19 15:00:07Z");
    expect(cell("2026-11-19T15:00:07.25Z")).toBe("2026-11-19 15:00:07.250Z");
  });

  test("puts the provenance that differs behind what was measured, and leaves it out first", () => {
    const ids = ["0191e7c2-0000-4000-8000-000000000001", "0191e7c2-0000-4000-8000-000000000002"];
    const frame = pl.DataFrame({
      ticker: ["A", "B"],
      snapshot_id: ids,
      status: ["current", "stale"],
      ecpnd_score: [0.5, 0.25],
      rank: [2, 1],
    });
    expect(formatFrame(frame).split("\n")[1]).toBe(
      "ticker  ecpnd_score  rank  snapshot_id  status",
    );
    expect(formatFrame(frame, { maxColumns: 3 }).split("\n")[1]).toBe(
      "ticker  ecpnd_score  rank  … 2 more",
    );
  });

  test("says once what all rows of a wide panel and of a join have in common", () => {
    const frame = scoreFrame(["A", "B"], [0.5, 0.25]).select("ticker", "ecpnd_score").withColumns(
      pl.lit("store, synthetic").alias("ecpnd_source"),
      pl.lit("store, synthetic").alias("ecqdi_source"),
      pl.lit("current").alias("status_right"),
    );
    expect(formatFrame(frame).split("\n").slice(0, 3)).toEqual([
      "2 rows × 5 columns [synthetic]",
      "current · store, synthetic",
      "ticker  ecpnd_score",
    ]);
  });

  test("names the columns of the caption where the sides of a panel have different sources", () => {
    const frame = pl.DataFrame({ ticker: ["A"], ecpnd_source: ["store"], ecqdi_source: ["live"] });
    expect(formatFrame(frame).split("\n")[1]).toBe("ecpnd_source store · ecqdi_source live");
  });

  test("folds a list of sets only where it has more columns than there is room", () => {
    const sets = pl.DataFrame({
      factor: ["ecpnd", "ecpnd"],
      snapshot_id: ["0191e7c2-0000-4000-8000-000000000001", "0191e7c2-0000-4000-8000-000000000002"],
      scored: [60, 59],
    });
    expect(formatFrame(sets).split("\n")[1]).toMatch(/^factor +snapshot_id +scored$/);
    const folded = formatFrame(sets, { maxColumns: 2 }).split("\n");
    expect(folded.slice(1, 3)).toEqual(["ecpnd", expect.stringMatching(/^snapshot_id +scored$/)]);
    expect(folded[4]).toContain("0191e7c2-0000-4000-8000-000000000001");
  });

  test("keeps a wide table inside the output, and the triangle of the line that opens", () => {
    const html = String(frameBundle(scoreFrame(["A"], [0.5]))["text/html"]);
    expect(html).toContain(
      '<div role="group" tabindex="0" style="overflow-x:auto;max-width:100%;contain:inline-size" aria-label="table"><table',
    );
    expect(html).toContain('<summary style="display:list-item');
  });

  test("is not misled by columns named like properties of a frame", () => {
    const frame = pl.DataFrame({ height: [1.5], columns: ["x"], width: [true] });
    expect(formatFrame(frame)).toContain("1 row × 3 columns\nheight  columns  width");
  });

  test("cuts long texts, and shows more of them when asked", () => {
    const frame = pl.DataFrame({ text: ["a".repeat(60)] });
    expect(formatFrame(frame).split("\n")[3]).toBe(`${"a".repeat(39)}…`);
    expect(formatFrame(frame, { maxTextLength: 100 }).split("\n")[3]).toBe("a".repeat(60));
    expect(formatFrame(frame, { maxTextLength: 60 }).split("\n")[3]).toBe("a".repeat(60));
  });

  test("shows the outer columns of a wide frame", () => {
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const text = formatFrame(pl.DataFrame(Object.fromEntries(names.map((name) => [name, [1.5]]))));
    expect(text).toContain("c5  … 8 more  c14");
    expect(text.split("\n").slice(2)).toEqual([
      "f64  f64  f64  f64  f64  f64  …         f64  f64  f64  f64  f64  f64",
      "1.5  1.5  1.5  1.5  1.5  1.5  …         1.5  1.5  1.5  1.5  1.5  1.5",
    ]);
  });

  test("shows twelve columns whole, and of an odd number more at the left", () => {
    const wide = (count: number) =>
      pl.DataFrame(Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, [1.5]])));
    expect(formatFrame(wide(12))).not.toContain("more");
    expect(formatFrame(wide(5), { maxColumns: 3 }).split("\n")[1]).toBe(" c0   c1  … 2 more   c4");
  });

  test("names the calculation definition alone where no column names the factor", () => {
    const frame = scoreFrame(["A"], [0.5]).select("ticker", "factor_version");
    expect(formatFrame(frame).split("\n")[1]).toBe("ecpnd-v1");
  });

  test("keeps tiny numbers what they are beside large ones", () => {
    const text = formatFrame(pl.DataFrame({ y: [1.5e-12, 2] }));
    expect(text.split("\n").slice(3)).toEqual(["1.5e-12", "      2"]);
  });

  test("shows a clock without a time zone as no instant, and lists with 64-bit integers", () => {
    const frame = pl.DataFrame([
      pl.Series("at", [new Date("2026-11-19T15:00:00Z")], pl.Datetime("ms")),
      pl.Series("ids", [[1, 2]], pl.List(pl.Int64)),
    ]);
    expect(formatFrame(frame)).toMatch(/^datetime\[ms\] /m);
    expect(formatFrame(frame)).toMatch(/^2026-11-19 15:00 .*1.*2/m);
  });

  test("leaves out the middle of a large table in HTML, across all columns", () => {
    const frame = pl.DataFrame({
      a: ["1", "2", "3", "4"],
      b: ["x", "x", "x", "x"],
      c: ["z", "z", "z", "z"],
    });
    const html = String(frameBundle(frame, { edgeRows: 1, maxColumns: 2 })["text/html"]);
    const rows = [...html.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row]) =>
      row!.replace(/<br>/g, " ")
    );
    expect(rows.map((row) => row.replace(/<[^>]*>/g, "|").replace(/\|+/g, "|"))).toEqual([
      "|a |str|… 1 more|c |str|",
      "|1|…|z|",
      "|… 2 more|",
      "|4|…|z|",
    ]);
    expect(rows[2]).toContain('colspan="3"');
  });

  test("lets only long texts wrap in HTML", () => {
    const cellOf = (text: string) =>
      /<td style="([^"]*)"/.exec(
        String(frameBundle(pl.DataFrame({ text: [text] }), { maxTextLength: 100 })["text/html"]),
      )![1];
    expect(cellOf("a".repeat(60))).toBe("text-align:left;white-space:nowrap");
    expect(cellOf("a".repeat(61))).toBe("text-align:left");
  });

  test("aligns by characters, not by the units that encode them", () => {
    const frame = pl.DataFrame({ text: ["\u{1F600}", "abc"], other: ["x", "y"] });
    expect(formatFrame(frame).split("\n").slice(3)).toEqual(["\u{1F600}     x", "abc   y"]);
  });

  test("shows a frame without rows and one without columns", () => {
    expect(formatFrame(scoreFrame([], []))).toContain("0 rows × 8 columns");
    expect(formatFrame(pl.DataFrame({}))).toBe("0 rows × 0 columns");
  });

  test("stays small for a frame of a million rows", () => {
    const frame = pl.DataFrame({ x: pl.Series("x", new Float64Array(1_000_000), pl.Float64) });
    expect(String(frameBundle(frame)["text/html"]).length).toBeLessThan(75_000);
    expect(String(frameBundle(frame, { heldRows: 0 })["text/html"]).length).toBeLessThan(3000);
  });
});
