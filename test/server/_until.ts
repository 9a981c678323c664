/** Waits until a condition holds. */
export async function until(condition: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error("Cannot go on: the condition did not become true");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
