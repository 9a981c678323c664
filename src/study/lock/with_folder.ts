/**
 * Runs something while no other process does so for the same folder.
 *
 * The system gives the folder up with the process, whatever that ends by, and nothing is left in it. Where folders cannot
 * be locked, as on Windows and on some shares, it runs all the same: a file is then whole, and the last one written counts.
 */
export async function withFolder<Result>(
  folder: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const handle = await Deno.open(folder).catch(() => null);
  await handle?.lock(true).catch(() => undefined);
  try {
    return await run();
  } finally {
    handle?.close();
  }
}
