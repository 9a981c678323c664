import * as rules from "../../base/arguments/check_options.ts";
import { describe } from "../../base/contract/violation.ts";
import { randomSource } from "../inference/bootstrap.ts";
import {
  changeFuture,
  type Cut,
  type FutureChange,
  hasRestated,
  inputsInDays,
  outputIn,
  type ProbedInput,
  readInputs,
  readOutput,
  runSignal,
  type Signal,
  type SignalInputs,
  type SignalOutput,
  type TimeUnit,
} from "./signal_output.ts";
import { compareUpTo, isBlank } from "./compare_up_to.ts";
import { type ComparedRun, nameLeak } from "./name_leak.ts";
import { LookAhead } from "./look_ahead.ts";

const ACTION = "probe a signal for look-ahead";
const RULES: rules.OptionRules<NonNullable<Parameters<typeof probeLookAhead>[2]>> = {
  times: rules.objectLike('{ fundamentals: "filed_at" }'),
  time: rules.TEXT,
  seed: rules.whole(0),
};

const SHARES = [0.35, 0.6, 0.85];
const AROUND = 0.08;
/** Number of sessions with a value below which no history is cut. */
const LEAST_PROBED = 10;

/**
 * Probes a signal for look-ahead: history is cut at three instants, later rows are removed, shuffled and perturbed, and
 * every row up to the cut is compared, bit by bit, with that of the whole history. A row that changes depends on later
 * data.
 *
 * The signal runs at most eight times: twice on the inputs as they are, to distinguish a random signal from one that
 * looks ahead, and once for each altered future. Differences below one part in 10¹² count as rounding. A row of nulls
 * counts as missing. Time and memory are those of the runs; a comparison of a million rows takes some seconds.
 *
 * Rows are cut by the instant at which they were known. If an input or the signal has dates, all times are compared as
 * New York dates, so look-ahead within a day is not detected. An input with the time at which it was known (`known_at`,
 * `at`) as well as a `date`, `session` or `period` is probed for restatements, too. `kind`: `sessions_ahead` (with
 * `sessions`), `whole_sample`, `back_fill`, `survivors`, `future_calendar`, `restated`, or `unknown`: the pattern of
 * the changes, which does not prove their cause.
 *
 * `runs` has one row per run: `change`, `cut`, `compared` (rows), `changed`, `rounded`, `later` (rows after the cut),
 * `error` (what the signal threw). `columns` has one row per column that changed: `column`, `changed` (rows, over all
 * runs), and its first row: `first_time`, `first_ticker`, `whole`, `other` (its values), `change`, `cut`. Counts are
 * Int32, the others Utf8.
 *
 * @param signal Function that computes the signal's frame from the inputs; it may be asynchronous
 * @param inputs Frames by name, as the signal takes them: scores, prices, or any others
 * @param options Columns of times, and the seed
 * @returns The findings: `text`, `verdict`, `kind`, `first`, and frames
 * @throws {TypeError} If an input or the signal's result is not a frame, or has no column of times
 * @throws {RangeError} If the signal has values for fewer than 10 times
 * @see Bailey, Borwein, López de Prado and Zhu (2014), Pseudo-mathematics and financial charlatanism, Notices of the AMS 61
 *
 * @example Usage
 * ```ts
 * import pl from "nodejs-polars";
 * import { probeLookAhead } from "scoreframe/analysis";
 *
 * const days = Array.from({ length: 40 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));
 * const prices = pl.DataFrame([
 *   pl.Series("date", days, pl.Date),
 *   pl.Series("close", days.map((_, i) => 100 + Math.sin(i * i)), pl.Float64),
 * ]);
 * const mean = pl.col("close").sub(pl.col("close").mean()).alias("score");
 * const found = await probeLookAhead(({ prices }) => prices.select("date", mean), { prices });
 * console.assert(found.verdict === "look_ahead" && found.kind === "whole_sample");
 * ```
 */
