import type { DataFrame } from "nodejs-polars";
import {
  anyFunction,
  checkOptions,
  type Rule,
  ruleOf,
} from "../../base/arguments/check_options.ts";
import { type Adjustment, adjustPValues } from "../inference/adjust_p_values.ts";
import { describe } from "../../base/contract/violation.ts";
import { countText, pText } from "../../base/wording/number_text.ts";
import { tableOfRows } from "../table/frame_of_rows.ts";
import type { TableFrame } from "../../frames/frame/typed/table_frame.ts";
import { displayAs } from "../../frames/notebook/display_as.ts";
import { displayParts } from "../table/display_parts.ts";
import {
  assertEntry,
  parseTrialLine,
  toTrialLine,
  type Trial,
  type TrialVariant,
} from "./trial.ts";
import { openTrialLogFile, type TrialLogFile } from "./trial_log_file.ts";
import { refuseAddress } from "../../base/arguments/refuse_address.ts";

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
    assertEntry(entry);
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

/** The result of {@link trialLog}. */
export const TRIAL_LOG: Rule<TrialLog> = ruleOf(
  "the result of trialLog(), which takes a folder",
  (value) => value instanceof TrialLog,
);
