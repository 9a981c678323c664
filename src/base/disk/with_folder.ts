/** Options of {@link withFolder}. */
export interface WithFolderOptions {
  /**
   * Shares the folder with other holders that share it.
   *
   * @default false
   */
  readonly isShared?: boolean;
  /**
   * Called if another process holds the folder.
   *
   * @default waits for the other process
   */
  readonly onBusy?: () => never;
}

/**
 * Runs a function while no other process holds the same folder.
 *
 * The system releases the lock when the process ends, for whatever reason, and leaves no file behind. Where folders cannot
 * be locked, as on Windows and on some network shares, the function runs anyway: files stay whole, and the last writer wins.
 */
export async function withFolder<Result>(
  folder: string,
  run: () => Promise<Result>,
  { isShared = false, onBusy }: WithFolderOptions = {},
): Promise<Result> {
  using handle = await Deno.open(folder).catch(() => null);
  if (onBusy === undefined) await handle?.lock(!isShared).catch(() => undefined);
  else if (await handle?.tryLock(!isShared).catch(() => undefined) === false) onBusy();
  return await run();
}
