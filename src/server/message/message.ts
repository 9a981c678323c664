/** A request as the pipeline sees it, whether it came over a socket or in process. */
export interface ApiRequest {
  /** Method as sent; methods are case-sensitive. */
  readonly method: string;
  /** Request target as sent: path and query, not normalised. */
  readonly target: string;
  /** Size of the header section as the transport limit counts it. */
  readonly headerBytes: number;
  /** Address of the client's machine; `null` in process. */
  readonly remote: string | null;
  /** Known facts of a body. */
  readonly body: BodyPresence;
  /** Value of a header by its lower-case name, or `null`; a repeated header arrives joined by commas. */
  header(name: string): string | null;
}

/** Presence of a body in a request, and of one beyond the transport limit (section 8). */
export type BodyPresence = "none" | "present" | "too_large";

/** A response header. */
export type HeaderField = readonly [name: string, value: string];

/** The body of a reply: none, prepared bytes, or a file's bytes as they are read. */
export type ReplyBody = Uint8Array<ArrayBuffer> | ReplyStream | null;

/** A body that is read while it is sent. */
export interface ReplyStream {
  /** Number of bytes that will come. */
  readonly sizeBytes: number;
  /** Opens the body; each chunk belongs to the reader. */
  open(): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Fault of a transport while it delivers a reply. */
export interface DeliveryFault {
  /** `Content-Length` to announce. */
  readonly contentLength: number;
  /** Body bytes after which the connection ends; -1: before the head. */
  readonly stopAfterBytes: number;
  /** True if the end is a reset rather than an orderly close. */
  readonly reset: boolean;
  /** Bytes of one piece. */
  readonly chunkBytes: number;
  /** Pause between pieces. */
  readonly intervalMs: number;
}

/** A response as the pipeline makes it; a transport or `fetch` delivers it. */
export interface ApiReply {
  /** HTTP status. */
  readonly status: number;
  /** All headers, in the order in which they are sent. */
  readonly headers: readonly HeaderField[];
  /** The body. */
  readonly body: ReplyBody;
  /** Fault of the transport, or `null`. */
  readonly delivery: DeliveryFault | null;
  /**
   * Frees the place of the request among the concurrent ones; call it before the last bytes are handed to the transport,
   * so that a client that has read its answer never finds the place still taken.
   */
  readonly free: () => void;
  /** Ends the exchange; call it once, when the reply was delivered or given up. Frees the place if that is still taken. */
  readonly finish: (outcome: DeliveryOutcome) => void;
}

/** Outcome of the delivery of a reply. */
export interface DeliveryOutcome {
  /** Body bytes handed to the transport. */
  readonly sentBytes: number;
  /** True if all of the reply was handed over. */
  readonly complete: boolean;
}

/** True if a body is read while it is sent. */
export function isReplyStream(body: ReplyBody): body is ReplyStream {
  return body !== null && !(body instanceof Uint8Array);
}

/** The bytes of any body, in pieces. */
export async function* streamBody(body: ReplyBody): AsyncIterable<Uint8Array<ArrayBuffer>> {
  if (isReplyStream(body)) yield* body.open();
  else if (body !== null) yield body;
}
