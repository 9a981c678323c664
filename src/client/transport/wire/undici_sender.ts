import type { Dispatcher } from "undici";
import { LIMITS } from "../../../base/contract/limits.ts";
import type { Proxy } from "./proxy.ts";
import type { IncomingResponse, Sender } from "./sender.ts";

// Received bytes that may wait for their reader before the connection is paused.
const MAX_WAITING_BYTES = 64 * 1024;

// Created once: nobody reads its stack.
const READER_LEFT = new DOMException("The reader left", "AbortError");

/**
 * Sends requests over the network.
 *
 * undici is loaded with the first request, because its import takes longer than that of Polars. Its timers are off: they have a
 * resolution of a second, and the exchange has its own deadlines.
 *
 * @param proxy Carries the requests; a request over https only as bytes that it cannot read
 */
export function createUndiciSender(proxy: Proxy | null = null): Sender {
  let agent: Promise<Dispatcher> | undefined;
  const connect = async () => {
    const { Agent, ProxyAgent } = await import("undici");
    const options = {
      connections: LIMITS.concurrentRequests,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: LIMITS.headerBytes * 4,
    };
    return proxy === null ? new Agent(options) : new ProxyAgent({ ...options, uri: proxy.url });
  };
  return {
    async send({ method, url, headers, signal }) {
      agent ??= connect();
      const dispatcher = await agent;
      const { origin, pathname, search } = new URL(url);
      const path = `${pathname}${search}`;
      const receiver = new AnswerReceiver(signal);
      dispatcher.dispatch({ origin, path, method, headers }, receiver);
      return await receiver.answer;
    },
    async close() {
      // A failure to load it was reported by the first request.
      const opened = await agent?.catch(() => undefined);
      await opened?.destroy();
    },
  };
}

interface Reader {
  resolve(result: IteratorResult<Uint8Array, undefined>): void;
  reject(reason: unknown): void;
}

/**
 * Receives one answer of undici.
 *
 * Its `request()` builds a stream of `node:stream` and an async resource for each answer, a fifth of the cost of an exchange.
 */
class AnswerReceiver implements Dispatcher.DispatchHandler {
  /** The answer, once its headers have arrived; rejects with the network's error. */
  readonly answer: Promise<IncomingResponse>;
  readonly #settle: PromiseWithResolvers<IncomingResponse>;
  readonly #signal: AbortSignal;
  readonly #chunks: Uint8Array[] = [];
  #controller: Dispatcher.DispatchController | null = null;
  #waitingBytes = 0;
  #reader: Reader | null = null;
  #end: "open" | "whole" | { readonly error: unknown } = "open";

  /** @param signal Ends the request, and an unread body */
  constructor(signal: AbortSignal) {
    this.#signal = signal;
    this.#settle = Promise.withResolvers();
    this.answer = this.#settle.promise;
    signal.addEventListener("abort", this.#abort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) controller.abort(this.#signal.reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    fields: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    // Interim answers precede the answer itself.
    if (status < 200) return;
    const isWhole = () => this.#end === "whole";
    this.#settle.resolve({ status, headers: headersOf(fields), body: this.#body(), isWhole });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#reader !== null) {
      this.#answerReader((reader) => reader.resolve({ done: false, value: chunk }));
      return;
    }
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > MAX_WAITING_BYTES) controller.pause();
  }

  onResponseEnd(): void {
    this.#finish("whole");
    this.#answerReader((reader) => reader.resolve({ done: true, value: undefined }));
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#finish({ error });
    this.#settle.reject(error);
    this.#answerReader((reader) => reader.reject(error));
  }

  #body(): AsyncIterable<Uint8Array> {
    const iterator: AsyncIterator<Uint8Array, undefined> = {
      next: () => this.#next(),
      return: () => {
        this.#chunks.length = 0;
        if (this.#end === "open") this.#controller?.abort(READER_LEFT);
        return Promise.resolve({ done: true, value: undefined });
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    // Bytes that arrived before a failure are lost with the answer, as in any stream.
    if (typeof this.#end === "object") return Promise.reject(this.#end.error);
    const chunk = this.#chunks.shift();
    if (chunk !== undefined) {
      this.#waitingBytes -= chunk.length;
      if (this.#waitingBytes <= MAX_WAITING_BYTES) this.#controller?.resume();
      return Promise.resolve({ done: false, value: chunk });
    }
    if (this.#end === "whole") return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve, reject) => void (this.#reader = { resolve, reject }));
  }

  #answerReader(answer: (reader: Reader) => void): void {
    const reader = this.#reader;
    this.#reader = null;
    if (reader !== null) answer(reader);
  }

  #finish(end: "whole" | { readonly error: unknown }): void {
    this.#end = end;
    this.#signal.removeEventListener("abort", this.#abort);
  }

  readonly #abort = () => {
    this.#chunks.length = 0;
    this.#controller?.abort(this.#signal.reason);
  };
}

function headersOf(fields: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const name in fields) {
    const value = fields[name];
    if (typeof value === "string") headers.append(name, value);
    else for (const part of value ?? []) headers.append(name, part);
  }
  return headers;
}
