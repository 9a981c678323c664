import { describe, expect, test } from "vitest";
import { encodeScoreCsv, parseScoreCsv } from "../../../../src/base/contract/scores/score_csv.ts";

describe("score CSV", () => {
  const rows = { tickers: ["1E5", "A", "NA", "TRUE"], scores: [0, 0.1 + 0.2, null, 1e-7] };

  test("has the header of its factor, one line per ticker and an empty missing score", () => {
    expect(encodeScoreCsv(rows, "ecqdi"))
      .toBe("ticker,ecqdi_score\n1E5,0\nA,0.30000000000000004\nNA,\nTRUE,1e-7\n");
  });

  test("comes back from parse as it was, with either line end", () => {
    const csv = encodeScoreCsv(rows, "ecpnd");
    expect(parseScoreCsv(csv, "ecpnd")).toEqual(rows);
    expect(parseScoreCsv(csv.replaceAll("\n", "\r\n"), "ecpnd")).toEqual(rows);
  });

  test("may begin with a byte order mark, but with one only", () => {
    const csv = encodeScoreCsv(rows, "ecpnd");
    expect(parseScoreCsv(`\uFEFF${csv}`, "ecpnd")).toEqual(rows);
    expect(() => parseScoreCsv(`\uFEFF\uFEFF${csv}`, "ecpnd")).toThrow("line 1");
  });

  test.each([
    [
      "the other factor's header",
      "ticker,ecqdi_score\nA,1\n",
      'line 1: expected "ticker,ecpnd_score"',
    ],
    ["nothing", "", "line 1"],
    [
      "a cut last line",
      "ticker,ecpnd_score\nA,0.1\nMSF",
      "line 3: expected a line end after the last row",
    ],
    [
      "a line without a comma",
      "ticker,ecpnd_score\nMSF\n",
      "line 2: expected a ticker and a score",
    ],
    ["a third field", "ticker,ecpnd_score\nA,0.1,X\n", "line 2: expected a ticker and a score"],
    ["an empty line", "ticker,ecpnd_score\n\nA,0.1\n", "line 2: expected a ticker and a score"],
    ["a quoted ticker", 'ticker,ecpnd_score\n"A",0.1\n', "line 2: expected a ticker and a score"],
    ["NaN", "ticker,ecpnd_score\nA,NaN\n", "line 2: expected a number from 0 to 1, or nothing"],
    ["inf", "ticker,ecpnd_score\nA,inf\n", "line 2: expected a number"],
    ["a plus sign", "ticker,ecpnd_score\nA,+0.5\n", "line 2: expected a number"],
    ["a minus sign", "ticker,ecpnd_score\nA,-0\n", "line 2: expected a number"],
    ["a leading dot", "ticker,ecpnd_score\nA,.5\n", "line 2: expected a number"],
    ["a blank", "ticker,ecpnd_score\nA, 0.5\n", "line 2: expected a number"],
    ["hexadecimal", "ticker,ecpnd_score\nA,0x1\n", "line 2: expected a number"],
    ["more than 1", "ticker,ecpnd_score\nA,1.01\n", "line 2: expected a number"],
    [
      "a repeated ticker",
      "ticker,ecpnd_score\nA,1\nA,1\n",
      "line 3: expected a ticker that does not repeat",
    ],
    ["unsorted tickers", "ticker,ecpnd_score\nB,1\nA,1\n", 'line 3: expected a ticker after "B"'],
  ])("with %s is refused with its line", (_, csv, message) => {
    expect(() => parseScoreCsv(csv, "ecpnd")).toThrow(message);
  });
});
