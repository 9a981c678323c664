// Below it, a message to another thread takes as long as the computation.
const WORTH_SHARING_CELLS = 1_000_000;

/** True if threads can share memory, and so many sessions × tickers are worth it. */
export function isWorthSharing(cells: number): boolean {
  return cells >= WORTH_SHARING_CELLS && canShare();
}

/** True if threads can share memory in this runtime. */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === "function";
}

/** Zeroed memory for an array, shared by threads or not. */
export function bufferOf(bytes: number, isShared: boolean): ArrayBufferLike {
  return isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes);
}

/** True if threads share the memory of all arrays. */
export function areShared(...arrays: readonly ArrayBufferView[]): boolean {
  return canShare() && arrays.every(({ buffer }) => buffer instanceof SharedArrayBuffer);
}

/** The numbers in shared memory; the array itself if it is shared already. */
export function toShared(values: Float64Array): Float64Array {
  if (areShared(values)) return values;
  const shared = new Float64Array(bufferOf(values.byteLength, true));
  shared.set(values);
  return shared;
}
