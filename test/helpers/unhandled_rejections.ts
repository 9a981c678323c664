import process from "node:process";
import { setTimeout } from "node:timers/promises";

/**
 * What is rejected without a handler while something runs, instead of failing the whole run of the tests.
 *
 * @param run What may leave such a promise behind
 */
export async function unhandledRejections(run: () => Promise<unknown>): Promise<unknown[]> {
  const others = process.listeners("unhandledRejection");
  const found: unknown[] = [];
  const note = (reason: unknown) => void found.push(reason);
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", note);
  try {
    await run();
    // The platform tells of such a promise after the microtasks of its turn.
    await setTimeout(0);
    await setTimeout(0);
    return found;
  } finally {
    process.removeListener("unhandledRejection", note);
    for (const other of others) process.on("unhandledRejection", other);
  }
}
