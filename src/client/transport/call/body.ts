import { AttemptProblem } from "./attempt_problem.ts";
import type { IncomingResponse } from "../wire/sender.ts";

/**
 * Yields the chunks of a body as they arrive, and checks their announced length.
 *
 * Stops at once when the signal is aborted, even if the source does not.
 *
 * @throws {AttemptProblem} If the body is not as long as announced
 */
export async function* readChunks(
  response: IncomingResponse,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  const announced = lengthOf(response);
  const source = response.body?.[Symbol.asyncIterator]();
  let received = 0;
  let isDone = source === undefined;
  try {
    while (!isDone) {
      const part = await untilAborted(source!.next(), signal);
      isDone = part.done === true;
      if (part.done === true) break;
      received += part.value.length;
      if (announced !== null && received > announced) break;
      yield part.value;
    }
  } finally {
    // Not awaited: a source that hangs would block its reader.
    if (!isDone) source?.return?.()?.catch(() => {});
  }
  if (announced !== null && announced !== received) {
    throw new AttemptProblem(`expected a body of ${announced} bytes, got ${received}`, true);
  }
}

/**
 * Receives a whole body.
 *
 * @throws {AttemptProblem} If the body is longer than the limit, or not as long as announced
 */
export async function readBody(
  response: IncomingResponse,
  options: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const { maxBytes, signal } = options;
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of readChunks(response, signal)) {
    received += chunk.length;
    if (received > maxBytes) {
      throw new AttemptProblem(`expected a body of at most ${maxBytes} bytes, got a longer one`);
    }
    chunks.push(chunk);
  }
  return concatenate(chunks, received);
}

/**
 * Waits for a promise until the signal is aborted, and then throws the signal's reason. A later failure of the promise is
 * ignored, and does not count as unhandled.
 */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const settle = <Value>(end: (value: Value) => void) => (value: Value) => {
      signal.removeEventListener("abort", stop);
      end(value);
    };
    // Attached in any case: a rejection without a handler ends the process.
    promise.then(settle(resolve), settle(reject));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
}

/** Announced length of an answer's body, or `null`. */
export function lengthOf({ headers }: { readonly headers: Headers }): number | null {
  const length = headers.get("Content-Length");
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function concatenate(chunks: readonly Uint8Array[], length: number): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
