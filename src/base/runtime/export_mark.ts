import { PACKAGE_VERSION } from "../contract/limits.ts";

/** A study that is open in this process, and the seal of its lock at this moment. */
export interface MarkedStudy {
  /** Name of the study. */
  readonly name: string;
  /** SHA-256 of its lock. */
  readonly seal: string;
}

/** Origin of an exported file, as it says itself. */
export interface ExportMark {
  /** The studies that were open. */
  readonly studies: readonly MarkedStudy[];
  /** Version of the library. */
  readonly scoreframe: string;
  /** Functions that the process had called, with the options of their calls. */
  readonly calls: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
}

/** Studies that are open in this process, by folder: each tells its name and seal, or `null` before its first load. */
export const openStudies: Map<string, () => MarkedStudy | null> = new Map();

// A loop over variants makes a call of each, and an option may be a list of all tickers; a mark is read from the first 64 kB of a file.
const MAX_VALUE = 100;
const MAX_OPTIONS = 12_000;
let length = 0;
const calls = new Map<string, Set<string>>();

/** Keeps the name of a function that was called, and those of its options that are short. */
export function noteCall(name: string, options: object): void {
  const known = calls.get(name) ?? new Set();
  calls.set(name, known);
  const plain = Object.entries(options).filter(([, value]) => isPlain(value));
  const text = JSON.stringify(Object.fromEntries(plain));
  const kept = length + text.length > MAX_OPTIONS ? "{}" : text;
  if (known.has(kept)) return;
  known.add(kept);
  length += kept.length;
}

// Frames and functions are never written out.
function isPlain(value: unknown): boolean {
  const isText = (one: unknown) =>
    one === null || ["number", "string", "boolean"].includes(typeof one);
  const values = [value].flat();
  return values.length <= MAX_VALUE && values.every(isText) &&
    JSON.stringify(value).length <= MAX_VALUE;
}

const MARK = /scoreframe-study:([\w.%~!*'()]+)/;

/** The mark of what is exported now, in characters that every format of a file can hold; `null` if no study is open. */
export function exportMark(): string | null {
  const studies = [...openStudies.values()].map((told) => told()).filter((one) => one !== null);
  if (studies.length === 0) return null;
  const told = Object.fromEntries(
    [...calls].map(([name, texts]) => [name, [...texts].map((text) => JSON.parse(text))]),
  );
  const mark: ExportMark = { studies, scoreframe: PACKAGE_VERSION, calls: told };
  return `scoreframe-study:${encodeURIComponent(JSON.stringify(mark)).replaceAll("-", "%2D")}`;
}

/** The mark in the text of a file; `null` if it has none. */
export function readExportMark(text: string): ExportMark | null {
  const [, found] = MARK.exec(text) ?? [];
  if (found === undefined) return null;
  try {
    const { studies, scoreframe, calls } = JSON.parse(decodeURIComponent(found));
    const isWhole = Array.isArray(studies) && typeof calls === "object" && calls !== null &&
      studies.every((one) => typeof one?.name === "string" && typeof one.seal === "string") &&
      Object.values(calls).every(Array.isArray);
    return isWhole ? { studies, scoreframe: String(scoreframe), calls } : null;
  } catch {
    return null;
  }
}
