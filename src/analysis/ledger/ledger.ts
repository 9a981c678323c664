import type { DataFrame } from "nodejs-polars";
import { assertKnownOptions } from "../../arguments/check_options.ts";
import { type Adjustment, adjustPValues } from "../inference/adjust_p_values.ts";
import { pText } from "../../notebook/p_text.ts";
import { countText } from "../inference/number_text.ts";
import { frameOfRows } from "../table/frame_of_rows.ts";
import { Parts } from "../table/parts.ts";
import {
  assertEntry,
  type LedgerEntry,
  type LedgerVariant,
  parseLedgerLine,
  toLedgerLine,
} from "./ledger_entry.ts";
import { type LedgerFile, openLedgerFile } from "./ledger_file.ts";

/** Options of {@link ledger}. */
export interface LedgerOptions {
  /**
   * Clock, epoch milliseconds.
   *
   * @default Date.now
   */
  readonly now?: () => number;
}

/** Every test that was made, so that the number of tries is known and p values can be adjusted for it. */
export class Ledger extends Parts {
  readonly #file: LedgerFile;
  readonly #now: () => number;

  /**
   * Opens a ledger over lines.
   *
   * @param file Where the lines are
   * @param now The clock, epoch milliseconds
   */
  constructor(file: LedgerFile, now: () => number) {
    super();
    this.#file = file;
    this.#now = now;
  }

  /**
   * Enters a test. In a folder it is on the disk when this returns.
   *
   * @throws {TypeError} If it is no test
   */
  enter(entry: LedgerEntry): void {
    assertEntry(entry);
    this.#file.append(toLedgerLine(entry, new Date(this.#now()).toISOString()));
  }

  /**
   * The variants, oldest first: tests that differ in what, options, observations or result. A cell that is run again
   * enters the same variant again, and counts it once.
   */
  variants(): readonly LedgerVariant[] {
    const found = new Map<string, LedgerVariant>();
    for (const line of this.#file.read()) {
      const parsed = parseLedgerLine(line);
      if (parsed === null) continue;
      const { at, ...entry } = parsed;
      const key = toLedgerLine(entry, "");
      const known = found.get(key);
      found.set(key, { ...entry, firstAt: known?.firstAt ?? at, times: (known?.times ?? 0) + 1 });
    }
    return [...found.values()];
  }

  /** Number of variants that were tried: what a deflated Sharpe ratio and a judgement count from. */
  get count(): number {
    return this.variants().length;
  }

  /** Number of lines that could not be read: of a write that was cut off. */
  get unreadable(): number {
    return this.#file.read().filter((line) => parseLedgerLine(line) === null).length;
  }

  /**
   * One row a variant, oldest first: `first_at` (Utf8), `what`, `of` (Utf8, the option of that name: whose values they are, such as
   * a factor; null if it was not said), `options` (Utf8, JSON, the others), `n` (Int32), `t`, `p`, `p_adjusted` (for the number of variants with a p value; null without one), `times` (Int32).
   *
   * @param method How the p values are adjusted; Holm's way by default
   */
  table(method: Adjustment = "holm"): DataFrame {
    const variants = this.variants();
    const adjusted = adjustPValues(variants.map(({ p }) => p), method);
    const rows = variants.map((variant, i) => ({ ...variant, adjusted: adjusted[i]! }));
    return frameOfRows(rows, [
      { name: "first_at", type: "text", read: (row) => row.firstAt },
      { name: "what", type: "text", read: (row) => row.what },
      { name: "of", type: "text", read: ({ options }) => ofText(options) },
      { name: "options", type: "text", read: ({ options }) => optionsText(options) },
      { name: "n", type: "count", read: (row) => row.n },
      { name: "t", type: "number", read: (row) => row.t },
      { name: "p", type: "number", read: (row) => row.p },
      { name: "p_adjusted", type: "number", read: (row) => row.adjusted },
      { name: "times", type: "count", read: (row) => row.times },
    ]);
  }

  /** How many variants there are, and the smallest p value after Holm. */
  get text(): string {
    const variants = this.variants();
    const p = variants.map((variant) => variant.p);
    const tried = `${countText(variants.length, "variant")} ` +
      `${variants.length === 1 ? "is" : "are"} in the ledger`;
    const smallest = Math.min(...p.filter((value) => value !== null));
    if (!Number.isFinite(smallest)) return `${tried}; none has a p value.`;
    const adjusted = Math.min(...adjustPValues(p, "holm").filter((value) => value !== null));
    return `${tried}; the smallest p, ${inWords(smallest)}, is ${inWords(adjusted)} after Holm.`;
  }

  /** The frames to show. */
  protected parts(): Readonly<Record<string, DataFrame>> {
    return { table: this.table() };
  }
}

/**
 * Opens a ledger of the variants that are tried.
 *
 * With a folder it is the file `ledger.jsonl` in it, one line a test: it survives the kernel, and several notebooks may
 * write at once. Without one it lives as long as the program.
 *
 * @param folder The folder, made if it does not exist
 * @throws {TypeError} If the folder is no text, or an option unknown
 *
 * @example Usage
 * ```ts
 * import { ledger } from "scoreframe/analysis";
 *
 * const tried = ledger();
 * tried.enter({ what: "mean IC", options: { horizon: 1 }, n: 250, t: 2.6, p: 0.01 });
 * tried.enter({ what: "mean IC", options: { horizon: 5 }, n: 250, t: 2.1, p: 0.04 });
 * console.assert(tried.count === 2);
 * console.assert(tried.table().getColumn("p_adjusted").toArray().join() === "0.02,0.04");
 * ```
 */
export function ledger(folder?: string, options: LedgerOptions = {}): Ledger {
  assertKnownOptions("open a ledger", options, ["now"]);
  if (folder !== undefined && (typeof folder !== "string" || folder === "")) {
    throw new TypeError(
      `Cannot open a ledger: the path of a folder is required, got ${JSON.stringify(folder)}`,
    );
  }
  const { now = Date.now } = options;
  return new Ledger(folder === undefined ? linesInMemory() : openLedgerFile(folder), now);
}

function ofText({ of }: LedgerEntry["options"]): string | null {
  return typeof of === "string" ? of : null;
}

function optionsText(options: LedgerEntry["options"]): string {
  const isText = ofText(options) !== null;
  return JSON.stringify(options, (key, value) => isText && key === "of" ? undefined : value);
}

function inWords(p: number): string {
  return pText(p).replace("<", "below");
}

function linesInMemory(): LedgerFile {
  const lines: string[] = [];
  return { read: () => lines, append: (line) => lines.push(line) };
}
