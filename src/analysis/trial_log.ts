import type { DataFrame } from "nodejs-polars";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import {
  anyFunction,
  between,
  checkOptions,
  either,
  exactly,
  FINITE,
  needed,
  objectLike,
  type OptionRules,
  type Rule,
  ruleOf,
  TEXT,
  whole,
} from "../base/arguments/check_options.ts";
import { type Adjustment, adjustPValues } from "./inference/adjust_p_values.ts";
import { describe } from "../base/contract/violation.ts";
import { countText, pText } from "../base/wording/number_text.ts";
import { tableOfRows } from "./table/frame_of_rows.ts";
import type { TableFrame } from "../frames/frame/typed/table_frame.ts";
import { displayAs } from "../frames/notebook/display_as.ts";
import { displayParts } from "./table/display_parts.ts";
import { refuseAddress } from "../base/arguments/refuse_address.ts";
import { StorageError } from "../base/errors.ts";
import { isObject } from "../base/contract/json_text.ts";
import {
  aCount,
  aNumber,
  anyText,
  object,
  orNull,
  readOrNull,
  valueOf,
  type Wire,
} from "../base/contract/schema.ts";

/** Columns of the table, in order. */
const TRIAL_COLUMNS = {
  first_at: "text",
  what: "text",
  of: "text",
  options: "text",
  n: "count",
  t: "number",
  p: "number",
  p_adjusted: "number",
  times: "count",
} as const;

/** Name of the trial log in its folder. */
const TRIAL_LOG_FILE = "trial_log.jsonl";

const NUMBER = either(FINITE, exactly(null));
const RULES: OptionRules<Trial> = {
  what: needed(TEXT),
  options: needed(objectLike()),
  n: needed(whole(0)),
  t: needed(NUMBER),
  p: needed(either(between(0, 1), exactly(null))),
};

/** One test that was made. */
export interface Trial {
  /** Quantity that was tested, such as `mean IC`. */
  readonly what: string;
  /** Options: everything that makes it another variant. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Number of observations. */
  readonly n: number;
  /** Ratio of mean and error; `null` if there is no test. */
  readonly t: number | null;
  /** Two-sided p value; `null` if there is no test. */
  readonly p: number | null;
}

/** An entry with the time at which it was first made, and how often. */
export interface TrialVariant extends Trial {
  /** Instant of its first entry. */
  readonly firstAt: string;
  /** Number of times that it was entered. */
  readonly times: number;
}

