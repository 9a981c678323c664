import { z } from "zod";
import { parseCalendarDate, parseInstant } from "./instant.ts";
import { ContractViolation } from "./violation.ts";
import { isUuid } from "./identifier.ts";

/** Text with at least one character. */
export const text = z.string().min(1, { error: "text that is not empty" });

/** A count: a non-negative whole number. */
export const count = z.number({ error: "a whole number of at least 0" })
  .refine((value) => Number.isSafeInteger(value) && value >= 0, {
    error: "a whole number of at least 0",
  });

/** A UUID, in lower case from here on. */
export const uuid = z.string().refine(isUuid, { error: "a UUID" }).transform((id) =>
  id.toLowerCase()
);

/** An RFC 3339 date-time, canonical from here on. */
export const instant = z.unknown().transform((value, context) =>
  attempt(() => parseInstant(value), context)
);

/** A calendar date. */
export const calendarDate = z.unknown().transform((value, context) =>
  attempt(() => parseCalendarDate(value), context)
);

/**
 * Reads a value by a schema.
 *
 * @throws {ContractViolation} With the JSON path of the first offence
 */
export function parseBy<Output>(schema: z.ZodType<Output>, value: unknown): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path ?? [];
  throw new ContractViolation(jsonPath(path), requirement(issue), valueAt(value, path));
}

/** Unknown fields of an object. */
export function unknownFields(
  value: Readonly<Record<string, unknown>>,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !known.includes(name)));
}

function attempt<T>(read: () => T, context: z.RefinementCtx): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ContractViolation)) throw error;
    context.addIssue({ code: "custom", message: error.required });
    return z.NEVER;
  }
}

function requirement(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "a valid value";
  if (issue.code === "invalid_type") return `a value of type ${issue.expected}`;
  if (issue.code === "invalid_value") {
    return issue.values.map((value) => `"${String(value)}"`).join(" or ");
  }
  return issue.message;
}

function jsonPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => typeof step === "number" ? `[${step}]` : `.${String(step)}`);
  return `$${steps.join("")}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined,
    value,
  );
}
