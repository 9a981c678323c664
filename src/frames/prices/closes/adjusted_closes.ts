import { countText } from "../../../base/wording/number_text.ts";
import { describe } from "../../../base/contract/violation.ts";
import type { CloseState } from "./close_state.ts";
import {
  dividendLogs,
  factorLogs,
  type FactorTrial,
  isSplitBy,
  LARGE,
  largeMoves,
  type Reading,
  READING_NAMES,
  READINGS,
  resultsText,
  stepOf,
  trialText,
  tryDividends,
  tryFactor,
} from "./factor_readings.ts";
import type { JudgedColumn } from "./judged_column.ts";
import {
  type CloseQuestion,
  type ColumnFact,
  factorText,
  type GivenFactor,
  givenFactors,
} from "./price_columns.ts";
import type { SortedRows } from "./sorted_rows.ts";

/** The chosen closes with the factors and dividends that returns need. */
export class AdjustedCloses {
  readonly facts: ColumnFact[] = [];
  isTraded: boolean;
  hasSplits = false;
  #hasDividends: boolean | null;
  #paysNone = false;
  readonly #logs: Float64Array;
  readonly #rows: SortedRows;
  readonly #chosen: JudgedColumn;
  readonly #traded: Float64Array;
  readonly #question: CloseQuestion;
  readonly #taken: GivenFactor[] = [];
  readonly #applied: Float64Array[] = [];

  constructor(
    rows: SortedRows,
    closes: readonly JudgedColumn[],
    { chosen, question }: { readonly chosen: JudgedColumn; readonly question: CloseQuestion },
  ) {
    this.#rows = rows;
    this.#chosen = chosen;
    // Dividends are as paid, so that their unit is that of closes as traded, where the file has these.
    const traded = closes.find(({ jumps, claim }) => jumps ?? claim === "raw") ?? chosen;
    this.#traded = traded.values;
    this.#question = question;
    this.#logs = new Float64Array(chosen.values.length);
    this.isTraded = chosen.jumps === true || question.options.adjusted === false;
    this.#hasDividends = chosen.hasDividends ??
      (chosen.claim === "adjusted" && question.columns.dividend === null ? true : null);
  }

