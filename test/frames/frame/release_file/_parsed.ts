import { expect } from "vitest";
import type { HistoryPiece } from "../../../../src/frames/frame/release_file/history_columns.ts";
import { HistoryParser } from "../../../../src/frames/frame/release_file/history_parser.ts";
import { KeptRows } from "../../../../src/frames/frame/release_file/kept_rows.ts";

/** A parsed file, with the rows that it holds. */
export interface Parsed {
  readonly parser: HistoryParser;
  readonly days: Int32Array;
  readonly tickers: readonly string[];
  readonly scores: Float64Array;
}

/** Options of {@link parse}. */
export interface ParseOptions {
  /** Sizes of the parts, which repeat. */
  readonly sizes?: readonly number[];
  /** Number of rows announced; by default more than most tests have, so that little memory is reserved. */
  readonly rows?: number | null;
  /** Sees each piece. */
  readonly onPiece?: (piece: HistoryPiece) => void;
}

/** Parses a text; where no line breaks a rule, every row is what a plain reading of the lines gives. */
export function parse(
  text: string,
  { sizes = [1 << 20], rows = 1000, onPiece }: ParseOptions = {},
): Parsed {
  const bytes = new TextEncoder().encode(text);
  const kept = new KeptRows();
  const taker = {
    add(piece: HistoryPiece) {
      kept.add(piece);
      onPiece?.(piece);
    },
    keys: () => kept.keys(),
  };
  const parser = new HistoryParser("ecpnd", { rows, taker });
  for (let offset = 0, i = 0; offset < bytes.length; i++) {
    const part = bytes.slice(offset, offset + sizes[i % sizes.length]!);
    parser.push(part);
    // A buffer is used again.
    part.fill(0x39);
    offset += part.length;
  }
  parser.finish();
  const { days, numbers } = kept.keys();
  const { names } = parser.columns;
  const parsed = {
    parser,
    days,
    tickers: Array.from(numbers, (i) => names[i]!),
    scores: kept.scores,
  };
  if (parser.offences.count === 0 && parser.columns.rows === days.length) expectPlain(text, parsed);
  return parsed;
}

function expectPlain(text: string, { days, tickers, scores }: Parsed): void {
  const lines = text.replace(/^\uFEFF/, "").split("\n").slice(1).filter((line) => line !== "");
  const cells = lines.map((line) => line.replace(/\r$/, "").split(","));
  expect(Array.from(days)).toEqual(cells.map(([date]) => Date.parse(date!) / 86_400_000));
  expect(tickers).toEqual(cells.map(([, ticker]) => ticker));
  expect(Array.from(scores)).toEqual(
    cells.map(([, , score]) => score === "" ? NaN : Number(score)),
  );
}
