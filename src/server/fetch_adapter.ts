import { LIMITS } from "../contract/limits.ts";
import {
  type ApiReply,
  type ApiRequest,
  type BodyPresence,
  type DeliveryOutcome,
  isReplyStream,
  type ReplyStream,
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

/** Delivers a reply as a fetch `Response`; a file's bytes are read as the caller reads them. */
export function toFetchResponse(reply: ApiReply): Response {
  const headers = new Headers(reply.headers.map(([name, value]) => [name, value]));
  const init = { status: reply.status, headers };
  if (isReplyStream(reply.body)) {
    return new Response(toReadableStream(reply.body, reply.finish), init);
  }
  const { body } = reply;
  if (body !== null) headers.set("Content-Length", String(body.length));
  reply.finish({ sentBytes: body?.length ?? 0, complete: true });
  return new Response(body, init);
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
  body: ReplyStream,
  finish: (outcome: DeliveryOutcome) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const chunks = body.open()[Symbol.asyncIterator]();
  let sentBytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) {
        finish({ sentBytes, complete: sentBytes === body.sizeBytes });
        controller.close();
        return;
      }
      sentBytes += next.value.length;
      controller.enqueue(next.value);
    },
    async cancel() {
      finish({ sentBytes, complete: false });
      await chunks.return?.();
    },
  });
}
