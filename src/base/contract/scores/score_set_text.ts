import { readPlainRows } from "./_plain_rows.ts";
import { parseCheck } from "./check.ts";
import { parseJson } from "../json_text.ts";
import { assertAlphabetical } from "./score_rows.ts";
import { assertCoverage, parseScoreSet, type ScoreSet } from "./score_set.ts";

const ROWS = /"scores"[ \t\r\n]*:[ \t\r\n]*(?=\[)/y;

/**
 * Reads the text of a response with a complete score set, and reconciles its rows with its coverage.
 *
 * Equivalent to `parseScoreSet(parseJson(text))`, in less than half the time for the usual form of rows.
 *
 * @throws {ContractViolation} With the JSON path of the first offence
 * @see API document, sections 2.2 and 2.3
 */
export function parseScoreSetText(text: string): ScoreSet {
  return readPlainSet(text) ?? parseScoreSet(parseJson(text));
}

// After `null` the full parser reads the text, and reports its fault.
function readPlainSet(text: string): ScoreSet | null {
  ROWS.lastIndex = text.indexOf('"scores"');
  if (ROWS.lastIndex === -1 || !ROWS.test(text)) return null;
  const start = ROWS.lastIndex;
  const plain = readPlainRows(text, start);
  if (plain === null) return null;
  const rest = `${text.slice(0, start)}[]${text.slice(plain.end)}`;
  // With one occurrence of the name, and no escape that could spell another, its value at the top was read.
  if (rest.includes("\\") || rest.indexOf('"scores"', start) !== -1) return null;
  const value = parseJson(rest);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, "scores")) return null;
  const check = parseCheck(value);
  if (check.scoreName !== plain.scoreName) return null;
  assertAlphabetical(plain.rows.tickers, (i) => `$.scores[${i}].ticker`);
  assertCoverage(check, plain.rows);
  return { check, rows: plain.rows };
}
