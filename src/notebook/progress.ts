import process from "node:process";
import { escapeHtml } from "./escape_html.ts";
import { findKernel, type Kernel } from "./kernel.ts";

/** How far a long load is. */
export interface ProgressState {
  /** What is done, in the unit of `total`. */
  readonly done: number;
  /** What there is to do, or `null` if that is not known. */
  readonly total: number | null;
  /** A few words beside the bar, for instance what was spent. */
  readonly note?: string;
}

/** A bar that a long load keeps up to date. */
export interface Progress {
  /** Notes how far the load is; shown at most five times a second. */
  update(state: ProgressState): void;
  /** Shows the last state, with a closing note in place of the last one; later updates are ignored. */
  finish(note?: string): Promise<void>;
}

/** Options of {@link createProgress}. */
export interface ProgressOptions {
  /**
   * Whether anything is shown.
   * @default true, unless the environment says `SCOREFRAME_PROGRESS=off`
   */
  readonly enabled?: boolean;
  /**
   * The kernel to show the bar in; `null` is a terminal.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
  /**
   * Where the bar goes outside a notebook; `null` if nobody looks.
   * @default standard error if it is a terminal, else `null`
   */
  readonly write?: ((text: string) => void) | null;
  /**
   * Clock, epoch milliseconds.
   * @default Date.now
   */
  readonly now?: () => number;
}

// A kernel that is asked to publish more often loses updates.
const INTERVAL_MS = 200;
const BAR_WIDTH = 24;

/**
 * Starts a progress bar: one display that is updated in a notebook, one line on standard error in a terminal, nothing
 * where nobody looks. It never throws, never delays the load and uses no colours.
 *
 * @param label What is being loaded
 * @param options Where the bar goes
 */
export function createProgress(label: string, options: ProgressOptions = {}): Progress {
  const { enabled = isWanted(), kernel = findKernel(), write = terminal(), now = Date.now } =
    options;
  const show = !enabled
    ? null
    : kernel !== null
    ? inKernel(label, kernel)
    : write && onLine(label, write);
  if (show === null) return { update: () => {}, finish: () => Promise.resolve() };
  return new ThrottledProgress(show, now);
}

type ShowState = (state: ProgressState, closing: boolean) => Promise<void>;

class ThrottledProgress implements Progress {
  readonly #show: ShowState;
  readonly #now: () => number;
  #shownAtMs = -Infinity;
  #state: ProgressState = { done: 0, total: null };
  #last: Promise<void> = Promise.resolve();
  #finished = false;

  constructor(show: ShowState, now: () => number) {
    this.#show = show;
    this.#now = now;
  }

  update(state: ProgressState): void {
    if (this.#finished) return;
    this.#state = state;
    if (this.#now() - this.#shownAtMs < INTERVAL_MS) return;
    this.#shownAtMs = this.#now();
    this.#last = this.#last.then(() => this.#show(state, false)).catch(() => {});
  }

  async finish(note?: string): Promise<void> {
    if (this.#finished) return;
    this.#finished = true;
    await this.#last;
    const state = note === undefined ? this.#state : { ...this.#state, note };
    await this.#show(state, true).catch(() => {});
  }
}

function inKernel(label: string, kernel: Kernel): ShowState {
  const displayId = crypto.randomUUID();
  let type: "display_data" | "update_display_data" = "display_data";
  return async (state) => {
    const sending = { type, displayId, data: progressBundle(label, state) };
    type = "update_display_data";
    await kernel.broadcast(sending);
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
}

function onLine(label: string, write: (text: string) => void): ShowState {
  let width = 0;
  return (state, closing) => {
    const line = progressText(label, state);
    write(`\r${line.padEnd(width)}${closing ? "\n" : ""}`);
    width = line.length;
    return Promise.resolve();
  };
}

function progressBundle(label: string, state: ProgressState): Readonly<Record<string, string>> {
  const text = progressText(label, state);
  if (state.total === null) {
    return { "text/html": `<small>${escapeHtml(text)}</small>`, "text/plain": text };
  }
  const bar =
    `<progress value="${state.done}" max="${state.total}" style="vertical-align:middle"></progress>`;
  return { "text/html": `${bar} <small>${escapeHtml(text)}</small>`, "text/plain": text };
}

/** `ecpnd release  [######------]  50 %  12 of 24 · 12 requests`. */
function progressText(label: string, state: ProgressState): string {
  const { done, total, note } = state;
  const share = total === null || total === 0 ? null : Math.min(1, Math.max(0, done / total));
  const filled = Math.round((share ?? 0) * BAR_WIDTH);
  const bar = share === null ? [] : [`[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}]`];
  const count = total === null ? String(done) : `${done} of ${total}`;
  return [label, ...bar, note === undefined ? count : `${count} · ${note}`].join("  ");
}

function isWanted(): boolean {
  return process.env["SCOREFRAME_PROGRESS"] !== "off";
}

function terminal(): ((text: string) => void) | null {
  return process.stderr.isTTY === true ? (text) => void process.stderr.write(text) : null;
}
