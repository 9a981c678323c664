import { type Factor, scoreNameOf } from "../factor.ts";
import { assertAlphabetical, type ScoreRows } from "./score_rows.ts";
import { isTicker } from "../identifier.ts";
import { ContractViolation } from "../violation.ts";

// A plain decimal number as in JSON: no sign, no leading dot, no NaN or inf.
const NUMBER = /^(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const BYTE_ORDER_MARK = /^\uFEFF/;

/** Writes score rows as CSV: header, one line per ticker, an empty field for a missing score (section 2.4). */
export function encodeScoreCsv(rows: ScoreRows, factor: Factor): string {
  const lines = rows.tickers.map((ticker, i) => `${ticker},${rows.scores[i] ?? ""}\n`);
  return `ticker,${scoreNameOf(factor)}\n${lines.join("")}`;
}

/**
 * Parses a score CSV strictly: this factor's header, two fields per line, a line break after the last line, alphabetical and
 * unique tickers, scores from 0 to 1 or empty. A byte order mark is ignored; a last line without a line break is refused,
 * because without a checksum a number may be truncated.
 *
 * @throws {ContractViolation} With the number of the first offending line
 * @see API document, section 2.4
 */
export function parseScoreCsv(csv: string, factor: Factor): ScoreRows {
  const lines = csv.replace(BYTE_ORDER_MARK, "").split(/\r?\n/);
  const header = `ticker,${scoreNameOf(factor)}`;
  if (lines[0] !== header) throw new ContractViolation("line 1", `"${header}"`, lines[0]);
  if (lines.at(-1) !== "" || lines.length < 2) {
    throw new ContractViolation(
      `line ${lines.length}`,
      "a line end after the last row",
      lines.at(-1),
    );
  }
  const tickers: string[] = [];
  const scores: (number | null)[] = [];
  for (let i = 1; i < lines.length - 1; i++) {
    const line = lines[i]!;
    const [ticker, score, ...rest] = line.split(",");
    if (!isTicker(ticker) || score === undefined || rest.length > 0) {
      throw new ContractViolation(`line ${i + 1}`, "a ticker and a score", line);
    }
    tickers.push(ticker);
    scores.push(parseScoreText(score, `line ${i + 1}`));
  }
  assertAlphabetical(tickers, (i) => `line ${i + 2}`);
  return { tickers, scores };
}

/**
 * Reads a score field: empty means missing.
 *
 * @throws {ContractViolation} If it is neither empty nor a plain number from 0 to 1
 */
export function parseScoreText(text: string, path: string): number | null {
  if (text === "") return null;
  const score = NUMBER.test(text) ? Number(text) : NaN;
  if (score <= 1) return score;
  throw new ContractViolation(path, "a number from 0 to 1, or nothing", text);
}
