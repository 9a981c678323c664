import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isTicker } from "../../../src/base/contract/identifier.ts";
import { parseCalendarDate, parseInstant } from "../../../src/base/contract/instant.ts";
import { parseScoreText } from "../../../src/base/contract/scores/score_csv.ts";
import { HistoryParser } from "../../../src/frames/frame/release_file/history_parser.ts";
import { ROOT } from "../../helpers/source_files.ts";

interface Vectors {
  readonly accepted: Readonly<Record<string, unknown>>;
  readonly refused: readonly string[];
}

// The Python client reads the same file.
const VECTORS = JSON.parse(readFileSync(join(ROOT, "docs/python/vectors.json"), "utf8"));

/** The release of one line, as it is parsed; throws what it breaks. */
function readRelease(text: string): readonly number[] {
  const parser = new HistoryParser("ecpnd");
  parser.push(new TextEncoder().encode(text));
  parser.finish();
  if (parser.offences.count > 0) throw new Error(text);
  return [...parser.columns.keys.days];
}

const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ["scores", (text) => parseScoreText(text, "score")],
  ["dates", (text) => parseCalendarDate(text)],
  ["instants", (text) => parseInstant(text)],
  ["tickers", (text) => {
    if (!isTicker(text)) throw new Error(text);
  }],
  ["headers", (text) => readRelease(`${text}\n2026-01-02,AAA,0.5\n`)],
];

test.each(READERS)(
  "the shared vectors of %s are accepted with their value, or refused",
  (name, read) => {
    const { accepted, refused } = VECTORS[name] as Vectors | {
      accepted: string[];
      refused: string[];
    };
    for (const text of refused) expect(() => read(text), text).toThrow();
    if (Array.isArray(accepted)) {
      for (const text of accepted) {
        expect(() => read(text), text).not.toThrow();
      }
    } else {for (const [text, value] of Object.entries(accepted)) {
        expect(read(text), text).toBe(value);
      }}
  },
);
