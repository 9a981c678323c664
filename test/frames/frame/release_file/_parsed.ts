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

/** Parses a text by the loop in TypeScript and by the compiled one, which have to agree in every row and every offence. */
export function parse(text: string, options: ParseOptions = {}): Parsed {
  const bytes = new TextEncoder().encode(text);
  const script = parseBy("script", bytes, options);
  const compiled = parseBy("compiled", bytes, options);
  expect(factsOf(compiled)).toEqual(factsOf(script));
  return compiled;
}

function parseBy(
  loop: "script" | "compiled",
  bytes: Uint8Array,
  { sizes = [1 << 20], rows = 1000, onPiece }: ParseOptions,
): Parsed {
  const kept = new KeptRows(rows);
  const taker = {
    add(piece: HistoryPiece) {
      kept.add(piece);
      if (loop === "compiled") onPiece?.(piece);
    },
    keys: () => kept.keys(),
  };
  const parser = new HistoryParser("ecpnd", { rows, taker, loop });
  for (let offset = 0, i = 0; offset < bytes.length; i++) {
    const part = bytes.slice(offset, offset + sizes[i % sizes.length]!);
    parser.push(part);
    // A buffer is used again.
    part.fill(0x39);
    offset += part.length;
  }
  parser.finish();
  const { days, numbers } = kept.keys();
  const { names } = parser.columns.tickers;
  return { parser, days, tickers: Array.from(numbers, (i) => names[i]!), scores: kept.scores };
}

function factsOf({ parser, days, tickers, scores }: Parsed) {
  const { offences, hasByteOrderMark, hasOpenEnd, order, columns } = parser;
  const { rows, missingRows, sessions } = columns;
  const counts = [rows, missingRows, offences.count, hasByteOrderMark, hasOpenEnd, order];
  const broken = [...offences.broken()];
  // Compared as bytes, in which one NaN equals another, and 0 is not -0.
  const bytes = [days, scores].map(({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString("latin1")
  );
  return { counts, broken, sessions, names: columns.tickers.names, tickers: tickers.join(), bytes };
}
