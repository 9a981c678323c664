import process from "node:process";

/** A display that the Deno kernel sends to every front end of a notebook. */
export interface DisplayMessage {
  /** Type of the message, as Jupyter's messaging protocol names it. */
  readonly type: "display_data" | "update_display_data" | "execute_result";
  /** Media types and their content. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Notes on the content by media type, such as the size of a picture. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Identifies a display that later messages update. */
  readonly displayId?: string;
  /** Number of the cell whose result it is. */
  readonly executionCount?: number;
}

/** An error, shown like an error that ends a cell. */
export interface ErrorMessage {
  /** Type of the message. */
  readonly type: "error";
  /** Name of the error. */
  readonly ename: string;
  /** Its message. */
  readonly evalue: string;
  /** Shown lines. */
  readonly traceback: readonly string[];
}

/** A message to the front ends of a notebook. */
export type KernelMessage = DisplayMessage | ErrorMessage;

/** Part of a notebook's kernel that this library uses. */
export interface Kernel {
  /** True if each cell waits for its output before it counts as finished: see `adoptResults()`. */
  readonly settlesCells?: boolean;
  /** Sends a message; settles once the kernel has accepted it, which is before it is sent. */
  broadcast(message: KernelMessage): Promise<void>;
}

/** Internal part of the Deno kernel that publishes the result of a cell. */
export interface ResultPublisher {
  /** Publishes the value of a cell's last expression, including `undefined`; the cell ends when it settles. */
  broadcastResult(executionCount: number, result: unknown): Promise<void>;
}

/** Marks a publisher that waits for a cell's output. */
export const SETTLES: unique symbol = Symbol.for("scoreframe.settles") as never;

/** Used part of `Deno`; the symbol `internal` leads to the kernel's own functions. */
interface DenoInKernel {
  readonly jupyter?: {
    broadcast(type: string, content: Readonly<Record<string, unknown>>): Promise<void> | void;
  };
  readonly internal?: symbol;
}

/**
 * The Deno kernel that runs this code, or `null` outside a notebook. Never throws.
 *
 * `"jupyter" in Deno` is true everywhere; reading `Deno.jupyter` outside a kernel throws.
 */
export function findKernel(): Kernel | null {
  const jupyter = readDeno()?.jupyter;
  if (typeof jupyter?.broadcast !== "function") return null;
  const publish = findPublisher()?.broadcastResult as { readonly [SETTLES]?: true } | undefined;
  return {
    settlesCells: publish?.[SETTLES] === true,
    broadcast: async (message) => await jupyter.broadcast(message.type, contentOf(message)),
  };
}

/** Publisher of the results of cells; `null` outside a notebook and in a kernel with other internals. */
export function findPublisher(): ResultPublisher | null {
  const deno = readDeno();
  if (deno?.jupyter === undefined || typeof deno.internal !== "symbol") return null;
  const inside = deno as Readonly<Record<symbol, { jupyter?: ResultPublisher } | undefined>>;
  const publisher = inside[deno.internal]?.jupyter;
  return typeof publisher?.broadcastResult === "function" ? publisher : null;
}

/** Options of what is shown in a notebook. */
export interface DisplayOptions {
  /**
   * Kernel to send to; `null` outside a notebook.
   * @default the kernel that runs this code, if any
   */
  readonly kernel?: Kernel | null;
}

/** True in a notebook whose frames and cells this library shows: not with `SCOREFRAME_DISPLAY=polars`. */
export function isAdopted(): boolean {
  return findKernel() !== null && process.env["SCOREFRAME_DISPLAY"] !== "polars";
}

function contentOf(message: KernelMessage): Readonly<Record<string, unknown>> {
  if (message.type === "error") {
    const { ename, evalue, traceback } = message;
    return { ename, evalue, traceback };
  }
  const { data, metadata = {}, displayId, executionCount } = message;
  return {
    data,
    metadata,
    // nbclient fails on a message without it.
    transient: displayId === undefined ? {} : { display_id: displayId },
    ...(executionCount !== undefined && { execution_count: executionCount }),
  };
}

function readDeno(): DenoInKernel | null {
  try {
    const { Deno: deno } = globalThis as { Deno?: DenoInKernel };
    return deno?.jupyter === undefined ? null : deno;
  } catch {
    return null;
  }
}
