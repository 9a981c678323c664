import { describe, expect, test } from "vitest";
import { parse as parseText, type Parsed } from "./_parsed.ts";

// A session is read by a short path once the one before has told which ticker follows which: these files have
// several sessions, and what is odd stands in a later one.
function parse(lines: readonly string[], end = "\n"): Parsed {
  return parseText(["date,ticker,ecpnd_score", ...lines].map((line) => line + end).join(""));
}

function rowsOf({ tickers, scores }: Parsed): string[] {
  return tickers.map((ticker, i) => `${ticker} ${scores[i]}`);
}

function offencesOf({ parser }: Parsed): [string, number][] {
  return [...parser.offences.broken()].flatMap(([rule, { first }]) =>
    first.map(({ line }): [string, number] => [rule, line])
  );
}

const DAYS = ["2026-08-12", "2026-08-13", "2026-08-14"];

describe("a later session", () => {
  test("keeps tickers apart that differ in their fifth letter or later", () => {
    const parsed = parse([
      "2026-08-13,A,0.1",
      "2026-08-13,ABCDE,0.2",
      "2026-08-13,ABCDF,0.3",
      "2026-08-13,ABCDEFG,0.4",
      "2026-08-14,A,0.5",
      "2026-08-14,ABCDF,0.6",
      "2026-08-14,ABCDEFH,0.7",
      "2026-08-14,ABCDE,0.8",
    ]);
    expect(parsed.parser.offences.count).toBe(0);
    expect(rowsOf(parsed).slice(4)).toEqual(["A 0.5", "ABCDF 0.6", "ABCDEFH 0.7", "ABCDE 0.8"]);
  });

  test("counts its missing scores", () => {
    const parsed = parse(DAYS.flatMap((day) => [`${day},A,`, `${day},B,0.5`, `${day},C,`]));
    expect([parsed.parser.columns.rows, parsed.parser.columns.missingRows]).toEqual([9, 6]);
    expect(rowsOf(parsed).slice(6)).toEqual(["A NaN", "B 0.5", "C NaN"]);
  });

  test("takes lines that end in a carriage return and a newline", () => {
    const lines = DAYS.flatMap((day) => [`${day},A,0.5`, `${day},B,`, `${day},C,0.123456789012`]);
    const parsed = parse(lines, "\r\n");
    expect(parsed.parser.offences.count).toBe(0);
    expect(rowsOf(parsed).slice(6)).toEqual(["A 0.5", "B NaN", "C 0.123456789012"]);
  });

  test.each([
    ["two fields, where a long ticker is expected", "2026-08-14,0.5", "line"],
    ["two fields, the second empty", "2026-08-14,", "line"],
    ["four fields", "2026-08-14,LONGTICKERSYM.WS,0.5,1", "line"],
    ["a letter behind the score", "2026-08-14,LONGTICKERSYM.WS,0.5x", "score"],
    ["a letter behind a long score", "2026-08-14,LONGTICKERSYM.WS,0.12345678901x", "score"],
    ["a blank behind the score", "2026-08-14,LONGTICKERSYM.WS,0.5 ", "score"],
    ["a point without decimals", "2026-08-14,LONGTICKERSYM.WS,0.", "score"],
    ["a score beyond 1", "2026-08-14,LONGTICKERSYM.WS,1.5", "score"],
  ])("refuses a line with %s", (_, line, rule) => {
    for (const ticker of ["LONGTICKERSYM.WS", "A"]) {
      const parsed = parse([
        "2026-08-13,B,0.25",
        `2026-08-13,${ticker},0.25`,
        "2026-08-14,B,0.25",
        line.replace("LONGTICKERSYM.WS", ticker),
        "2026-08-14,C,0.25",
      ]);
      expect(offencesOf(parsed)).toEqual([[rule, 5]]);
      expect(rowsOf(parsed)).toEqual(["B 0.25", `${ticker} 0.25`, "B 0.25", "C 0.25"]);
    }
  });
});

describe("the date of a line", () => {
  test.each([
    ["2000-02-29", "the leap day of a century that 400 divides"],
    ["2024-02-29", "a leap day"],
    ["1999-12-31", "the last day of a year"],
    ["2026-04-30", "the last day of April"],
  ])("may be %s, %s", (date) => {
    const parsed = parse([`${date},A,0.5`]);
    expect(parsed.parser.offences.count).toBe(0);
    expect(parsed.days[0]).toBe(Date.parse(date) / 86_400_000);
  });

  test.each([
    ["2026-02-30", "a date that exists"],
    ["2025-02-29", "a date that exists"],
    ["1900-02-29", "a date that exists"],
    ["2026-04-31", "a date that exists"],
    ["2026-00-12", "a date that exists"],
    ["2026-13-01", "a date that exists"],
    ["2026-08-00", "a date that exists"],
    ["2026-8-13", "a date of the form YYYY-MM-DD"],
    ["+02026-08-13", "a date of the form YYYY-MM-DD"],
  ])("may not be %s: it must be %s", (date, required) => {
    const broken = parse([`${date},A,0.5`]).parser.offences.broken().get("date");
    expect(broken?.first.map((offence) => offence.required)).toEqual([required]);
  });
});

test("an empty file has no header", () => {
  const { parser } = parseText("");
  expect(parser.offences.broken().get("header")?.first[0]?.found).toBe("an empty file");
});
