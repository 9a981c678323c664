import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { CONNECTION_CLOSE, serializeHead } from "./_serialize_reply.ts";
import { deliverReply } from "./_deliver_reply.ts";
import { malformedHead, readRequest } from "./_read_request.ts";
import { refusalOfClientError } from "./_client_error.ts";
import type { ApiReply, ApiRequest } from "../message.ts";
import type { FrontTimes } from "./front_times.ts";
import type { Refusal } from "../refusal.ts";

/** Where requests go, and what is refused before there is a request. */
export interface FrontHandler {
  /** Answers a request. */
  answer(request: ApiRequest): Promise<ApiReply>;
  /** Answers what never became a request. */
  refuse(refusal: Refusal, request: ApiRequest | null): ApiReply;
}

/** A front end that listens. */
export interface Listening {
  /** Port that was taken. */
  readonly port: number;
  /** Stops taking connections, lets the requests in flight finish, and closes. */
  close(): Promise<void>;
}

// The parser's own bound. Ours is 16 KiB of headers and 2 KiB of URL, judged where each has its own status.
const PARSER_HEAD_BYTES = 256 * 1024;

/**
 * Listens with node:http, whose parser (llhttp) shows the raw target and every header line and refuses
 * ambiguous framing; `Deno.serve` hides both.
 */
export async function listenHttp(
  handler: FrontHandler,
  options: { readonly port: number; readonly hostname: string; readonly times: FrontTimes },
): Promise<Listening> {
  const { createServer } = await import("node:http");
  const { times } = options;
  const server = createServer({
    maxHeaderSize: PARSER_HEAD_BYTES,
    headersTimeout: times.headTimeoutMs,
    requestTimeout: times.requestTimeoutMs,
    connectionsCheckingInterval: Math.min(500, times.headTimeoutMs / 2),
    keepAliveTimeout: times.keepAliveMs,
    requireHostHeader: false,
  });
  // Lines beyond a count would be dropped unseen; the size limits them.
  server.maxHeadersCount = 0;
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    void exchange(handler, { incoming, response, times, isClosing: () => !server.listening });
  };
  server.on("request", onRequest);
  // No request of this API may carry a body, so nobody is asked to go on sending one.
  server.on("checkContinue", onRequest);
  server.on("checkExpectation", onRequest);
  // Pipelined requests listen to one socket; how many there may be is for the quotas to say.
  server.on("connection", (socket: Socket) => socket.setMaxListeners(0));
  server.on("clientError", (error: Error, socket) => {
    answerClientError(handler, error, socket as Socket);
  });
  server.on("connect", (_, socket) => {
    answerClientError(handler, new Error("CONNECT"), socket as Socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      server.off("error", reject);
      resolve();
    });
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly times: FrontTimes;
  readonly isClosing: () => boolean;
}

async function exchange(handler: FrontHandler, parts: Exchange): Promise<void> {
  const { incoming, response, times, isClosing } = parts;
  incoming.on("error", ignoreAborted);
  response.on("error", ignoreAborted);
  const refusal = malformedHead(incoming);
  const request = await readRequest(incoming, { withBody: refusal === null });
  const reply = refusal === null ? await handler.answer(request) : handler.refuse(refusal, request);
  // What a refused body still holds is not read: the connection ends with the answer.
  const last = request.body !== "none" || refusal !== null || isClosing();
  await deliverReply(reply, { response, socket: incoming.socket, times, last });
  if (isClosing()) incoming.socket.end();
}

function answerClientError(handler: FrontHandler, error: Error, socket: Socket): void {
  const refusal = refusalOfClientError(error);
  if (refusal === null || !socket.writable) {
    socket.destroy();
    return;
  }
  const reply = handler.refuse(refusal, null);
  const body = reply.body instanceof Uint8Array ? reply.body : new Uint8Array();
  const length = ["Content-Length", String(body.length)] as const;
  socket.write(serializeHead(reply, [length, CONNECTION_CLOSE]));
  socket.end(body, () => socket.destroy());
  reply.finish({ sentBytes: body.length, complete: true });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

// A client that goes away is an ordinary end; the delivery notices it by the socket's close.
function ignoreAborted(): void {}
