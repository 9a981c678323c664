import { wrapWords } from "../../../base/wording/words.ts";
import type { Kernel } from "./kernel.ts";
import { settle } from "./settle.ts";

// Lines that point into files are internals of the library; those of cells have no file.
const IN_A_FILE = /^\s+at .*(file|https?|ext|node):/;
// Jupyter breaks longer lines within words; this many characters fit in a window of 800 pixels.
const LINE = 70;

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
