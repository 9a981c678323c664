import type { Kernel } from "./kernel.ts";
import { settle } from "./settle.ts";

// Lines that point into files say how the library works inside; those of cells have no file.
const IN_A_FILE = /^\s+at .*(file|https?|ext|node):/;

/** Shows an error under the cell as the kernel shows one that ends a cell. */
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
      ...stack.split("\n").filter((line) => !IN_A_FILE.test(line)),
    ],
  });
  await settle();
}
