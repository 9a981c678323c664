import type { MimeBundle } from "../mime_bundle.ts";
import { wrapWords } from "../../../base/wording/words.ts";
import type { Kernel } from "./kernel.ts";

// Measured by bench/kernel.ts: without a pause 4% of all outputs are lost, with 5 ms none of 500, with 20 ms none of 4,000.
const MIN_MS = 20;
const MAX_MS = 500;
const CHARACTERS_PER_MS = 4_000;
// A timer that fires this late shows that the machine is busy, and that the kernel's other thread waits as well.
const LATE_MS = 15;
const MAX_LATE_ROUNDS = 5;
const MAX_ROUNDS = 25;
const TASKS = "/proc/self/task";

// Lines that point into files are internals of the library; those of cells have no file.
const IN_A_FILE = /^\s+at .*(file|https?|ext|node):/;
// Jupyter breaks longer lines within words; this many characters fit in a window of 800 pixels.
const LINE = 70;

/**
 * Waits until the kernel's other threads have sent its messages.
 *
 * The kernel accepts a message without confirmation, and reports "idle" through another queue. A program that executes
 * notebooks stops reading at "idle", and loses later messages.
 */
export async function settle(bundle: MimeBundle = {}): Promise<void> {
  const waitMs = Math.min(MAX_MS, Math.max(MIN_MS, lengthOf(bundle) / CHARACTERS_PER_MS));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fromMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const isLate = round < MAX_LATE_ROUNDS && performance.now() - fromMs > waitMs + LATE_MS;
    if (!isLate && !await isSending()) return;
  }
}

/**
 * `true` if a thread that sends messages has work or waits for a processor; `false` where the system does not tell (not Linux).
 *
 * A message passes through the first thread of the process, which holds the sockets, and through the runtime's pool.
 */
async function isSending(): Promise<boolean> {
  try {
    const { readdirSync, readFileSync, readlinkSync } = await import("node:fs");
    const own = readlinkSync("/proc/thread-self").split("/").at(-1);
    const first = readlinkSync("/proc/self");
    return readdirSync(TASKS).filter((task) => task !== own).some((task) => {
      const stat = readFileSync(`${TASKS}/${task}/stat`, "utf8");
      const isAtWork = stat.at(stat.lastIndexOf(")") + 2) === "R";
      return isAtWork && (task === first || stat.includes("(tokio-runtime"));
    });
  } catch {
    return false;
  }
}

function lengthOf(bundle: MimeBundle): number {
  return Object.values(bundle).reduce<number>((sum, content) => {
    const text = typeof content === "string" ? content : JSON.stringify(content) ?? "";
    return sum + text.length;
  }, 0);
}

/** Shows an error under the cell, like one that ends a cell. */
export async function sendError(
  error: unknown,
  kernel: Kernel,
  introduction?: string,
): Promise<void> {
  const { name, message, stack } = error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack ?? String(error) }
    : { name: "Error", message: String(error), stack: String(error) };
  await kernel.broadcast({
    type: "error",
    ename: name,
    evalue: message,
    traceback: [
      introduction ?? "Stack trace:",
      ...stack.split("\n").filter((line) => !IN_A_FILE.test(line))
        .flatMap((line) => wrapWords(line, ({ length }) => length <= LINE)),
    ],
  });
  await settle();
}
