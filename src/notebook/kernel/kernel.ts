/** A message that the Deno kernel sends to every frontend of a notebook. */
export interface KernelMessage {
  /** Type of the message, as Jupyter's messaging protocol names it. */
  readonly type: "display_data" | "update_display_data";
  /** Media types and their content. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Identifies a display that later messages update. */
  readonly displayId?: string;
}

/** The one thing that this library asks of a notebook's kernel. */
export interface Kernel {
  /** Sends a message; settles once the kernel has handed it to its socket. */
  broadcast(message: KernelMessage): Promise<void>;
}

/** The part of `Deno.jupyter` that is used. */
interface DenoJupyter {
  broadcast(type: string, content: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * The Deno kernel that runs this code, or `null` outside a notebook. Never throws.
 *
 * `"jupyter" in Deno` is true everywhere; reading `Deno.jupyter` outside a kernel throws.
 */
export function findKernel(): Kernel | null {
  const jupyter = readJupyter();
  if (jupyter === null) return null;
  return {
    async broadcast(message) {
      await jupyter.broadcast(message.type, {
        data: message.data,
        metadata: {},
        transient: message.displayId === undefined ? {} : { display_id: message.displayId },
      });
    },
  };
}

function readJupyter(): DenoJupyter | null {
  try {
    const { Deno: deno } = globalThis as { Deno?: { jupyter?: DenoJupyter } };
    const jupyter = deno?.jupyter;
    return typeof jupyter?.broadcast === "function" ? jupyter : null;
  } catch {
    return null;
  }
}