export async function probeLookAhead<Inputs extends SignalInputs>(
  signal: Signal<Inputs>,
  inputs: Inputs,
  options: {
    /**
     * Column that says when the rows of an input were known, by input; `null` for an input that is never cut, such as a calendar that is
     * published in advance.
     *
     * @default the first of `known_at`, `at`, `last_checked_at`, `calculated_at`, `session` and `date`
     */
    readonly times?: Readonly<Record<string, string | null>>;
    /** Time column of the signal's output. @default the first of the same names */
    readonly time?: string;
    /** Seed of the shuffles and perturbations. @default 1 */
    readonly seed?: number;
  } = {},
): Promise<LookAhead> {
  rules.checkOptions(`call probeLookAhead()`, options, RULES);
  if (typeof signal !== "function") {
    throw new TypeError(
      `Cannot ${ACTION}: expected the function that makes the signal, got ${describe(signal)}`,
    );
  }
  const { times = {}, time, seed = 1 } = options;
  const given = readInputs(ACTION, inputs, Object(times));
  const read = (frame: unknown) => readOutput(ACTION, frame, time);
  const first = await runSignal(signal, inputs);
  const output = read(first.frame);
  const unit: TimeUnit = [...given.map((input) => input.times), output.times]
      .every((column) => column === null || column.unit === "instant")
    ? "instant"
    : "day";
  const probed = unit === "day" ? inputsInDays(given) : given;
  const whole = outputIn(output, unit);
  return await runProbe({ signal, seed, unit, read, inputs: probed, whole }, first.mutated);
}

interface Probe<Inputs extends SignalInputs> {
  readonly signal: Signal<Inputs>;
  readonly seed: number;
  readonly unit: TimeUnit;
  readonly inputs: readonly ProbedInput[];
  readonly whole: SignalOutput;
  readonly read: (frame: unknown) => SignalOutput;
}

async function runProbe<Inputs extends SignalInputs>(
  probe: Probe<Inputs>,
  mutated: readonly string[],
): Promise<LookAhead> {
  const { inputs, whole, seed } = probe;
  const sessions = timesWithValues(whole);
  if (sessions.length < LEAST_PROBED) {
    throw new RangeError(
      `Cannot ${ACTION}: expected a signal with values for ${LEAST_PROBED} times at least, got ` +
        `${sessions.length}; give it a longer history`,
    );
  }
  const again = await runSignal(probe.signal, framesOf(inputs, ({ frame }) => frame));
  const last = whole.times.values.reduce((most, time) => Math.max(most, time), -Infinity);
  const repeated = compareUpTo(whole, outputIn(probe.read(again.frame), probe.unit), last);
  const runs: ComparedRun[] = [];
  if (repeated.changed.length === 0) {
    const ended = endedTickers(inputs, seed);
    for (const cut of listCuts(chooseCuts(sessions, inputs), inputs, ended)) {
      runs.push(await compareRun(probe, cut));
    }
  }
  const uncut = inputs.filter(({ times }) => times === null).map(({ name }) => name);
  const all = [...new Set(whole.times.values)].sort((a, b) => a - b);
  const leak = nameLeak({ whole, runs, inputs, sessions: all });
  return new LookAhead({ unit: probe.unit, last, repeated, runs, leak, mutated, uncut });
}

function listCuts(
  [early, middle, late]: readonly number[],
  inputs: readonly ProbedInput[],
  ended: ReadonlySet<string>,
): readonly Cut[] {
  const cut = (time: number, change: FutureChange): Cut => ({ time, change, ended });
  const isRestated = inputs.some((input) => hasRestated(input, middle!));
  return [
    cut(early!, "removed"),
    cut(middle!, "removed"),
    cut(late!, "removed"),
    cut(middle!, "shuffled"),
    cut(late!, "perturbed"),
    cut(isRestated ? middle! : early!, isRestated ? "restated" : "perturbed"),
  ];
}

