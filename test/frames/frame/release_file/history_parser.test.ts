import process from "node:process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HistoryParser } from "../../../../src/frames/frame/release_file/history_parser.ts";
import { parse, type Parsed } from "./_parsed.ts";

const HEADER = "date,ticker,ecpnd_score\n";

function rowsOf({ days, tickers, scores }: Parsed): [string, string, number | null][] {
  return Array.from(days, (day, i) => [
    new Date(day * 86_400_000).toISOString().slice(0, 10),
    tickers[i]!,
    Number.isNaN(scores[i]) ? null : scores[i]!,
  ]);
}

const TICKERS = [
  "-",
  "0012",
  "1E5",
  "ABCDEFG",
  "ABCDEFGH",
  "BF-B",
  "BRK.B",
  "NA",
  "TRUE",
  "ZZZZZZZZZZZZZZZZ",
];
const DATES = ["2026-08-10", "2026-08-11", "2026-08-12", "2026-08-13", "2026-08-14"];

const score = fc.oneof(
  fc.constant(null),
  fc.constantFrom("0", "1", "1.0", "0.0", "0.5", "1e-7", "0.1234", "5E-1"),
  fc.double({ min: 0, max: 1, noNaN: true }).map((value) => String(Math.abs(value))),
  fc.stringMatching(/^0\.[0-9]{1,25}$/),
);
const file = fc.array(fc.record({ score, kept: fc.boolean() }), {
  minLength: TICKERS.length * DATES.length,
  maxLength: TICKERS.length * DATES.length,
}).map((cells) =>
  DATES.flatMap((date, d) =>
    TICKERS.flatMap((ticker, t) => {
      const cell = cells[d * TICKERS.length + t]!;
      return cell.kept ? [{ date, ticker, score: cell.score }] : [];
    })
  )
);

