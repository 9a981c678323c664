/** A request as it goes out, complete with its headers. */
export interface OutgoingRequest {
  /** Method. */
  readonly method: "GET" | "HEAD";
  /** Whole URL. */
  readonly url: string;
  /** All headers, the key among them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the request, and a body that is not read to its end. */
  readonly signal: AbortSignal;
}

/** An answer as it comes in, before anything is believed of it. */
export interface IncomingResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers. */
  readonly headers: Headers;
  /** The body as it arrives; `null` if there is none. */
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** Sends one request once: no redirect is followed, nothing is retried, cached or decoded. */
export interface Sender {
  /** Sends a request; throws what the network throws. */
  send(request: OutgoingRequest): Promise<IncomingResponse>;
  /** Closes all connections. */
  close(): Promise<void>;
}
