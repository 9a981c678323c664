import { LIMITS } from "../../base/contract/limits.ts";
import type { ApiRequest, BodyPresence } from "../message/message.ts";

/** Reads a fetch `Request` like a request over a socket. */
export async function fromFetchRequest(request: Request): Promise<ApiRequest> {
  const { pathname, search } = new URL(request.url);
  let headerBytes = 0;
  // A loop over the entries takes ten times as long.
  request.headers.forEach((value, name) => headerBytes += name.length + value.length + 4);
  return {
    method: request.method,
    target: pathname + search,
    headerBytes,
    remote: null,
    body: await presenceOf(request),
    header: (name) => request.headers.get(name),
  };
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
