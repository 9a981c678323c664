// Below it, a message to another thread takes as long as the work.
const WORTH_SHARING_CELLS = 1_000_000;

/** True if so many sessions × tickers are worth being shared between threads, and can be. */
export function isWorthSharing(cells: number): boolean {
  return cells >= WORTH_SHARING_CELLS && canShare();
}

/** True if this runtime has memory that threads share. */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === "function";
}

/** Memory for an array, all 0: that threads share, or of this thread alone. */
export function bufferOf(bytes: number, isShared: boolean): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}

/** True if threads share the memory of all arrays. */
export function areShared(...arrays: readonly ArrayBufferView[]): boolean {
  return canShare() && arrays.every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}

/** The numbers in memory that threads share; the array itself if it is there already. */
export function toShared(values: Float64Array): Float64Array {
  if (areShared(values)) return values;
  const shared = new Float64Array(bufferOf(values.byteLength, true));
  shared.set(values);
  return shared;
}
