import process from "node:process";
import { escapeHtml } from "../html.ts";
import { groupThousands } from "../../../base/wording/group_thousands.ts";
import { sizeText } from "../../../base/wording/number_text.ts";
import { findKernel, type Kernel } from "./kernel.ts";

/** Progress of a long load. */
export interface ProgressState {
  /** Amount done, in the unit of `total`. */
  readonly done: number;
  /** Amount to do, or `null` if it is not known. */
  readonly total: number | null;
  /** Short note beside the bar, such as the requests spent. */
  readonly note?: string;
}

/** Progress bar of a long load. */
export interface Progress {
  /** Updates the state, which is shown at most five times a second. */
  update(state: ProgressState): void;
  /** Shows the last state with a closing note; without one nothing of the bar stays. Later updates are ignored. */
  finish(note?: string): Promise<void>;
}

/** Unit of a bar. */
export type ProgressUnit = "count" | "bytes" | "share";

/** Options of {@link createProgress}. */
export interface ProgressOptions {
  /**
   * Shows the bar.
   * @default true, unless the environment says `SCOREFRAME_PROGRESS=off`
   */
  readonly enabled?: boolean;
  /**
   * Unit: a count, bytes (shown as kB and MB), or a percentage.
   * @default "count"
   */
  readonly unit?: ProgressUnit;
  /**
   * Kernel to show the bar in; `null` for a terminal.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
  /**
   * Output of the bar outside a notebook; `null` shows nothing.
   * @default standard error if it is a terminal that can redraw a line, else `null`
   */
  readonly write?: ((text: string) => void) | null;
  /**
   * Width of the terminal in characters.
   * @default that of standard error
   */
  readonly columns?: () => number;
  /**
   * Clock, epoch milliseconds.
   * @default Date.now
   */
  readonly now?: () => number;
}

// A kernel loses updates that come more often.
const INTERVAL_MS = 200;
const BAR_WIDTH = 24;

/**
 * Starts a progress bar: an updated display in a notebook, a line on standard error in a terminal, and nothing otherwise. Never
 * throws, never delays the load and uses no colours.
 *
 * @param label Name of the load
 * @param options Output of the bar
 */
export function createProgress(label: string, options: ProgressOptions = {}): Progress {
  const { enabled = process.env["SCOREFRAME_PROGRESS"] !== "off", unit = "count", now = Date.now } =
    options;
  const { kernel = findKernel(), write = terminal() } = options;
  const { columns = () => process.stderr.columns || 80 } = options;
  const text: WriteState = (state) => progressText(label, state, unit);
  const show = kernel !== null ? inKernel(text, kernel) : write && onLine(text, write, columns);
  if (!enabled || show === null) return { update: () => {}, finish: () => Promise.resolve() };
  return throttled(show, now);
}

type WriteState = (state: ProgressState) => { readonly bar: string | null; readonly words: string };
/** Shows a state, the last one if it closes; `null` takes the bar away. */
type ShowState = (state: ProgressState | null, closing: boolean) => Promise<void>;

function throttled(show: ShowState, now: () => number): Progress {
  let shownAtMs = -Infinity;
  let known: ProgressState = { done: 0, total: null };
  let last = Promise.resolve();
  let isFinished = false;
  return {
    update(state) {
      if (isFinished) return;
      known = state;
      if (now() - shownAtMs < INTERVAL_MS) return;
      shownAtMs = now();
      last = last.then(() => show(state, false)).catch(() => {});
    },
    async finish(note) {
      if (isFinished) return;
      isFinished = true;
      await last;
      await show(note === undefined ? null : { ...known, note }, true).catch(() => {});
    },
  };
}

function inKernel(text: WriteState, kernel: Kernel): ShowState {
  const displayId = crypto.randomUUID();
  let type: "display_data" | "update_display_data" = "display_data";
  return async (state) => {
    if (state === null && type === "display_data") return;
    const data = state === null ? EMPTY : progressBundle(text(state), state);
    const sending = { type, displayId, data };
    type = "update_display_data";
    await kernel.broadcast(sending);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
}

const EMPTY = { "text/html": "", "text/plain": "" };

function onLine(text: WriteState, write: (text: string) => void, columns: () => number): ShowState {
  let width = 0;
  return (state, closing) => {
    const line = state === null ? "" : fittingLine(text(state), columns() - 1);
    const end = state === null ? "\r" : closing ? "\n" : "";
    if (state !== null || width > 0) write(`\r${line.padEnd(width)}${end}`);
    width = line.length;
    return Promise.resolve();
  };
}

// A line that wraps cannot be written over: each update would leave one more.
function fittingLine(text: ReturnType<WriteState>, most: number): string {
  const line = plainLine(text);
  if (line.length <= most) return line;
  const { words } = text;
  return words.length <= most ? words : `${words.slice(0, Math.max(0, most - 1))}…`;
}

function progressBundle(
  text: ReturnType<WriteState>,
  { done, total }: ProgressState,
): Readonly<Record<string, string>> {
  const words = `<small>${escapeHtml(text.words)}</small>`;
  const bar = total === null
    ? ""
    : `<progress value="${done}" max="${total}" style="vertical-align:middle"></progress> `;
  return { "text/html": bar + words, "text/plain": plainLine(text) };
}

/** `[######------]  ecpnd release: 12 of 24 · 12 requests`. */
function plainLine({ bar, words }: ReturnType<WriteState>): string {
  return bar === null ? words : `${bar}  ${words}`;
}

function progressText(
  label: string,
  { done, total, note }: ProgressState,
  unit: ProgressUnit,
): ReturnType<WriteState> {
  const share = total === null || total === 0 ? null : Math.min(1, Math.max(0, done / total));
  const filled = Math.round((share ?? 0) * BAR_WIDTH);
  const bar = share === null ? null : `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]`;
  const amount = (value: number) => unit === "bytes" ? sizeText(value) : groupThousands(value);
  const count = unit === "share" && share !== null
    ? `${Math.floor(100 * share)}%`
    : total === null || done === total
    ? amount(done)
    : `${amount(done)} of ${amount(total)}`;
  return { bar, words: `${label}: ${note === undefined ? count : `${count} · ${note}`}` };
}

function terminal(): ((text: string) => void) | null {
  // A dumb terminal shows each state of the line below the one before.
  const isDrawn = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  return isDrawn ? (text) => void process.stderr.write(text) : null;
}