  /** The closes that returns need: they end at the last close of each ticker, as factors of the day have no level. */
  get values(): Float64Array {
    const closes = this.#rows.numbers(this.#chosen.name);
    if (this.#applied.length === 0) return closes;
    return closes.map((close, row) => close * Math.exp(this.#logs[row]!));
  }

  /** The option that says what was applied; `null` if nothing was. */
  get factor(): string | null {
    return this.#taken.length === 0 ? null : factorText(this.#taken);
  }

  /** State of the column itself. */
  get ownState(): CloseState {
    if (this.isTraded) return "none";
    if (this.#taken.length > 0) return this.#chosen.jumps === false ? "splits" : "unknown";
    return this.state;
  }

  get state(): CloseState {
    const { adjusted } = this.#question.options;
    if (this.#taken.length === 0) {
      if (adjusted !== undefined) {
        return adjusted === true ? "all" : adjusted === false ? "none" : "splits";
      }
      const { jumps, state } = this.#chosen;
      return this.#hasDividends === true && jumps !== true ? "all" : state;
    }
    const isWhole = this.hasSplits || this.#chosen.jumps === false || adjusted === "splits" ||
      this.#taken.some(({ role }) => role !== "dividend");
    if (this.#hasDividends === true || (this.#paysNone && isWhole)) return "all";
    return isWhole ? "splits" : "unknown";
  }

  /** Takes what options and numbers say, and asks where they leave several readings. */
  apply(): void {
    const { options, columns } = this.#question;
    this.#refuseContradicted();
    if (options.adjusted === false) return;
    const given = givenFactors(options.factor);
    for (const { role, name } of given) {
      if (role !== "none" && role !== "dividend") {
        this.#take(name, role as Reading, "the option says so");
      }
    }
    const free = columns.factors.filter(({ name }) => !given.some((other) => other.name === name));
    for (;;) {
      const [next] = free.map((factor) => ({ factor, trial: this.#try(factor.name) }))
        .filter(({ trial }) => isSplitBy(trial))
        .toSorted((a, b) => b.trial.gain - a.trial.gain);
      if (next === undefined) break;
      const { factor: { name, isNamed }, trial } = next;
      if (!isNamed) throw this.#several(name, { ...trial, rivals: ["none"] });
      this.isTraded = true;
      this.#take(name, trial.best, trialText(this.#rows, trial));
      free.splice(free.findIndex((factor) => factor.name === name), 1);
    }
    for (const { name, isNamed } of free) {
      if (isNamed) this.#settle(name);
      else this.#refuseUnnamed(name);
    }
    if (columns.dividend !== null) this.#settleDividends(columns.dividend, given);
  }

  /** Options that the numbers refute are no readings. */
  #refuseContradicted(): void {
    const { action, options: { adjusted, factor }, call } = this.#question;
    const { jumps, name, because, isSure } = this.#chosen;
    if (adjusted !== undefined && jumps === (adjusted !== false) && isSure) {
      const [expected, got] = jumps
        ? ["adjusted closes", "closes as traded"]
        : ["closes as traded", "closes that are adjusted for splits"];
      throw new TypeError(
        `Cannot ${action}: expected ${expected} in ${describe(name)}, got ${got} (${because}); ` +
          "omit adjusted",
      );
    }
    for (const { role, name: given } of givenFactors(factor)) {
      const trial = role === "dividend" ? undefined : this.#chosen.trials.get(given);
      if (trial === undefined || trial.moves.length === 0) continue;
      const reading = role as Reading;
      const isOpen = [trial.best, ...trial.rivals].includes(reading) ||
        trial.moves.every(({ added }) => Math.abs(added[reading] - added[trial.best]) < 1e-6);
      if (isOpen) continue;
      const advice = call(factorText([{ role: trial.best, name: given }]));
      throw new TypeError(
        `Cannot ${action}: expected ${describe(given)} to be what factor says, got moves that ` +
          `contradict it (${this.#results(trial, [reading, trial.best])}); use ${advice}`,
      );
    }
  }

  #try(name: string): FactorTrial {
    return tryFactor(this.#rows, this.values.map(Math.abs), this.#rows.numbers(name));
  }

  #take(name: string, reading: Reading, because: string): void {
    const [sign, form, words] = READINGS[reading as Exclude<Reading, "none">];
    const logs = factorLogs(this.#rows, this.#rows.numbers(name))[form];
    const added = new Float64Array(logs.length);
    let end = 0;
    for (let row = logs.length - 1; row >= 0; row--) {
      // A cumulated factor has a level of its own; the others are 1 at the end of a ticker.
      if (this.#rows.tickers[row] !== this.#rows.tickers[row + 1]) {
        end = form === "cum" ? 0 : logs[row]!;
      }
      added[row] = sign * (logs[row]! - end);
    }
    this.#add(added);
    const trial = this.#chosen.trials.get(name);
    if (trial !== undefined && largeMoves(trial).length > 0) this.hasSplits = this.isTraded = true;
    const isSmall = trial?.moves.some(({ added: all }) =>
      all[reading] > 1e-6 && all[reading] < LARGE / 2
    );
    if (isSmall && form === "cum") this.#hasDividends = true;
    this.#taken.push({ role: reading, name });
    this.#say(name, `a factor that ${words}`, because);
  }

  #say(column: string, is: string, because: string): void {
    this.facts.push({ column, is, because });
  }

  #add(added: Float64Array): void {
    this.#applied.push(added);
    for (let row = 0; row < added.length; row++) this.#logs[row]! += added[row]!;
  }

  /** A column without a name for it that may be a factor. */
  #refuseUnnamed(name: string): void {
    const trial = this.#try(name);
    const isOpen = trial.best !== "none" || trial.rivals.length > 0;
    if (isOpen && trial.moves.some((move) => stepOf(move) >= LARGE)) {
      throw this.#several(name, { ...trial, rivals: [...trial.rivals, "none"] });
    }
  }

  /** A named factor that did not fit clearly by its splits: one without a step, one that is in the closes, or a question. */
  #settle(name: string): void {
    const trial = this.#try(name);
    if (trial.moves.length === 0) return this.#say(name, "a factor", "it never changes");
    const open = [trial.best, ...trial.rivals];
    if (open.length > 1 && this.isTraded && largeMoves(trial).length === 0) {
      if (this.#isCovered(trial)) return;
      // Closes as traded lack dividends, so that a factor of small steps is not in them.
      const sure = open.filter((reading) => reading !== "none");
      if (sure.length === 1) {
        this.#hasDividends = true;
        const said = `the closes are as traded; ${trialText(this.#rows, trial)}`;
        return this.#take(name, sure[0]!, said);
      }
    }
    if (open.length > 1) throw this.#several(name, trial);
    const said = trialText(this.#rows, trial);
    if (trial.best !== "none") return this.#take(name, trial.best, said);
    this.#say(name, "a factor that is in the closes already", said);
  }

  /** `true` if what was applied has steps of the same sizes. */
  #isCovered({ moves }: { readonly moves: FactorTrial["moves"] }): boolean {
    const sizes = moves.map(({ row, from, added }) => {
      const size = Math.max(...Object.values(added));
      const done = this.#applied.reduce((sum, logs) => sum + logs[row]! - logs[from]!, 0);
      return Math.abs(done - size) < 0.4 * size;
    });
    return this.#applied.length > 0 && sizes.filter(Boolean).length > sizes.length / 2;
  }

  #settleDividends(name: string, given: readonly GivenFactor[]): void {
    const role = given.find((one) => one.name === name)?.role;
    const logs = dividendLogs(this.#rows, this.#traded, this.#rows.numbers(name));
    const trial = tryDividends(this.#rows, this.#chosen.values, logs);
    if (trial.moves.length === 0) {
      this.#paysNone = true;
      return;
    }
    const inside = role === "dividend" ? null : this.#whyInside(trial, role);
    if (inside !== null) {
      this.#say(name, "dividends that are in the closes already", inside);
    } else {
      const isSure = role === "dividend" || this.#hasDividends === false || this.#chosen.isBare ||
        this.#question.options.adjusted === "splits" || this.isTraded || trial.rivals.length === 0;
      if (!isSure) throw this.#several(name, trial, true);
      this.#add(logs);
      this.#taken.push({ role: "dividend", name });
      const because = role === "dividend" ? "the option says so" : "the closes lack them";
      this.#say(name, "dividends on their ex-dates", because);
    }
    this.#hasDividends = true;
  }

  /** Evidence that the closes have the dividends already; `null` without any. */
  #whyInside(trial: FactorTrial, role: string | undefined): string | null {
    if (role === "none" || this.#question.options.adjusted === true) return "an option says so";
    if (this.#hasDividends === true && !this.#chosen.isBare) return this.#chosen.because;
    if (this.#isCovered(trial)) return "the factor has steps of their sizes";
    const isShown = trial.rivals.length === 0 && trial.best === "none" && !this.isTraded;
    return isShown ? `${countText(trial.moves.length, "ex-date")} show it` : null;
  }

  #several(name: string, trial: FactorTrial, isDividend = false): TypeError {
    const { action, call, options } = this.#question;
    const open = READING_NAMES.filter((reading) => [trial.best, ...trial.rivals].includes(reading));
    const kept = [...givenFactors(options.factor), ...this.#taken].filter((one, i, all) =>
      all.findIndex((other) => other.name === one.name) === i
    );
    const calls = open.map((reading) => {
      const role = isDividend && reading !== "none" ? "dividend" : reading;
      return call(factorText([...kept, { role, name }]));
    });
    const count = open.length === 2 ? "two" : open.length;
    const results = this.#results(trial, open, isDividend);
    return new TypeError(
      `Cannot ${action}: expected closes that tell what ${describe(name)} does to them, got ` +
        `${count} readings that fit (${results}); use ${calls.join(" or ")}`,
    );
  }

  #results({ moves }: FactorTrial, readings: readonly Reading[], isDividend = false): string {
    return resultsText(this.#rows, this.#chosen.values, moves, readings, isDividend);
  }
}
