import { clearTimeout, setTimeout } from "node:timers";
import { setTimeout as delay } from "node:timers/promises";
import {
  type ApiReply,
  bodySize,
  type DeliveryFault,
  isReplyStream,
  piecesOf,
  type ReplyBody,
  streamBody,
} from "../message/message.ts";

/** Delivery of a reply in process. */
export interface FetchDelivery {
  /** Signals that end a body: the caller's, and the server's when it is closed. */
  readonly signals: readonly AbortSignal[];
  /** Time limit for reading a file. */
  readonly transferDeadlineMs: number;
}

/**
 * Delivers a reply as a fetch `Response`; a file is read as the caller reads it.
 *
 * @throws {TypeError} As `fetch` does, if a fault resets the connection before the head
 */
export function toFetchResponse(reply: ApiReply, delivery: FetchDelivery): Response {
  const headers = toPairs(reply);
  const init = { status: reply.status, headers };
  const { body, delivery: fault } = reply;
  if (fault !== null && fault.stopAfterBytes < 0) {
    reply.finish({ sentBytes: 0, complete: false });
    throw new TypeError("Cannot fetch: an injected fault resets the connection");
  }
  if (body !== null && (fault !== null || isReplyStream(body))) {
    const pieces = fault === null ? wholePieces(reply) : faultyPieces(body, fault);
    return new Response(toReadableStream(pieces, reply, delivery), init);
  }
  const bytes = body instanceof Uint8Array ? body : null;
  reply.finish({ sentBytes: bytes?.length ?? 0, complete: true });
  return new Response(bytes, init);
}

// Passed to the response as they are: a Headers object would be copied.
function toPairs({ headers, body, delivery }: ApiReply): [string, string][] {
  const pairs = headers.map(([name, value]): [string, string] => [name, value]);
  if (body === null) return pairs;
  const length = String(delivery?.contentLength ?? bodySize(body));
  return [...pairs.filter(([name]) => name !== "Content-Length"), ["Content-Length", length]];
}

/** Waits for a reply until the caller aborts; a later reply is discarded. */
export async function unlessAborted(
  answering: Promise<ApiReply>,
  signal: AbortSignal,
): Promise<ApiReply> {
  let giveUp = () => {};
  const aborted = new Promise<never>((_, reject) => {
    giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([answering, aborted]);
  } catch (error) {
    if (signal.aborted) {
      const giveUpReply = (reply: ApiReply) => reply.finish({ sentBytes: 0, complete: false });
      answering.then(giveUpReply, () => {});
    }
    throw error;
  } finally {
    signal.removeEventListener("abort", giveUp);
  }
}

// A truncated answer must not look complete.
async function* wholePieces(
  { body, free }: Pick<ApiReply, "body" | "free">,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  const sizeBytes = bodySize(body);
  let readBytes = 0;
  for await (const piece of streamBody(body)) {
    readBytes += piece.length;
    // A client with the last byte may request the next file at once.
    if (readBytes === sizeBytes) free();
    yield piece;
  }
  if (readBytes !== sizeBytes) {
    throw new TypeError(
      `Cannot read the body: expected ${sizeBytes} bytes of the file, got ${readBytes}; restore the file`,
    );
  }
}

async function* faultyPieces(
  body: ReplyBody,
  fault: DeliveryFault,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  for await (const piece of piecesOf(body, fault)) {
    yield piece;
    if (fault.intervalMs > 0) await delay(fault.intervalMs);
  }
  if (fault.reset || fault.stopAfterBytes < bodySize(body)) {
    throw new TypeError("Cannot read the body: an injected fault ends the connection");
  }
}

function toReadableStream(
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  reply: ApiReply,
  delivery: FetchDelivery,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const iterator = pieces[Symbol.asyncIterator]();
  let sentBytes = 0;
  let unwatch = () => {};
  const finish = (complete: boolean) => {
    unwatch();
    reply.finish({ sentBytes, complete });
  };
  return new ReadableStream({
    start(controller) {
      unwatch = watch(delivery, (reason) => {
        finish(false);
        controller.error(reason);
      });
    },
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (!next.done) {
          sentBytes += next.value.length;
          controller.enqueue(next.value);
          return;
        }
        finish(sentBytes === bodySize(reply.body));
        controller.close();
      } catch (error) {
        finish(false);
        controller.error(error);
      }
    },
    async cancel() {
      finish(false);
      await iterator.return?.();
    },
  }, { highWaterMark: 0 });
}

/** Interrupts at a signal or at the deadline. Returns a function that stops watching. */
function watch(delivery: FetchDelivery, interrupt: (reason: unknown) => void): () => void {
  const { signals, transferDeadlineMs } = delivery;
  const onDeadline = () => {
    interrupt(new TypeError("Cannot read the body: the transfer deadline has passed"));
  };
  const onAbort = ({ target }: Event) => interrupt((target as AbortSignal).reason);
  // An unread body must not keep the process alive.
  const timer = setTimeout(onDeadline, transferDeadlineMs).unref();
  for (const signal of signals) signal.addEventListener("abort", onAbort, { once: true });
  return () => {
    clearTimeout(timer);
    for (const signal of signals) signal.removeEventListener("abort", onAbort);
  };
}