/** Options of {@link trialLog}. */
export interface TrialLogOptions {
  /**
   * Clock, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

/** Every test that was made, so that the number of tries is known and p values can be adjusted for it. */
export class TrialLog {
  static {
    displayAs(TrialLog, (shown) => displayParts(() => shown.text, () => shown.#parts()));
  }

  readonly #file: TrialLogFile;
  readonly #now: () => number;

  /**
   * Opens a trial log over lines.
   *
   * @param file File of the lines
   * @param now The clock, epoch milliseconds
   * @ignore
   */
  constructor(file: TrialLogFile, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /**
   * Enters a test. In a folder it is on the disk when this returns.
   *
   * @throws {TypeError} If it is not a test
   */
  enter(entry: Trial): void {
    checkOptions("enter a test", entry, RULES);
    this.#file.append(toTrialLine(entry, new Date(this.#now()).toISOString()));
  }

  /**
   * The variants, oldest first: tests that differ in what, options, observations or result. A cell that is run again
   * enters the same variant again, and counts it once.
   */
  variants(): readonly TrialVariant[] {
    const found = new Map<string, TrialVariant>();
    for (const line of this.#file.read()) {
      const parsed = parseTrialLine(line);
      if (parsed === null) continue;
      const { at, ...entry } = parsed;
      const key = toTrialLine(entry, "");
      const known = found.get(key);
      found.set(key, { ...entry, firstAt: known?.firstAt ?? at, times: (known?.times ?? 0) + 1 });
    }
    return [...found.values()];
  }

  /** Number of variants that were tried, for the deflated Sharpe ratio and the judgement. */
  get count(): number {
    return this.variants().length;
  }

  /** Number of unreadable lines, left by interrupted writes. */
  get unreadable(): number {
    return this.#file.read().filter((line) => parseTrialLine(line) === null).length;
  }

  /**
   * One row per variant, oldest first: `first_at` (Utf8), `what`, `of` (Utf8, the option of that name: origin of the values, such as
   * a factor; null if it was not said), `options` (Utf8, JSON, the others), `n` (Int32), `t`, `p`, `p_adjusted` (for the number of variants with a p value; null without one), `times` (Int32).
   *
   * @param method Adjustment of the p values; Holm's method by default
   */
  table(method: Adjustment = "holm"): TableFrame<typeof TRIAL_COLUMNS> {
    const variants = this.variants();
    const adjusted = adjustPValues(variants.map(({ p }) => p), method);
    const rows = variants.map((variant, i) => ({ ...variant, adjusted: adjusted[i]! }));
    return tableOfRows(rows, TRIAL_COLUMNS, {
      of: ({ options }) => ofText(options),
      options: ({ options }) => optionsText(options),
      p_adjusted: (row) => row.adjusted,
    });
  }

  /** Number of tests, and the smallest p value with its adjustment by Holm's method. */
  get text(): string {
    const variants = this.variants();
    if (variants.length === 0) return "The trial log is empty.";
    const p = variants.map((variant) => variant.p);
    const known = p.filter((value) => value !== null);
    const all = `The trial log has ${countText(variants.length, "test")}`;
    if (known.length === 0) return `${all} and no p value.`;
    const tests = known.length === p.length ? all : `${all}, ${known.length} with a p value`;
    const smallest = Math.min(...known);
    const adjusted = Math.min(...adjustPValues(p, "holm").filter((value) => value !== null));
    return `${tests}; the smallest p value is ${inWords(smallest)} (${inWords(adjusted)} ` +
      "adjusted by Holm's method).";
  }

  /** The frames to show. */
  #parts(): Readonly<Record<string, DataFrame>> {
    return { table: this.table() };
  }
}

/**
 * Opens a trial log of the variants that are tried.
 *
 * With a folder it is the file `trial_log.jsonl` in it, one line per test: it survives the kernel, and several notebooks may
 * write at once. Without one it lives as long as the program.
 *
 * @param folder The folder, made if it does not exist
 * @returns The trial log, to be given to every analysis that is part of the same search
 * @throws {TypeError} If the folder is not text, or an option is unknown
 * @see Harvey, Liu and Zhu (2016), … and the cross-section of expected returns, Review of Financial Studies 29
 *
 * @example Usage
 * ```ts
 * import { trialLog } from "scoreframe/analysis";
 *
 * const tried = trialLog();
 * tried.enter({ what: "mean IC", options: { horizon: 1 }, n: 250, t: 2.6, p: 0.01 });
 * tried.enter({ what: "mean IC", options: { horizon: 5 }, n: 250, t: 2.1, p: 0.04 });
 * console.assert(tried.count === 2);
 * console.assert(tried.table().getColumn("p_adjusted").toArray().join() === "0.02,0.04");
 * ```
 */
export function trialLog(folder?: string, options: TrialLogOptions = {}): TrialLog {
  checkOptions("open a trial log", options, { now: anyFunction() });
  if (folder !== undefined && (typeof folder !== "string" || folder === "")) {
    throw new TypeError(
      `Cannot open a trial log: expected the path of a folder, got ${describe(folder)}; leave it ` +
        "out for a log that lasts as long as the program",
    );
  }
  refuseAddress("open a trial log", folder);
  const { now = Date.now } = options;
  return new TrialLog(folder === undefined ? linesInMemory() : openTrialLogFile(folder), now);
}

/** The result of {@link trialLog}. */
export const TRIAL_LOG: Rule<TrialLog> = ruleOf(
  "the result of trialLog(), which takes a folder",
  (value) => value instanceof TrialLog,
);

function ofText({ of }: Trial["options"]): string | null {
  return typeof of === "string" ? of : null;
}

function optionsText(options: Trial["options"]): string {
  const isText = ofText(options) !== null;
  return JSON.stringify(options, (key, value) => isText && key === "of" ? undefined : value);
}

function inWords(p: number): string {
  return pText(p).replace("<", "below");
}

function linesInMemory(): TrialLogFile {
  const lines: string[] = [];
  return { read: () => lines, append: (line) => lines.push(line) };
}

/** A file of lines that is only ever added to, by several writers at once. */
interface TrialLogFile {
  /** All lines, oldest first, those of other writers too. */
  read(): readonly string[];
  /** Adds a line, and returns when it is on the disk. */
  append(line: string): void;
}

/** The trial log's file in a folder, which is made if it does not exist. */
function openTrialLogFile(folder: string): TrialLogFile {
  makeFolder(folder);
  const path = join(folder, TRIAL_LOG_FILE);
  return {
    read: () => readLines(path),
    append: (line) => appendLine(path, line),
  };
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code = "an error" } = error as { code?: string };
    throw new StorageError(
      `Cannot open a trial log: expected a folder that can be written at ${describe(folder)}, ` +
        `got ${code}; choose another folder`,
    );
  }
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function appendLine(path: string, line: string): void {
  const file = openSync(path, "a+");
  try {
    // A line that was cut off must not swallow this one. One write to a file that is opened for appending is whole.
    const bytes = new TextEncoder().encode(`${endsInLine(file) ? "" : "\n"}${line}\n`);
    const written = writeSync(file, bytes);
    if (written < bytes.length) {
      throw new Error(
        `Cannot enter a test in "${path}": expected ${bytes.length} bytes to be written, got ${written}; ` +
          "make room on the disk",
      );
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = new Uint8Array(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] === 0x0A;
}

const LINE = object<Trial & { readonly at: string }>({
  at: anyText,
  what: anyText,
  options: valueOf<Wire>("an object", isObject),
  n: aCount,
  t: orNull(aNumber),
  p: orNull(valueOf("a number from 0 to 1", isProbability)),
});

/** An entry as one line of a file. */
function toTrialLine(entry: Trial, at: string): string {
  // A date is told apart by its text; as an object it has no fields.
  const options = sorted(JSON.parse(JSON.stringify(entry.options))) as Wire;
  return JSON.stringify(LINE.write({ ...entry, options, at }));
}

/**
 * Reads a line of a trial log; `null` if it is not one, such as a line truncated by a full disk.
 */
function parseTrialLine(line: string): (Trial & { readonly at: string }) | null {
  try {
    return readOrNull(LINE, JSON.parse(line));
  } catch {
    return null;
  }
}

function isProbability(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

// The order of options does not matter.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, content]) => [key, sorted(content)]));
}
