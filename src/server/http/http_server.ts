import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { readFileSync } from "node:fs";
import { missingPermission } from "../../base/disk/missing_permission.ts";
import { ScoreframeError } from "../../base/errors.ts";
import { CONNECTION_CLOSE, deliverReply, serializeHead } from "./_deliver_reply.ts";
import { announcesBody, headBytesOf, readRequest, refusedHead } from "./_read_request.ts";
import { Connections, type ConnectionState, discardRest } from "./_connections.ts";
import { keepListening } from "./_keep_listening.ts";
import type { ApiReply, ApiRequest } from "../message/message.ts";
import type { FrontTimes } from "../server_times.ts";
import { Refusal } from "../message/refusal.ts";
import { headersTooLarge, requestTooSlow } from "../pipeline/route.ts";

const REQUEST_LINE = /^(?!HEAD )[A-Z]+ \S+ HTTP\//;

// Smallest default limit of open files, that of macOS.
const USUAL_OPEN_FILES = 256;

const MOST_CONNECTIONS = 1_000;

const FEWEST_CONNECTIONS = 8;

/** Handler of requests, and of refusals before a request exists. */
export interface FrontHandler {
  /** Answers a request. */
  answer(request: ApiRequest): Promise<ApiReply>;
  /** Answers bytes that never became a request. */
  refuse(refusal: Refusal, request: ApiRequest | null): ApiReply;
}

/** Address at which a front end listens. */
export interface ListenSettings {
  /** Port; 0 takes a free one. */
  readonly port: number;
  /** Address. */
  readonly hostname: string;
  /** Tests if it answers under a host name, without its port. */
  readonly isOwnHost: (name: string) => boolean;
  /** Deadlines. */
  readonly times: FrontTimes;
  /** Called with one line about trouble that no request shows. */
  readonly onTrouble: (line: string) => void;
}

// Limit of the parser. Those of the API, 16 KiB of headers and 2 KiB of URL, are checked later, where each has its own status.
const PARSER_HEAD_BYTES = 256 * 1024;

/**
 * Listens with node:http, whose parser (llhttp) exposes the raw target and every header line, and refuses ambiguous framing;
 * `Deno.serve` hides both.
 *
 * @returns The port in use; `close` stops accepting connections, waits for requests in flight, and closes
 */
export async function listenHttp(handler: FrontHandler, options: ListenSettings) {
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
  // A limit on their number would silently drop header lines; their size is limited instead.
  server.maxHeadersCount = 0;
  // A client that ends its side has sent all its requests, and still reads (RFC 9112, section 9.6).
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  const connections = new Connections();
  let isClosing = false;
  const { isOwnHost } = options;
  const front: Front = { handler, times, isOwnHost, connections, isClosing: () => isClosing };
  server.maxConnections = connectionLimit();
  addListeners(server, front);
  assertMayListen(options);
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => reject(cannotListen(options, cause));
    server.once("error", fail);
    server.listen(options.port, options.hostname, () => {
      server.off("error", fail);
      resolve();
    });
  });
  const { hostname, onTrouble } = options;
  const stop = keepListening({ server, hostname, everyMs: times.hearingMs, onTrouble });
  const close = () => {
    isClosing = true;
    stop();
    return closeServer(server, connections);
  };
  return { port: (server.address() as AddressInfo).port, close };
}

// Without the permission node:net throws where nothing can catch it.
function assertMayListen({ port, hostname }: ListenSettings): void {
  try {
    Deno.listen({ port, hostname }).close();
  } catch (error) {
    const permission = missingPermission(error);
    if (permission === null) return;
    throw new ScoreframeError(`Cannot listen on ${hostname}:${port}: ${permission}`);
  }
}

function cannotListen(
  { port, hostname }: { readonly port: number; readonly hostname: string },
  cause: NodeJS.ErrnoException,
): ScoreframeError {
  const found = cause.code === "EADDRINUSE" ? "one in use by another process" : cause.message;
  const message = `Cannot listen on ${hostname}:${port}: expected a free port, got ${found}; ` +
    "choose another port, or 0 for any";
  return new ScoreframeError(message, { cause });
}

interface Front extends Pick<ListenSettings, "times" | "isOwnHost"> {
  readonly handler: FrontHandler;
  readonly connections: Connections;
  readonly isClosing: () => boolean;
}

function addListeners(server: Server, front: Front): void {
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    void exchange(front, { incoming, response, expects: false });
  };
  // No request of this API has a body, so clients are never asked to send one.
  const onExpectation = (incoming: IncomingMessage, response: ServerResponse) => {
    void exchange(front, { incoming, response, expects: true });
  };
  server.on("request", onRequest);
  server.on("checkContinue", onExpectation);
  server.on("checkExpectation", onExpectation);
  server.on("connection", (socket: Socket) => front.connections.add(socket));
  server.on("clientError", (error: Error, socket) => {
    answerClientError(front, error, socket as Socket);
  });
  server.on("connect", (_, socket) => {
    answerClientError(front, new Error("CONNECT"), socket as Socket);
  });
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** True if the client waits for `100 Continue`. */
  readonly expects: boolean;
}

