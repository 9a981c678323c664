import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as rules from "../base/arguments/check_options.ts";
import { type Adjustment, adjustPValues, isProbability } from "./inference/adjust_p_values.ts";
import { describe } from "../base/contract/violation.ts";
import { countText, pText } from "../base/wording/number_text.ts";
import { displayParts, tableOfRows } from "./table/frame_of_rows.ts";
import { displayAs } from "../frames/notebook/display_as.ts";
import { refuseAddress } from "../base/arguments/refuse_address.ts";
import { sha256Hex } from "../base/store/layout.ts";
import { appendLine } from "../base/disk/append_line.ts";
import { storageErrorOf } from "../base/disk/on_disk.ts";
import { isObject } from "../base/contract/json_text.ts";
import * as z from "zod/mini";
import {
  aCount,
  aNumber,
  anyText,
  object,
  orAbsent,
  readOrNull,
  valueOf,
  type Wire,
  write,
} from "../base/contract/schema.ts";
import type { TableOf } from "./table/columns.ts";

/** Columns of the table, in order. */
const TRIAL_COLUMNS = "first_at what of options n t p p_adjusted times";

/** Name of the trial log in its folder. */
const TRIAL_LOG_FILE = "trial_log.jsonl";

const NUMBER = rules.either(rules.FINITE, rules.exactly(null));
const RULES: rules.OptionRules<Trial> = {
  what: rules.needed(rules.TEXT),
  options: rules.needed(rules.objectLike()),
  n: rules.needed(rules.whole(0)),
  t: rules.needed(NUMBER),
  p: rules.needed(rules.either(rules.between(0, 1), rules.exactly(null))),
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

/** Every test that was made, so that the number of tries is known and p values can be adjusted for it. */
export class TrialLog {
  static {
    displayAs(
      TrialLog,
      (shown) => displayParts(() => shown.text, () => ({ table: shown.table() })),
    );
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
    rules.checkOptions("enter a test", entry, RULES);
    this.#file.append(toWire(entry, new Date(this.#now()).toISOString()));
  }

  /**
   * Enters the tests of other logs, each with the time at which it was made: the log is then their exact union. A test that it
   * has already, made at the same time, is not entered again.
   *
   * @returns The number of tests that were entered
   */
  unite(others: readonly TrialLog[]): number {
    const known = new Set(this.#lines().map((line) => toText(line)));
    const added = others.flatMap((other) => other.#lines()).filter((line) => {
      const text = toText(line);
      return !known.has(text) && known.add(text);
    }).toSorted((a, b) => a.at < b.at ? -1 : a.at > b.at ? 1 : 0);
    for (const { at, ...entry } of added) this.#file.append(toWire(entry, at));
    return added.length;
  }

  /**
   * Sentences on tests that were removed from the file or changed in it, each with its number. A line holds the hash of the one
   * before it, so only the last ones can go unseen; `end` tells of these.
   */
  get problems(): readonly string[] {
    return problemsOf(this.#file.read());
  }

  /** Number and hash of the last line of the file, which tell whether it still has all tests; `null` without one. */
  get end(): string | null {
    const last = this.#file.read().map(readLine).findLast((line) => (line?.chain ?? null) !== null);
    return last === undefined || last === null ? null : `${last.number}:${last.chain}`;
  }

  /**
   * The variants, oldest first: tests that differ in what, options, observations or result. A cell that is run again
   * enters the same variant again, and counts it once.
   */
  variants(): readonly TrialVariant[] {
    const found = new Map<string, TrialVariant>();
    for (const { at, ...entry } of this.#lines()) {
      const key = toText({ ...entry, at: "" });
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
    return this.#file.read().filter((line) => readLine(line) === null).length;
  }

  #lines(): readonly MadeTrial[] {
    return this.#file.read().flatMap((text) => {
      const { number: _, chain: __, ...line } = readLine(text) ?? { number: null, chain: null };
      return "at" in line ? [line] : [];
    });
  }

  /**
   * One row per variant, oldest first: `first_at` (Utf8), `what`, `of` (Utf8, the option of that name: origin of the values, such as
   * a factor; null if it was not said), `options` (Utf8, JSON, the others), `n` (Int32), `t`, `p`, `p_adjusted` (for the number of variants with a p value; null without one), `times` (Int32).
   *
   * @param method Adjustment of the p values; Holm's method by default
   */
  table(method: Adjustment = "holm"): TableOf<typeof TRIAL_COLUMNS> {
    const variants = this.variants();
    const adjusted = adjustPValues(variants.map(({ p }) => p), method);
    const rows = variants.map(({ firstAt, what, options, n, t, p, times }, i) => [
      ...[firstAt, what, ofText(options), optionsText(options), n, t, p, adjusted[i]!, times],
    ]);
    return tableOfRows(rows, TRIAL_COLUMNS);
  }

  /** Number of tests, and the smallest p value with its adjustment by Holm's method. */
  get text(): string {
    const [variants, problems] = [this.variants(), this.problems];
    const found = problems.length === 0 ? "" : ` ${problems.join(" ")}`;
    return `${
      variants.length === 0 ? "The trial log is empty." : this.#sentence(variants)
    }${found}`;
  }

  #sentence(variants: readonly TrialVariant[]): string {
    const p = variants.map((variant) => variant.p);
    const known = p.filter((value) => value !== null);
    const all = `The trial log has ${countText(variants.length, "test")}`;
    if (known.length === 0) return `${all} and no p value.`;
    const tests = known.length === p.length ? all : `${all}, ${known.length} with a p value`;
    const smallest = Math.min(...known);
    const adjusted = Math.min(...adjustPValues(p, "holm").filter((value) => value !== null));
    const [least, held] = [smallest, adjusted].map((one) => pText(one, "below"));
    return `${tests}; the smallest p value is ${least} (${held} adjusted by Holm's method).`;
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
export function trialLog(folder?: string, options: {
  /**
   * Clock, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
} = {}): TrialLog {
  rules.checkOptions("open a trial log", options, { now: rules.anyFunction() });
  if (folder !== undefined && (typeof folder !== "string" || folder === "")) {
    throw new TypeError(
      `Cannot open a trial log: expected the path of a folder, got ${describe(folder)}; leave it ` +
        "out for a log that lasts as long as the program",
    );
  }
  refuseAddress("open a trial log", folder);
  const { now = Date.now } = options;
  if (folder !== undefined) return new TrialLog(openTrialLogFile(folder), now);
  const lines: string[] = [];
  const append = (wire: Wire) => lines.push(JSON.stringify(wire));
  return new TrialLog({ read: () => lines, append }, now);
}

/** The result of {@link trialLog}. */
export const TRIAL_LOG: rules.Rule<TrialLog> = rules.ruleOf(
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

/** A file of lines that is only ever added to, by several writers at once. */
interface TrialLogFile {
  /** All lines, oldest first, those of other writers too. */
  read(): readonly string[];
  /** Adds a line, and returns when it is on the disk. */
  append(wire: Wire): void;
}

/** The trial log's file in a folder, which is made if it does not exist. */
function openTrialLogFile(folder: string): TrialLogFile {
  const path = join(folder, TRIAL_LOG_FILE);
  const orRefuse = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw storageErrorOf(`use the trial log in ${describe(folder)}`, error);
    }
  };
  orRefuse(() => mkdirSync(folder, { recursive: true }));
  const read = () => readLines(path);
  return {
    read: () => orRefuse(read),
    append: (wire) => orRefuse(() => appendLine(path, (last) => chainedLine(wire, last, read))),
  };
}

function readLines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter((line) => line !== "");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

/** A test with the time at which it was made. */
type MadeTrial = Trial & { readonly at: string };

/** A line of the file; lines of earlier versions have no number and no hash. */
interface TrialLine extends MadeTrial {
  readonly number: number | null;
  readonly chain: string | null;
}

const LINE = object<TrialLine>({
  at: anyText,
  what: anyText,
  options: valueOf<Wire>("an object", isObject),
  n: aCount,
  t: z.nullable(aNumber),
  p: z.nullable(valueOf("a number from 0 to 1", isProbability)),
  number: orAbsent(aCount),
  chain: orAbsent(anyText),
});

function toWire(entry: Trial, at: string): Wire {
  // A date is told apart by its text; as an object it has no fields.
  const options = sorted(JSON.parse(JSON.stringify(entry.options))) as Wire;
  return write(LINE, { ...entry, options, at, number: null, chain: null });
}

function toText({ at, ...entry }: MadeTrial): string {
  return JSON.stringify(toWire(entry, at));
}

// The last readable line may be longer than the end of the file that was read.
function chainedLine(
  wire: Wire,
  last: readonly string[],
  readAll: () => readonly string[],
): string {
  const isChained = (line: TrialLine | null) => (line?.number ?? null) !== null;
  const before = last.map(readLine).findLast(isChained) ??
    readAll().map(readLine).findLast(isChained);
  const number = (before?.number ?? 0) + 1;
  return JSON.stringify({ ...wire, number, chain: chainOf(before?.chain ?? "", number, wire) });
}

function chainOf(before: string, number: number, wire: Wire): string {
  const text = `${before}\n${number}\n${JSON.stringify(wire)}`;
  return sha256Hex(text).slice(0, 16);
}

// A line behind a missing one is taken as it is, since the hash before it is gone.
function problemsOf(lines: readonly string[]): readonly string[] {
  const problems: string[] = [];
  let [number, chain]: readonly [number, string] = [0, ""];
  for (const line of lines.map(readLine)) {
    if (line === null || line.number === null || line.chain === null) continue;
    const { number: _, chain: __, ...trial } = line;
    if (line.number > number + 1) problems.push(missing(number + 1, line.number - 1));
    else if (line.number !== number + 1) {
      problems.push(`Test ${line.number} stands twice in the trial log.`);
    } else if (line.chain !== chainOf(chain, line.number, toWire(trial, line.at))) {
      problems.push(`Test ${line.number} of the trial log was changed.`);
    }
    [number, chain] = [line.number, line.chain];
  }
  return problems;
}

function missing(first: number, last: number): string {
  return first === last
    ? `Test ${first} is missing from the trial log.`
    : `Tests ${first} to ${last} are missing from the trial log.`;
}

/** Reads a line of a trial log; `null` if it is not one, such as a line truncated by a full disk. */
function readLine(line: string): TrialLine | null {
  try {
    return readOrNull(LINE, JSON.parse(line));
  } catch {
    return null;
  }
}

// The order of options does not matter.
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, content]) => [key, sorted(content)]));
}
