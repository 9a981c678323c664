import { type Check, parseCheck } from "./check.ts";
import { countScored, parseScoreRows, type ScoreRows } from "./score_rows.ts";
import { ContractViolation } from "../violation.ts";
import { parseJson } from "../json_text.ts";

/** A score set of a response: the selected check, and the rows (section 2.2). */
export interface ScoreSet {
  /** The check. */
  readonly check: Check;
  /** The rows: all of the set, or the one of a ticker filter. */
  readonly rows: ScoreRows;
}

/** Options of parsing a score set. */
export interface ParseScoreSetOptions {
  /** The ticker filter of the request; without it the rows are reconciled with the coverage. */
  readonly ticker?: string;
}

/**
 * Reads a score set response and reconciles its rows with its coverage.
 *
 * @throws {ContractViolation} With the JSON path of the first offence
 * @see API document, sections 2.2 and 2.3
 */
export function parseScoreSet(value: unknown, options: ParseScoreSetOptions = {}): ScoreSet {
  const check = parseCheck(value);
  const rows = parseScoreRows((value as { scores?: unknown }).scores, check.scoreName);
  if (options.ticker === undefined) assertCoverage(check, rows);
  else assertOneTicker(rows, options.ticker);
  return { check, rows };
}

/**
 * Refuses incomplete rows: counts must equal those of the coverage.
 *
 * @throws {ContractViolation} If `tickers` or, for `ecqdi`, `scored_tickers` differs
 */
export function assertCoverage(check: Check, rows: ScoreRows): void {
  const { tickers, scoredTickers } = check.coverage;
  if (rows.tickers.length !== tickers) {
    const required = `the number of rows, ${rows.tickers.length}`;
    throw new ContractViolation("$.coverage.tickers", required, tickers);
  }
  if (scoredTickers === null) return;
  const scored = countScored(rows);
  if (scored !== scoredTickers) {
    const required = `the number of scores that are not null, ${scored}`;
    throw new ContractViolation("$.coverage.scored_tickers", required, scoredTickers);
  }
}

function assertOneTicker(rows: ScoreRows, ticker: string): void {
  if (rows.tickers.length === 1 && rows.tickers[0] === ticker) return;
  const received = rows.tickers.length === 1 ? rows.tickers[0] : rows.tickers;
  throw new ContractViolation("$.scores", `exactly the row of "${ticker}"`, received);
}

/**
 * Reads the text of a response with a complete score set, and reconciles its rows with its coverage.
 *
 * @throws {ContractViolation} With the JSON path of the first offence
 * @see API document, sections 2.2 and 2.3
 */
export function parseScoreSetText(text: string): ScoreSet {
  return parseScoreSet(parseJson(text));
}
