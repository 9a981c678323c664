import { hash32, seedOf, uniform } from "../random.ts";

/** Tickers that readers mistake for something else: numbers, booleans, missing values, signs. */
export const AWKWARD_TICKERS: readonly string[] = [
  "BRK.B",
  "NA",
  "TRUE",
  "1E5",
  "BF-B",
  "NAN",
  "NULL",
  "0012",
  "E",
  "INF",
  "FALSE",
  "-",
  "LONGTICKERSYM.WS",
];

// Letters as often as they occur in listed tickers, roughly.
const LETTERS = "AAABBCCCDDEEEFGGHHIILLLMMMNNNOOPPPQRRRSSSSTTTTUVVWXXYZ";
const SUFFIXES = [".A", ".B", "-A", "-P", ".U", "-WS"];

/** The requested number of tickers: awkward ones first, then made-up ones that look like US tickers. */
export function makeTickerNames(seed: number, count: number): readonly string[] {
  const names = new Set(AWKWARD_TICKERS.slice(0, count));
  const own = seedOf(seed, "ticker names");
  for (let attempt = 0; names.size < count; attempt++) names.add(makeName(own, attempt));
  return [...names];
}

function makeName(seed: number, attempt: number): string {
  const length = lengthOf(uniform(seed, attempt, 1));
  let name = "";
  for (let i = 0; i < length; i++) {
    name += LETTERS.charAt(hash32(seed, attempt, 10 + i) % LETTERS.length);
  }
  const suffix = uniform(seed, attempt, 2) < 0.02 ? hash32(seed, attempt, 3) % SUFFIXES.length : -1;
  return name + (SUFFIXES[suffix] ?? "");
}

function lengthOf(u: number): number {
  if (u < 0.02) return 2;
  if (u < 0.3) return 3;
  return u < 0.94 ? 4 : 5;
}
