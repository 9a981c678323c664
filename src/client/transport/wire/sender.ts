/** A request to send, complete with its headers. */
export interface OutgoingRequest {
  /** Method. */
  readonly method: "GET" | "HEAD";
  /** Whole URL. */
  readonly url: string;
  /** All headers, the key among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, and an unread body. */
  readonly signal: AbortSignal;
}

/** A received answer, before validation. */
export interface IncomingResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers. */
  readonly headers: Headers;
  /** The body as it arrives; `null` if there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
  /**
   * True once the whole body has arrived, although nobody may have read it.
   *
   * @default unknown
   */
  readonly isWhole?: () => boolean;
}

/** Sends a request once, without following redirects, retrying, caching or decoding. */
export interface Sender {
  /** Sends a request; throws the network's errors. */
  send(request: OutgoingRequest): Promise<IncomingResponse>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** A function with the signature of the platform's `fetch`, through which an embedded server is used without a socket. */
export type FetchFunction = (request: Request) => Promise<Response>;

/** Sends requests through a given function. */
export function createFetchSender(fetch: FetchFunction): Sender {
  return {
    async send({ method, url, headers, signal }) {
      const request = new Request(url, { method, headers, signal, redirect: "manual" });
      const response = await fetch(request);
      // A given function may ignore the signal; the reader of a body cancels it.
      const { body } = response;
      const cancel = () => void (body?.locked === false && body.cancel().catch(() => {}));
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
      return { status: response.status, headers: response.headers, body };
    },
    close: () => Promise.resolve(),
  };
}
