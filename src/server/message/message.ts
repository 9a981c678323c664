/** Marks an answer with synthetic numbers; CSV has no other place for it. */
export const SYNTHETIC: HeaderField = ["X-Scoreframe-Synthetic", "true"];

/** A request for the pipeline, from a socket or in process. */
export interface ApiRequest {
  /** Method as sent; methods are case-sensitive. */
  readonly method: string;
  /** Request target as sent: path and query, not normalised. */
  readonly target: string;
  /** Size of the header section, for the transport limit. */
  readonly headerBytes: number;
  /** Address of the client's machine; `null` in process. */
  readonly remote: string | null;
  /** Presence of a body. */
  readonly body: BodyPresence;
  /** Value of a header by its lower-case name, or `null`; repeated headers are joined by commas. */
  header(name: string): string | null;
}

/** Presence of a body in a request, and of one beyond the transport limit (section 8). */
export type BodyPresence = "none" | "present" | "too_large";

/** A response header. */
export type HeaderField = readonly [name: string, value: string];

/** Body of a reply: none, prepared bytes, or a file that is read while it is sent. */
export type ReplyBody = Uint8Array<ArrayBuffer> | ReplyStream | null;

/** A body that is read while it is sent. */
export interface ReplyStream {
  /** Number of bytes. */
  readonly sizeBytes: number;
  /** Opens the body; each chunk belongs to the reader. */
  open(): AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Fault of a delivery. */
export interface DeliveryFault {
  /** `Content-Length` to announce. */
  readonly contentLength: number;
  /** Body bytes after which the connection ends; -1: before the head. */
  readonly stopAfterBytes: number;
  /** True if the end is a reset rather than an orderly close. */
  readonly reset: boolean;
  /** Bytes per piece. */
  readonly chunkBytes: number;
  /** Pause between pieces. */
  readonly intervalMs: number;
}

/** A response of the pipeline, delivered by a transport or `fetch`. */
export interface ApiReply {
  /** HTTP status. */
  readonly status: number;
  /** All headers, in the order in which they are sent. */
  readonly headers: readonly HeaderField[];
  /** The body. */
  readonly body: ReplyBody;
  /** Delivery fault, or `null`. */
  readonly delivery: DeliveryFault | null;
  /**
   * Ends the concurrency of the request; called before the last bytes are sent, so that a client with its complete answer can
   * always send the next request.
   */
  readonly free: () => void;
  /** Ends the exchange, and its concurrency if needed; called once, when the reply was delivered or abandoned. */
  readonly finish: (outcome: DeliveryOutcome) => void;
}

/** The answer of a data handler; the pipeline adds the common headers of section 4.1. */
export interface HandlerReply {
  /** HTTP status. */
  readonly status: 200 | 304;
  /** Headers of this endpoint. */
  readonly headers: readonly HeaderField[];
  /** Body; `null` for 304 and HEAD. */
  readonly body: ReplyBody;
  /** Id of the set, or checksum of the release, that it has. */
  readonly serves?: string;
}

/** Outcome of the delivery of a reply. */
export interface DeliveryOutcome {
  /** Body bytes passed to the transport. */
  readonly sentBytes: number;
  /** True if the whole reply was passed on. */
  readonly complete: boolean;
}

/** True if a body is read while it is sent. */
export function isReplyStream(body: ReplyBody): body is ReplyStream {
  return body !== null && !(body instanceof Uint8Array);
}

/** Number of bytes of any body. */
export function bodySize(body: ReplyBody): number {
  if (body === null) return 0;
  return isReplyStream(body) ? body.sizeBytes : body.length;
}

/** Yields the bytes of any body in pieces. */
export async function* streamBody(body: ReplyBody): AsyncIterable<Uint8Array<ArrayBuffer>> {
  if (isReplyStream(body)) yield* body.open();
  else if (body !== null) yield body;
}

/** Pieces of a body that a fault delivers. */
export async function* piecesOf(
  body: ReplyBody,
  fault: Pick<DeliveryFault, "stopAfterBytes" | "chunkBytes">,
): AsyncIterable<Uint8Array<ArrayBuffer>> {
  let left = fault.stopAfterBytes;
  for await (const chunk of streamBody(body)) {
    let start = 0;
    while (start < chunk.length && left > 0) {
      const piece = chunk.subarray(start, start + Math.min(fault.chunkBytes, left));
      yield piece;
      start += piece.length;
      left -= piece.length;
    }
    if (left <= 0) return;
  }
}

/** JSON reply with status 200 that clients must not store: factor access and release metadata (section 4.1). */
export function jsonReply(value: unknown): HandlerReply {
  return {
    status: 200,
    headers: [["Content-Type", "application/json"], ["Cache-Control", "private, no-store"]],
    body: new TextEncoder().encode(JSON.stringify(value)),
  };
}
