import process from "node:process";
import { toFetchResponse, unlessAborted } from "./fetch_response.ts";
import { type FrontHandler, listenHttp } from "./http_server.ts";
import type { FrontTimes } from "../server_times.ts";
import { isLoopback } from "../../base/contract/http/loopback.ts";
import { LIMITS } from "../../base/contract/limits.ts";
import type { ApiRequest, BodyPresence } from "../message/message.ts";

/** Address of a server. */
export interface ListenOptions {
  /** Port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Address. @default "127.0.0.1" */
  readonly hostname?: string;
  /**
   * Further host names under which it answers, such as that of a proxy that passes its own on. On a loopback address it answers
   * loopback names and these alone; on any other address it answers every name.
   *
   * @default []
   */
  readonly hosts?: readonly string[];
  /** Called with one line about trouble that no request shows. @default a warning of the process */
  readonly onTrouble?: (line: string) => void;
}

/** A listening server. */
export interface ScoreListener {
  /** Base address, without a trailing slash. */
  readonly url: string;
  /** Port in use. */
  readonly port: number;
  /** Stops accepting requests, waits for those in flight, and closes. */
  close(): Promise<void>;
}

/** Front end of a server: in process through `fetch`, and on any number of sockets. */
export class Front {
  readonly #handler: FrontHandler;
  readonly #times: FrontTimes;
  readonly #listeners = new Set<ScoreListener>();
  readonly #closed = new AbortController();

  /** @param handler Handler of requests, in process and over sockets */
  constructor(handler: FrontHandler, times: FrontTimes) {
    this.#handler = handler;
    this.#times = times;
  }

  /** Answers a request in process, without a socket. */
  async fetch(request: Request): Promise<Response> {
    const { signal } = request;
    const answering = this.#handler.answer(await fromFetchRequest(request));
    const { transferDeadlineMs } = this.#times;
    const reply = await unlessAborted(answering, signal);
    return toFetchResponse(reply, { signals: [signal, this.#closed.signal], transferDeadlineMs });
  }

  /** Listens on a socket; several listeners share the handler. */
  async listen(options: ListenOptions = {}): Promise<ScoreListener> {
    const warn = (line: string) => process.emitWarning(line, "ScoreframeNotice");
    const { port = 0, hostname = "127.0.0.1", hosts = [], onTrouble = warn } = options;
    const named = new Set(hosts.map((name) => name.toLowerCase()));
    const isOwnHost = (name: string) =>
      !isLoopback(hostname) || isLoopback(name) || named.has(name.toLowerCase());
    const settings = { port, hostname, isOwnHost, times: this.#times, onTrouble };
    const listening = await listenHttp(this.#handler, settings);
    const listener: ScoreListener = {
      // RFC 3986, section 3.2.2: an IPv6 address is in brackets.
      url: `http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${listening.port}`,
      port: listening.port,
      close: async () => {
        this.#listeners.delete(listener);
        await listening.close();
      },
    };
    this.#listeners.add(listener);
    return listener;
  }

  /** Closes every listener; requests in flight finish first. In process, a file that is not read whole by then breaks off. */
  async close(): Promise<void> {
    await Promise.all([...this.#listeners].map((listener) => listener.close()));
    this.#closed.abort(
      new TypeError("Cannot read the body: the server was closed; read it before"),
    );
  }
}

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
