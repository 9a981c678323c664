/** How a folder is taken. */
export interface WithFolderOptions {
  /**
   * Whether others may have it at once that share it as well.
   *
   * @default false
   */
  readonly isShared?: boolean;
  /**
   * Called where another one has it.
   *
   * @default its end is waited for
   */
  readonly onBusy?: () => never;
}

/**
 * Runs something while no other process does so for the same folder.
 *
 * The system gives the folder up with the process, whatever that ends by, and nothing is left in it. Where folders cannot
 * be locked, as on Windows and on some shares, it runs all the same: a file is then whole, and the last one written counts.
 */
export async function withFolder<Result>(
  folder: string,
  run: () => Promise<Result>,
  { isShared = false, onBusy }: WithFolderOptions = {},
): Promise<Result> {
  const handle = await Deno.open(folder).catch(() => null);
  try {
    if (onBusy === undefined) await handle?.lock(!isShared).catch(() => undefined);
    else if (await handle?.tryLock(!isShared).catch(() => undefined) === false) onBusy();
    return await run();
  } finally {
    handle?.close();
  }
}
