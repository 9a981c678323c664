/**
 * The errors that a caller may want to tell apart.
 *
 * ```
 * ScoreframeError
 * ├── ApiError             the service answered with an error: status, code, request id
 * │   ├── AccessError      401, 403: the key or the licence; never retried
 * │   ├── NotFoundError    404: no such ticker, set or publication
 * │   └── WaitError        429, 503, or a local gate: what to wait for, and until when
 * ├── TransportError       no usable answer: network, deadline, a page that is not the API's
 * ├── ContractError        an answer that breaks the API document: the place, what was expected, what came
 * ├── IntegrityError       checksum, size, count or a stored number differs; nothing becomes a frame
 * └── StorageError         a folder or disk that cannot be used: its path, and what to do
 * ```
 *
 * A notebook cell shows an error's name and message and nothing else, so the message carries everything.
 *
 * @module
 */

/** Every error of this library that is not a wrong argument. */
export class ScoreframeError extends Error {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name: string = "ScoreframeError";
}

/**
 * Details of the refused request of an {@link ApiError}.
 *
 * @internal
 */
export interface ApiErrorFields {
  /** HTTP status. */
  readonly status: number;
  /** Machine-readable code, or `null` if the body was not an error object. */
  readonly code: string | null;
  /** The service's id of the request, or `null` if it sent none. */
  readonly requestId: string | null;
  /** Earliest time of another attempt, epoch milliseconds; `null` if the service named no time. */
  readonly retryAtMs: number | null;
  /**
   * Details that the service added to its message, such as the parameter and the violated rule.
   *
   * @default null
   */
  readonly details?: unknown;
  /**
   * Text of the service's error object.
   *
   * @default null
   */
  readonly said?: string | null;
}

/** The service answered with an error status. */
export class ApiError extends ScoreframeError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name: string = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** Machine-readable code, or `null` if the body was not an error object. */
  readonly code: string | null;
  /** The service's id of the request, or `null` if it sent none. */
  readonly requestId: string | null;
  /** Earliest time of another attempt, epoch milliseconds; `null` if the service named no time. */
  readonly retryAtMs: number | null;
  /** Details that the service added to its message; `null` if none. */
  readonly details: unknown;
  /** Text of the service's error object; `null` if it sent none. */
  readonly said: string | null;

  /**
   * Makes the error of a refused request.
   *
   * @param message What was tried, what was answered, and what to do
   * @param fields What is known about the refused request
   * @param options The cause, if there is one
   */
  constructor(message: string, fields: ApiErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.requestId = fields.requestId;
    this.retryAtMs = fields.retryAtMs;
    this.details = fields.details ?? null;
    this.said = fields.said ?? null;
  }
}

/** 401 or 403: the key or the licence does not allow the request. */
export class AccessError extends ApiError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "AccessError";
}

/** 404: no such ticker, set or publication. */
export class NotFoundError extends ApiError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "NotFoundError";
}

/** 429 or 503, or an allowance that is known to be spent: the request has to wait longer than the caller allowed. */
export class WaitError extends ApiError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "WaitError";
}

/** No usable answer arrived: network failure, deadline, or a page that is not the API's. */
export class TransportError extends ScoreframeError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "TransportError";
}

/** An answer that breaks the API document. */
export class ContractError extends ScoreframeError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "ContractError";
}

/** A checksum, a size, a count or an already stored number differs; nothing becomes a frame. */
export class IntegrityError extends ScoreframeError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "IntegrityError";
}

/** A folder or a disk that cannot be used: no permission, no space, or a file where a folder is needed. */
export class StorageError extends ScoreframeError {
  /** Name of the class, which a notebook shows before the message. */
  override readonly name = "StorageError";
}
