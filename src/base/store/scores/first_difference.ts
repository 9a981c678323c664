import type { ScoreRows } from "../../contract/scores/score_rows.ts";

/** Rows and a phrase for their place. */
export type PlacedRows = readonly [rows: ScoreRows, where: string];

/** Description of the first row in which two sets with one id differ. */
export function firstDifference([rows, where]: PlacedRows, [others, there]: PlacedRows): string {
  const i = others.tickers.findIndex((ticker, row) =>
    ticker !== rows.tickers[row] || others.scores[row] !== rows.scores[row]
  );
  const row = ({ tickers, scores }: ScoreRows, at: number) =>
    at in tickers ? `${tickers[at]} ${scores[at]}` : "no row";
  const at = i === -1 ? others.tickers.length : i;
  return `row ${at} is "${row(rows, at)}" ${where} and "${row(others, at)}" ${there}`;
}