async function compareRun<Inputs extends SignalInputs>(
  { signal, inputs, whole, unit, read, seed }: Probe<Inputs>,
  cut: Cut,
): Promise<ComparedRun> {
  const random = randomSource(seed + 1);
  const changed = framesOf(inputs, (input) => changeFuture(input, cut, random));
  try {
    const { frame } = await runSignal(signal, changed);
    const output = outputIn(read(frame), unit);
    return { cut, difference: compareUpTo(whole, output, cut.time), error: null };
  } catch (error) {
    // A signal may need more history than remains; its error is part of the result.
    return { cut, difference: null, error: error instanceof Error ? error.message : String(error) };
  }
}

function framesOf(
  inputs: readonly ProbedInput[],
  make: (input: ProbedInput) => ProbedInput["frame"],
): SignalInputs {
  return Object.fromEntries(inputs.map((input) => [input.name, make(input)]));
}

/** The distinct times at which a signal has values, ascending. */
function timesWithValues({ times, columns }: SignalOutput): readonly number[] {
  const cells = [...columns.values()];
  const found = new Set<number>();
  for (const [row, time] of times.values.entries()) {
    if (!found.has(time) && cells.some((values) => !isBlank(values[row]))) found.add(time);
  }
  return [...found].sort((a, b) => a - b);
}

/** Three times at which the history is cut: early, in the middle and late, where gaps and restatements are open. */
function chooseCuts(
  sessions: readonly number[],
  inputs: readonly ProbedInput[],
): readonly number[] {
  const gaps = gapsByTime(inputs);
  const most = Math.max(1, ...gaps.values());
  const last = sessions.length - 2;
  return SHARES.map((share) => {
    const middle = Math.floor(share * last);
    const width = Math.floor(AROUND * last);
    const distance = (time: number) => Math.abs(time - sessions[middle]!);
    const near = sessions.slice(Math.max(1, middle - width), middle + width + 1)
      .toSorted((a, b) => distance(a) - distance(b));
    const scores = near.map((time) =>
      (gaps.get(time) ?? 0) / most + (inputs.some((input) => hasRestated(input, time)) ? 1 : 0)
    );
    return near[scores.indexOf(Math.max(...scores))]!;
  });
}

/** Tickers of which a third ends where values are perturbed; none among few. */
function endedTickers(inputs: readonly ProbedInput[], seed: number): ReadonlySet<string> {
  const random = randomSource(seed);
  const found = inputs.flatMap(({ times, tickers }) => times === null ? [] : tickers ?? []);
  const all = new Set(found.filter((ticker) => ticker !== null));
  return new Set(all.size < 4 ? [] : [...all].sort().filter(() => random.uniform() < 1 / 3));
}

/** Missing values by time: nulls, and tickers that have rows before and after, but not then. */
function gapsByTime(inputs: readonly ProbedInput[]): ReadonlyMap<number, number> {
  const gaps = new Map<number, number>();
  for (const { frame, times, tickers } of inputs) {
    if (times === null) continue;
    const { values } = times;
    const add = (time: number, count: number) => gaps.set(time, (gaps.get(time) ?? 0) + count);
    for (const column of frame.getColumns()) {
      if (column.nullCount() === 0) continue;
      for (const [row, isNull] of column.isNull().toArray().entries()) {
        if (isNull) add(values[row]!, 1);
      }
    }
    if (tickers !== null) addAbsent(values, tickers, add);
  }
  return gaps;
}

function addAbsent(
  values: Float64Array,
  tickers: readonly (string | null)[],
  add: (time: number, count: number) => void,
): void {
  const spans = new Map<string | null, [number, number]>();
  const present = new Map<number, number>();
  for (const [row, time] of values.entries()) {
    present.set(time, (present.get(time) ?? 0) + 1);
    const [first, last] = spans.get(tickers[row]!) ?? [time, time];
    spans.set(tickers[row]!, [Math.min(first, time), Math.max(last, time)]);
  }
  const all = [...spans.values()];
  for (const [time, count] of present) {
    const held = all.filter(([first, last]) => first <= time && last >= time).length;
    add(time, Math.max(0, held - count));
  }
}
