import {
  aCount,
  aFlag,
  anyText,
  anything,
  aText,
  object,
  orAbsent,
  theRest,
  type Wire,
} from "../schema.ts";

/** The error object of a response (section 7). */
export interface ErrorBody {
  /** Machine-readable code of the API document or a later edition. */
  readonly error: string;
  /** Readable text, not for branching. */
  readonly message: string;
  /** Same value as the `X-Request-Id` header. */
  readonly requestId: string;
  /** True if the same request can succeed later. */
  readonly retryable: boolean;
  /** The refused factor, on `factor_subscription_required`. */
  readonly factor: string | null;
  /** On rate-limit errors. */
  readonly retryAfterSeconds: number | null;
  /** Details of validation errors, whose structure is not shown. */
  readonly details: unknown;
  /** Fields that the API document does not define, as received. */
  readonly extra: Readonly<Record<string, unknown>>;
}

const BODY = object<ErrorBody>({
  error: aText,
  message: anyText,
  requestId: anyText,
  retryable: aFlag,
  factor: orAbsent(anyText),
  retryAfterSeconds: orAbsent(aCount),
  details: anything,
  extra: theRest,
});

/**
 * Reads an error object.
 *
 * @throws {ContractViolation} If a required field is missing or malformed
 * @see API document, section 7
 */
export function parseErrorBody(value: unknown): ErrorBody {
  return BODY.read(value, "$");
}

/** Wire form of an error object, without fields that do not apply. */
export function encodeErrorBody(body: ErrorBody): Wire {
  return BODY.write(body);
}
