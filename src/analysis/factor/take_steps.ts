/** Who is told how far a long calculation is, and who may stop it. */
export interface Walk {
  /** Stops it. */
  readonly signal: AbortSignal;
  /** Is told after each step. */
  update(done: number, total: number, note: string): void;
}

/**
 * Takes steps one after the other, and lets others have their turn between them: a stop button is seen, a bar is drawn.
 *
 * @param walk Who is told, and who may stop it
 * @param note What the steps are
 * @param steps The steps
 * @throws What the signal gives as its reason, if it is aborted
 */
export async function takeSteps<const Steps extends readonly (() => unknown)[]>(
  walk: Walk,
  note: string,
  steps: Steps,
): Promise<{ -readonly [K in keyof Steps]: ReturnType<Steps[K]> }> {
  const results: unknown[] = [];
  for (const [done, step] of steps.entries()) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    walk.signal.throwIfAborted();
    results.push(step());
    walk.update(done + 1, steps.length, note);
  }
  return results as { -readonly [K in keyof Steps]: ReturnType<Steps[K]> };
}