describe("HistoryParser", () => {
  test("reads what Number reads, bit for bit, wherever a file is cut into parts", () => {
    fc.assert(
      fc.property(
        file,
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
        (rows, sizes) => {
          const text = HEADER +
            rows.map((row) => `${row.date},${row.ticker},${row.score ?? ""}\n`).join("");
          const parsed = parse(text, { sizes });
          expect(parsed.parser.offences.count).toBe(0);
          expect(rowsOf(parsed)).toEqual(
            rows.map((
              row,
            ) => [row.date, row.ticker, row.score === null ? null : Number(row.score)]),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("gives the nearest Float64 for decimals of 1 to 25 digits", () => {
    const decimal = fc.stringMatching(/^0\.[0-9]{1,25}$/);
    fc.assert(fc.property(fc.array(decimal, { minLength: 200, maxLength: 200 }), (texts) => {
      // Two tickers in turn: the second session of each pair goes through the short path.
      const lines = texts.map((text, i) =>
        `2026-08-${10 + (i >> 1) % 5},T${i % 2}${i >> 1},${text}\n`
      );
      const sorted = lines.toSorted((a, b) => a.slice(0, 10) < b.slice(0, 10) ? -1 : 1);
      const { parser, scores } = parse(HEADER + sorted.join(""));
      expect(parser.offences.count).toBe(0);
      expect([...scores]).toEqual(
        sorted.map((line) => Number(line.slice(line.lastIndexOf(",") + 1))),
      );
    }));
  });

  test("counts rows, missing rows, sessions and tickers", () => {
    const text = `${HEADER}2026-08-13,A,0.5\n2026-08-13,B,\n2026-08-14,B,0\n`;
    const { parser: { columns } } = parse(text);
    expect([columns.rows, columns.missingRows, columns.names.length]).toEqual([3, 1, 2]);
    expect(columns.sessions).toEqual([20678, 20679]);
  });

  test("takes lines that end in a carriage return and a newline", () => {
    const text = `${HEADER}2026-08-13,A,0.5\n2026-08-13,B,\n`.replaceAll("\n", "\r\n");
    const parsed = parse(text, { sizes: [7] });
    expect(parsed.parser.offences.count).toBe(0);
    expect(rowsOf(parsed)).toEqual([["2026-08-13", "A", 0.5], ["2026-08-13", "B", null]]);
  });

  test("takes a file in the order of tickers, and finds what repeats in it", () => {
    const good = ["2026-08-13,B,1", "2026-08-14,B,0", "2026-08-12,A,1", "2026-08-13,A,1"];
    const { parser } = parse(`${HEADER}${good.join("\n")}\n`);
    expect([parser.offences.count, parser.order]).toEqual([0, "by ticker"]);
    const { parser: repeated } = parse(`${HEADER}${good.join("\n")}\n2026-08-13,A,1\n`);
    expect([...repeated.offences.broken().keys()]).toEqual(["duplicate"]);
  });

  test.each([
    ["by date", ["2026-08-13,A,1", "2026-08-13,B,0", "2026-08-14,A,1", "2026-08-14,B,0"]],
    ["by date, descending", [
      "2026-08-14,A,1",
      "2026-08-14,B,0",
      "2026-08-13,A,1",
      "2026-08-13,B,",
    ]],
    ["in no order", ["2026-08-14,A,1", "2026-08-13,B,0", "2026-08-14,B,0.5", "2026-08-13,A,1"]],
  ])("takes a file %s, keeps its rows as they stand, and finds what repeats", (order, rows) => {
    const parsed = parse(`${HEADER}${rows.join("\n")}\n`);
    expect([parsed.parser.offences.count, parsed.parser.order]).toEqual([0, order]);
    expect(rowsOf(parsed).map(([date, ticker]) => `${date},${ticker}`))
      .toEqual(rows.map((row) => row.slice(0, "YYYY-MM-DD,A".length)));
    const { parser: repeated } = parse(
      `${HEADER}${rows.join("\n")}\n${rows[0]!.replace(/,[^,]*$/, ",0.25")}\n`,
    );
    const { count, first } = repeated.offences.broken().get("duplicate")!;
    expect([count, first[0]!.line]).toEqual([1, 6]);
  });

  test("takes a byte order mark before the header, once", () => {
    const row = "2026-08-13,A,0.5\n";
    const { parser: marked } = parse(`\u{FEFF}${HEADER}${row}`, { sizes: [2, 5, 100] });
    expect([marked.offences.count, marked.hasByteOrderMark]).toEqual([0, true]);
    expect(parse(`\u{FEFF}\u{FEFF}${HEADER}${row}`).parser.offences.count).toBe(1);
    expect(parse(`${HEADER}\u{FEFF}${row}`).parser.offences.count).toBe(1);
  });

  test("takes a last line without its end, and refuses half a line there", () => {
    const parsed = parse(`${HEADER}2026-08-13,A,0.5\n2026-08-13,B,0.25`, { sizes: [7] });
    expect([parsed.parser.offences.count, parsed.parser.hasOpenEnd]).toEqual([0, true]);
    expect(rowsOf(parsed)).toEqual([["2026-08-13", "A", 0.5], ["2026-08-13", "B", 0.25]]);
    expect(parse(HEADER.trimEnd()).parser.offences.count).toBe(0);
    const { parser: half } = parse(`${HEADER}2026-08-13,A,0.5\n2026-08-13,B`);
    expect([...half.offences.broken().keys()]).toEqual(["line"]);
  });

  test("takes tickers in another order in each session", () => {
    const text = `${HEADER}2026-08-13,B,1\n2026-08-13,A,1\n2026-08-14,A,0\n2026-08-14,B,0\n`;
    expect(parse(text).parser.offences.count).toBe(0);
  });

  test("counts every offending line of a rule and shows the first three with their numbers", () => {
    const text = `${HEADER}${"2026-08-13,a,0.5\n".repeat(10)}`;
    const broken = parse(text).parser.offences.broken().get("ticker")!;
    expect(broken.count).toBe(10);
    expect(broken.first.map((offence) => offence.line)).toEqual([2, 3, 4]);
    expect(broken.first[0]!.found).toBe("2026-08-13,a,0.5");
  });

  test("goes on behind a line that is longer than any row", () => {
    const text = `${HEADER}2026-08-13,A,0.5\n${"x".repeat(5000)}\n2026-08-13,B,0.25\n`;
    for (const size of [100, 255, 1000, 10_000]) {
      const parsed = parse(text, { sizes: [size] });
      expect(parsed.parser.offences.count).toBe(1);
      expect(parsed.parser.offences.broken().get("line")!.first[0]!.line).toBe(3);
      expect(rowsOf(parsed).map(([, ticker]) => ticker)).toEqual(["A", "B"]);
    }
  });

  test("refuses a header that does not end", () => {
    const { parser } = parse("x".repeat(5000), { sizes: [100] });
    expect([...parser.offences.broken().keys()]).toEqual(["header"]);
  });

  test("counts rows beyond those announced without keeping them", () => {
    const text = `${HEADER}${DATES.map((date) => `${date},A,0.5\n`).join("")}`;
    const { parser: { columns }, days } = parse(text, { sizes: [30], rows: 2 });
    expect([columns.rows, days.length, columns.sessions.length]).toEqual([5, 2, 5]);
  });

  test("knows more tickers than its first table holds", () => {
    const rows = Array.from({ length: 9000 }, (_, i) => `T${i}`);
    const text = HEADER +
      DATES.map((date) => rows.map((ticker) => `${date},${ticker},0.5\n`).join("")).join("");
    const { parser } = parse(text, { sizes: [1 << 16], rows: null });
    expect(parser.offences.count).toBe(0);
    expect([parser.columns.rows, parser.columns.names.length]).toEqual([45_000, 9000]);
  });
});

/** Whether a file keeps every rule, found out the slow and plain way. */
function isGood(text: string): boolean {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  if (lines.shift() !== HEADER.trimEnd()) return false;
  const row =
    /^(\d{4}-\d{2}-\d{2}),([A-Z0-9.\-]{1,16}),((?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)?\r?$/;
  const rows = lines.map((line) => row.exec(line));
  const fits = rows.every((match) => {
    const day = match === null ? null : new Date(`${match[1]}T00:00:00Z`);
    if (match === null || day === null || Number.isNaN(day.getTime())) return false;
    return day.toISOString().startsWith(match[1]!) &&
      (match[3] === undefined || Number(match[3]) <= 1);
  });
  if (!fits) return false;
  const keys = rows.map((match) => `${match![1]} ${match![2]}`);
  return new Set(keys).size === keys.length;
}

describe("HistoryParser and a plain reading of the rules", () => {
  const lines = DATES.slice(0, 3).flatMap((date) =>
    ["A", "B-1", "NA", "ZZZZZZZZ"].map((ticker, i) =>
      `${date},${ticker},${["", "0.5", "1", "0.123456"][i]}\n`
    )
  );
  const text = HEADER + lines.join("");
  const edit = fc.record({
    at: fc.nat(text.length),
    cut: fc.integer({ min: 0, max: 3 }),
    put: fc.oneof(
      fc.constantFrom(
        "",
        "\n",
        ",",
        "0",
        "1",
        "9",
        ".",
        "-",
        "A",
        "\r\n",
        " ",
        "e",
        "2026-08-10",
        "\0",
      ),
      fc.constantFrom(...lines),
    ),
  });

  test("agree on every file that is one or two edits away from a good one", () => {
    let good = 0;
    fc.assert(
      fc.property(
        fc.array(edit, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 80 }),
        (edits, size) => {
          const edited = edits.reduce(
            (now, { at, cut, put }) => now.slice(0, at) + put + now.slice(at + cut),
            text,
          );
          if (isGood(edited)) good++;
          expect(parse(edited, { sizes: [size] }).parser.offences.count === 0).toBe(isGood(edited));
        },
      ),
      { numRuns: 5000, seed: 7 },
    );
    // Both outcomes occurred often enough for the test to mean something.
    expect(good).toBeGreaterThan(100);
    expect(good).toBeLessThan(4900);
  });

  test("agree on every order of the rows of a small file", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(lines, { minLength: 1 }), (some) => {
        const shuffled = HEADER + some.join("");
        expect(parse(shuffled).parser.offences.count === 0).toBe(isGood(shuffled));
      }),
      { numRuns: 3000, seed: 7 },
    );
  });
});

describe("HistoryParser with a receiver of pieces", () => {
  // More than a million rows make two pieces.
  const stocks = 2_500;
  const sessions = Array.from(
    { length: 430 },
    (_, day) => new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
  );
  const rowCount = sessions.length * stocks;
  const scoreOf = (row: number) => row % 7 === 3 ? NaN : (row % 1000) / 1000;
  const scoreText = (row: number) => row % 7 === 3 ? "" : String(scoreOf(row));
  const text = HEADER +
    sessions.flatMap((date, day) =>
      Array.from({ length: stocks }, (_, i) => `${date},T${i},${scoreText(day * stocks + i)}\n`)
    ).join("");

  function piecesOf(content: string, announced: number | null) {
    const sizes: number[] = [];
    const parsed = parse(content, {
      sizes: [1 << 19],
      rows: announced,
      onPiece: ({ numbers }) => sizes.push(numbers.length),
    });
    const { days, tickers, scores } = parsed;
    const wrong =
      tickers.filter((ticker, row) =>
        ticker !== `T${row % stocks}` || days[row] !== 18_262 + Math.floor(row / stocks) ||
        !Object.is(scores[row], scoreOf(row))
      ).length;
    return { parser: parsed.parser, sizes, row: tickers.length, wrong };
  }

  test("passes on every row once and in order, however many pieces they make", () => {
    for (
      const [announced, kept, pieces] of [
        [null, rowCount, 2],
        [rowCount, rowCount, 2],
        [100, 100, 1],
      ] as const
    ) {
      const { parser, sizes, row, wrong } = piecesOf(text, announced);
      expect(parser.offences.count).toBe(0);
      expect(parser.columns.rows).toBe(rowCount);
      expect([row, sizes.length, wrong]).toEqual([kept, pieces, 0]);
    }
  });

  test("finds a row that repeats one of an earlier piece in a file of no order", () => {
    // The last two rows are in no order, and repeat rows of the first piece.
    const repeated = `${text}${sessions[1]},T7,0.5\n${sessions[0]},T7,0.5\n`;
    const { parser } = piecesOf(repeated, null);
    expect(parser.order).toBe("in no order");
    expect(parser.offences.broken().get("duplicate")?.first.map(({ line, found }) => [line, found]))
      .toEqual([[rowCount + 2, "2020-01-02,T7"], [rowCount + 3, "2020-01-01,T7"]]);
  });

  test("takes at most 20 MB before the first row, even where 1e9 rows are announced", () => {
    const before = process.memoryUsage().external;
    const parser = new HistoryParser("ecpnd", { rows: 1e9 });
    parser.push(new TextEncoder().encode(`${HEADER}2020-01-01,T1,0.5\n`));
    expect(parser.columns.rows).toBe(1);
    expect(process.memoryUsage().external - before).toBeLessThan(20_000_000);
  });
});
