import { z } from "zod";
import { parseBy, text, unknownFields } from "../schema.ts";

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

const FIELDS = {
  error: text,
  message: z.string(),
  request_id: z.string(),
  retryable: z.boolean(),
  factor: z.string().nullish(),
  retry_after_seconds: z.number().int().min(0).nullish(),
  details: z.unknown().optional(),
};
const SCHEMA = z.looseObject(FIELDS);

/**
 * Reads an error object.
 *
 * @throws {ContractViolation} If a required field is missing or malformed
 * @see API document, section 7
 */
export function parseErrorBody(value: unknown): ErrorBody {
  const wire = parseBy(SCHEMA, value);
  return {
    error: wire.error,
    message: wire.message,
    requestId: wire.request_id,
    retryable: wire.retryable,
    factor: wire.factor ?? null,
    retryAfterSeconds: wire.retry_after_seconds ?? null,
    details: wire.details,
    extra: unknownFields(wire, Object.keys(FIELDS)),
  };
}

/** Wire form of an error object, without fields that do not apply. */
export function encodeErrorBody(body: ErrorBody): Record<string, unknown> {
  return {
    error: body.error,
    message: body.message,
    request_id: body.requestId,
    retryable: body.retryable,
    ...(body.factor === null ? {} : { factor: body.factor }),
    ...(body.retryAfterSeconds === null ? {} : { retry_after_seconds: body.retryAfterSeconds }),
    ...(body.details === undefined ? {} : { details: body.details }),
    ...body.extra,
  };
}
