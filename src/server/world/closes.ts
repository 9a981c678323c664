import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CalendarDate } from "../../base/contract/instant.ts";

/** Name of the file of daily closes in a world's folder. */
export const CLOSES_FILE = "closes.csv";

/** Header of the file of daily closes. */
export const CLOSES_HEADER = "date,ticker,close";

/** Daily closes by column; entry `i` of all belongs to one session of one ticker. */
export interface Closes {
  /** Sessions, ascending. */
  readonly dates: readonly CalendarDate[];
  /** Tickers, ascending within a session. */
  readonly tickers: readonly string[];
  /** Closing prices in dollars. */
  readonly closes: Float64Array;
}

/** The daily closes of a world: a CSV file beside the store's own files. */
export interface ClosesFile {
  /** Path of the CSV file; read the ticker column as text. */
  readonly path: string;
  /** Reads the whole file: 30,000 rows for a small world, 7.5 million for a full one. */
  read(): Promise<Closes>;
}

/** The file of daily closes in a world's folder. */
export function closesFileOf(folder: string): ClosesFile {
  const path = join(folder, CLOSES_FILE);
  return { path, read: async () => parseCloses(await readFile(path, "latin1")) };
}

function parseCloses(csv: string): Closes {
  const names = new Map<string, string>();
  // Columns share one text per distinct date and ticker; slices would keep the whole file alive.
  const intern = (text: string) => names.get(text) ?? internNew(names, text);
  const dates: string[] = [];
  const tickers: string[] = [];
  const closes: number[] = [];
  let start = CLOSES_HEADER.length + 1;
  for (let end = csv.indexOf("\n", start); end !== -1; end = csv.indexOf("\n", start)) {
    const comma = csv.indexOf(",", start + 11);
    dates.push(intern(csv.slice(start, start + 10)));
    tickers.push(intern(csv.slice(start + 11, comma)));
    closes.push(Number(csv.slice(comma + 1, end)));
    start = end + 1;
  }
  return { dates, tickers, closes: Float64Array.from(closes) };
}

function internNew(names: Map<string, string>, text: string): string {
  const own = [...text].join("");
  names.set(own, own);
  return own;
}
