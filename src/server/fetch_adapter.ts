import { setTimeout as delay } from "node:timers/promises";
import { LIMITS } from "../contract/limits.ts";
import { piecesOf } from "./faults/plan_delivery.ts";
import {
  type ApiReply,
  type ApiRequest,
  type BodyPresence,
  type DeliveryFault,
  type DeliveryOutcome,
  isReplyStream,
} from "./message.ts";

/** Reads a fetch `Request` the way a request over a socket is read. */
export async function fromFetchRequest(request: Request): Promise<ApiRequest> {
  const { pathname, search } = new URL(request.url);
  let headerBytes = 0;
  for (const [name, value] of request.headers) headerBytes += name.length + value.length + 4;
  return {
    method: request.method,
    target: pathname + search,
    headerBytes,
    body: await presenceOf(request),
    signal: request.signal,
    header: (name) => request.headers.get(name),
  };
}

/**
 * Delivers a reply as a fetch `Response`; a file's bytes are read as the caller reads them.
 *
 * @throws {TypeError} As `fetch` does, if a fault resets the connection before the head
 */
export function toFetchResponse(reply: ApiReply): Response {
  const headers = new Headers(reply.headers.map(([name, value]) => [name, value]));
  const init = { status: reply.status, headers };
  if (reply.delivery !== null) return toFaultyResponse(reply, reply.delivery, init);
  if (isReplyStream(reply.body)) {
    const { body } = reply;
    return new Response(toReadableStream(body.open(), body.sizeBytes, reply.finish), init);
  }
  const { body } = reply;
  if (body !== null) headers.set("Content-Length", String(body.length));
  reply.finish({ sentBytes: body?.length ?? 0, complete: true });
  return new Response(body, init);
}

// A status that forbids a body cannot be cut; such a fault strikes its head alone.
function toFaultyResponse(
  reply: ApiReply,
  fault: DeliveryFault,
  init: { readonly status: number; readonly headers: Headers },
): Response {
  if (fault.stopAfterBytes < 0) {
    reply.finish({ sentBytes: 0, complete: false });
    throw new TypeError("Cannot fetch: an injected fault resets the connection");
  }
  init.headers.set("Content-Length", String(fault.contentLength));
  if (reply.body === null) {
    reply.finish({ sentBytes: 0, complete: true });
    return new Response(null, init);
  }
  const sizeBytes = isReplyStream(reply.body) ? reply.body.sizeBytes : reply.body.length;
  return new Response(toReadableStream(faultyPieces(reply, fault), sizeBytes, reply.finish), init);
}

async function* faultyPieces(
  reply: ApiReply,
  fault: DeliveryFault,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  for await (const piece of piecesOf(reply.body, fault)) {
    yield piece;
    if (fault.intervalMs > 0) await delay(fault.intervalMs);
  }
  const sizeBytes = isReplyStream(reply.body) ? reply.body.sizeBytes : reply.body?.length ?? 0;
  if (fault.reset || fault.stopAfterBytes < sizeBytes) {
    throw new TypeError("Cannot read the body: an injected fault ends the connection");
  }
}

async function presenceOf(request: Request): Promise<BodyPresence> {
  const announced = Number(request.headers.get("content-length") ?? 0);
  if (announced > LIMITS.bodyBytes) return "too_large";
  if (request.body === null) {
    return announced > 0 || request.headers.has("transfer-encoding") ? "present" : "none";
  }
  let received = 0;
  for await (const chunk of request.body) {
    received += chunk.length;
    if (received > LIMITS.bodyBytes) return "too_large";
  }
  return received > 0 ? "present" : "none";
}

function toReadableStream(
  body: AsyncIterable<Uint8Array<ArrayBuffer>>,
  sizeBytes: number,
  finish: (outcome: DeliveryOutcome) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body[Symbol.asyncIterator]();
  let sentBytes = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await chunks.next();
        if (!next.done) {
          sentBytes += next.value.length;
          controller.enqueue(next.value);
          return;
        }
        finish({ sentBytes, complete: sentBytes === sizeBytes });
        controller.close();
      } catch (error) {
        finish({ sentBytes, complete: false });
        controller.error(error);
      }
    },
    async cancel() {
      finish({ sentBytes, complete: false });
      await chunks.return?.();
    },
  });
}
