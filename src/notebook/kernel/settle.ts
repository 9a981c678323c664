import type { MimeBundle } from "../mime_bundle.ts";

// Measured by bench/kernel.ts: without a pause 4% of all outputs are lost, with 5 ms none of 500, with 20 ms none of 4,000.
const MIN_MS = 20;
const MAX_MS = 500;
const CHARACTERS_PER_MS = 4_000;
// A timer that fires this late shows that the machine is busy, and that the kernel's other thread waits as well.
const LATE_MS = 15;
const MAX_ROUNDS = 5;

/**
 * Waits until the kernel's other thread has sent its messages.
 *
 * The kernel accepts a message without confirmation, and reports "idle" through another queue. A program that executes
 * notebooks stops reading at "idle", and loses later messages.
 */
export async function settle(bundle: MimeBundle = {}): Promise<void> {
  const waitMs = Math.min(MAX_MS, Math.max(MIN_MS, lengthOf(bundle) / CHARACTERS_PER_MS));
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const fromMs = performance.now();
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (performance.now() - fromMs < waitMs + LATE_MS) return;
  }
}

function lengthOf(bundle: MimeBundle): number {
  return Object.values(bundle).reduce<number>((sum, content) => {
    const text = typeof content === "string" ? content : JSON.stringify(content) ?? "";
    return sum + text.length;
  }, 0);
}