async function exchange(front: Front, parts: Exchange): Promise<void> {
  const { handler, times, isClosing } = front;
  const { incoming, response, expects } = parts;
  const { socket } = incoming;
  const state = front.connections.of(socket);
  incoming.on("error", ignoreAborted);
  response.on("error", ignoreAborted);
  if (state.ending) return;
  state.active++;
  state.parsedBytes += headBytesOf(incoming);
  const refusal = refusedHead(incoming, front.isOwnHost);
  // The end of a refused body, or the start of another protocol, is unknown: the following bytes are not a request.
  const hasBody = announcesBody(incoming);
  state.ending = hasBody || refusal !== null || incoming.headers.upgrade !== undefined;
  try {
    const request = await readRequest(incoming, { state, withBody: refusal === null && !expects });
    const reply = refusal === null
      ? await handler.answer(request)
      : handler.refuse(refusal, request);
    const last = state.ending || isClosing();
    const unread = hasBody && !expects ? incoming : null;
    await deliverReply(reply, { response, socket, times, last, unread });
  } finally {
    state.active--;
    if (state.active === 0 && (isClosing() || state.ending)) socket.end();
  }
}

function answerClientError(front: Front, error: Error, socket: Socket): void {
  const state = front.connections.of(socket);
  // The parser reports every further packet.
  if (state.ending && state.reading === null) return;
  const refusal = refusalOfClientError(error);
  if (refusal === null || !socket.writable) {
    socket.destroy();
    return;
  }
  const reply = front.handler.refuse(refusal, null);
  state.ending = true;
  if (state.active > 0 && state.reading === null) {
    // Earlier answers on this connection finish, and then it ends without an answer.
    reply.finish({ sentBytes: 0, complete: false });
    return;
  }
  const body = reply.body instanceof Uint8Array ? reply.body : new Uint8Array();
  const sent = mayBeHead(error, socket, state) ? new Uint8Array() : body;
  state.reading = null;
  const length = ["Content-Length", String(sent.length)] as const;
  socket.write(serializeHead(reply, [length, CONNECTION_CLOSE]));
  socket.end(sent);
  reply.finish({ sentBytes: sent.length, complete: true });
  const { lingerMs } = front.times;
  void discardRest(socket, { connection: socket, lingerMs }).then(() => socket.destroy());
}

function closeServer(server: Server, connections: Connections): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    connections.destroyIdle();
  });
}

// A disconnecting client is normal; the delivery notices the closed socket.
function ignoreAborted(): void {}

/**
 * Largest number of connections of a server: a quarter of its process's limit of open files. As many again may arrive before
 * they are closed, and the store needs files, too; an account may use five connections.
 */
export function connectionLimit(openFiles: number = softLimit()): number {
  return Math.min(MOST_CONNECTIONS, Math.max(FEWEST_CONNECTIONS, Math.floor(openFiles / 4)));
}

// Linux exposes the limit of a process, other systems only in a shell.
function softLimit(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    const [, found = ""] = /^Max open files\s+(\d+|unlimited)/m.exec(limits) ?? [];
    return found === "unlimited" ? Infinity : Number(found) || USUAL_OPEN_FILES;
  } catch {
    return USUAL_OPEN_FILES;
  }
}

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Uint8Array;
}

/** True if the request that the parser rejected may be a HEAD, whose answer has no body (section 4.6). */
function mayBeHead(error: ClientError, socket: Socket, state: ConnectionState): boolean {
  if (state.reading !== null) return state.reading === "HEAD";
  const packet = error.rawPacket;
  // The parser exposes nothing of an incomplete head.
  if (packet === undefined) return error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const start = new TextDecoder("latin1").decode(packet.subarray(0, 4096));
  const isFirst = socket.bytesRead === packet.length;
  return isFirst ? start.startsWith("HEAD ") : !REQUEST_LINE.test(start);
}

/** Answer for a connection that the parser rejected; `null` if there is no client to read it. */
function refusalOfClientError(error: ClientError): Refusal | null {
  switch (error.code) {
    case "ECONNRESET":
    case "EPIPE":
    case "ECONNABORTED":
      return null;
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return requestTooSlow();
    case "HPE_HEADER_OVERFLOW":
      // The parser exposes nothing of a head of 256 KiB: its URL and headers cannot be distinguished.
      return headersTooLarge();
    default:
      return new Refusal("invalid_request", "The request is not well-formed HTTP/1.1", {
        note: `the parser reported ${error.code ?? "no code"}: ${error.message}`,
      });
  }
}
