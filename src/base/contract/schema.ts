import * as z from "zod/mini";
import { type Factor, parseFactor } from "./factor.ts";
import { isSha256, isUuid } from "./identifier.ts";
import { type CalendarDate, type Instant, parseCalendarDate, parseInstant } from "./instant.ts";
import { isPlainObject } from "./json_text.ts";
import { ContractViolation } from "./violation.ts";

/** An object of JSON. */
export type Wire = Readonly<Record<string, unknown>>;

/** A schema of zod that reads a value from JSON, and writes it so that it is read again as it was. */
export type Form<T> = z.ZodMiniType<T> & {
  /** Compared by the compiler alone: a form of fewer values is another one. */
  readonly exactly?: (value: T) => void;
};

/** The form of an object, with the names of its fields in the file. */
export type ObjectForm<T> = Form<T> & { readonly names: readonly string[] };

/** A form for each field, in the order of the file: the compiler keeps them equal to the interface. */
export type FormsOf<T> = { readonly [Key in keyof T]-?: Form<T[Key]> | Placed<T[Key]> };

/** A field whose place in the file is not that of its name. */
export type Placed<T> =
  | { readonly name: string; readonly form: Form<T> }
  | { readonly flat: ObjectForm<T> | ObjectForm<NonNullable<T>>; readonly isOptional: boolean }
  | typeof theRest;

/** Fields that an object does not know. */
export interface ObjectOptions {
  /** Refuses them, and ends the message; without it they are ignored, or kept by `theRest`. */
  readonly strict?: (name: string, known: readonly string[]) => string;
}

const KINDS: Readonly<Record<string, string>> = { array: "a list", boolean: "true or false" };

// The one place that words what zod finds.
const WORDED = {
  error: (issue: z.core.$ZodRawIssue) => {
    if (issue.code === "invalid_type") return KINDS[issue.expected] ?? "an object";
    if (issue.code !== "invalid_value") return undefined;
    return issue.values.map((value) => JSON.stringify(value)).join(" or ");
  },
};

/**
 * Reads a value.
 *
 * @throws {ContractViolation} With the path of the first offence
 */
export function read<T>(form: Form<T>, value: unknown, path = "$"): T {
  const result = z.safeDecode(form, value, WORDED);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  let [place, found] = [path, value];
  for (const part of issue!.path) {
    place += typeof part === "number" ? `[${part}]` : `.${String(part)}`;
    found = (found as { readonly [Part in PropertyKey]: unknown } | null)?.[part];
  }
  const known = issue!.code === "custom" ? issue!.params?.["violation"] : undefined;
  throw known instanceof ContractViolation
    ? known.within(place)
    : new ContractViolation(place, issue!.message, found);
}

/** Reads a value; `null` if it has another form. */
export function readOrNull<T>(form: Form<T>, value: unknown): T | null {
  return z.safeDecode(form, value, WORDED).data ?? null;
}

/** Writes a value as it stands in a file or a message. */
export function write<T>(form: ObjectForm<T>, value: T): Wire;
export function write<T>(form: Form<T>, value: T): unknown;
export function write<T>(form: Form<T>, value: T): unknown {
  return z.encode(form, value);
}

/** A form whose values are the same in file and code. */
export function valueOf<T>(required: string, accepts: (value: unknown) => value is T): Form<T> {
  return z.custom<T>(accepts, required);
}

/** A form with a reader of its own; what it reads is written as it is, but by a writer of its own. */
export function readBy<T>(
  reader: (value: unknown, path: string) => T,
  writer: (value: T) => unknown = (value) => value,
): Form<T> {
  return z.codec(z.optional(z.unknown()), z.custom<T>(), {
    decode: (value, payload) => {
      try {
        return reader(value, "$");
      } catch (error) {
        return refuse(payload, error);
      }
    },
    encode: writer,
  });
}

export const anyText: Form<string> = z.string("text");
export const aText: Form<string> = z.string("text that is not empty").check(
  z.minLength(1, "text that is not empty"),
);
export const aFlag: Form<boolean> = z.boolean();
export const aNumber: Form<number> = z.number("a number");
const WHOLE = "a whole number of at least 0";
export const aCount: Form<number> = z.int(WHOLE).check(z.nonnegative(WHOLE));
export const aHash = valueOf("64 hexadecimal digits", isSha256);
export const aUuid = valueOf("a UUID", isUuid);
export const anObject = valueOf<Wire>("an object", isPlainObject);
export const aFactor: Form<Factor> = readBy(parseFactor);
export const anInstant: Form<Instant> = readBy(parseInstant);
export const aDate: Form<CalendarDate> = readBy(parseCalendarDate);

/** Null for a field that is left out. */
export function orAbsent<T>(form: Form<T>): Form<T | null> {
  return z.codec(z.optional(z.nullable(form)), z.custom<T | null>(), {
    decode: (value) => value ?? null,
    encode: (value) => value ?? undefined,
  });
}

/** A field with a name of its own in the file. */
export function named<T>(name: string, form: Form<T>): Placed<T> {
  return { name, form };
}

/** An object whose fields stand among those of the object around it. */
export function flat<T>(form: ObjectForm<T>): Placed<T> {
  return { flat: form, isOptional: false };
}

/** Such an object, or null if none of its fields is there. */
export function flatOrNull<T extends object>(form: ObjectForm<T>): Placed<T | null> {
  return { flat: form, isOptional: true };
}

/** The fields that an object does not know or could not read, as received; written after the others. */
export const theRest = { rest: true } as const;

/** An object: names in the file are those of the code in snake_case. */
export function object<T>(forms: FormsOf<T>, { strict }: ObjectOptions = {}): ObjectForm<T> {
  const fields = Object.entries<Form<unknown> | Placed<unknown>>(forms as never).map(toField);
  const names = fields.flatMap((field) => field.names);
  const own = z.object(
    Object.fromEntries(fields.flatMap(({ form, names: [name] }) => form ? [[name!, form]] : [])),
  );
  const form = z.codec(anObject, z.custom<T>(), {
    decode: (wire, payload) => {
      const unknown = strict && Object.keys(wire).find((name) => !names.includes(name));
      if (strict && unknown !== undefined) {
        const required = `one of the fields ${names.join(", ")}`;
        const hint = strict(unknown, names);
        return refuse(payload, new ContractViolation("$", required, unknown, hint));
      }
      return readFields<T>(fields, own, { wire, payload });
    },
    encode: (value) => writeFields(fields, value),
  });
  return Object.assign(form, { names });
}

function readFields<T>(
  fields: readonly Field[],
  own: Form<Wire>,
  { wire, payload }: { readonly wire: Wire; readonly payload: Payload },
): T {
  const decoded = take(own, wire, payload);
  const found: Record<string, unknown> = {};
  for (const { key, names, form, inner, isOptional } of fields) {
    const isAbsent = isOptional && names.every((name) => wire[name] === undefined);
    const item = form
      ? decoded?.[names[0]!]
      : !inner
      ? restOf(wire, fields, found)
      : isAbsent
      ? null
      : take(inner, wire, payload);
    if (item !== undefined) found[key] = item;
  }
  return found as T;
}

function writeFields<T>(fields: readonly Field[], value: T): Wire {
  let wire: Record<string, unknown> = {};
  for (const { key, form, inner, names: [name] } of fields) {
    const item = value[key as keyof T] as unknown;
    if (form) {
      const written = z.encode(form, item);
      if (written !== undefined) wire[name!] = written;
    } else if (item !== null) {
      // Spread, a received field named __proto__ stays a field.
      wire = { ...wire, ...(inner ? z.encode(inner, item) : item) as Wire };
    }
  }
  return wire;
}

interface Field {
  readonly key: string;
  readonly names: readonly string[];
  readonly form?: Form<unknown>;
  readonly inner?: ObjectForm<unknown>;
  readonly isOptional?: boolean;
}

function toField([key, placed]: readonly [string, Form<unknown> | Placed<unknown>]): Field {
  if ("rest" in placed) return { key, names: [] };
  if ("flat" in placed) {
    return {
      key,
      names: placed.flat.names,
      inner: placed.flat as ObjectForm<unknown>,
      isOptional: placed.isOptional,
    };
  }
  if ("name" in placed) return { key, names: [placed.name], form: placed.form };
  const name = key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return { key, names: [name], form: placed };
}

function restOf(wire: Wire, fields: readonly Field[], found: Wire): Wire {
  const rest = { ...wire };
  for (const { key, names, form } of fields) {
    for (const name of names) {
      if (!form || (wire[name] ?? null) === null || found[key] !== null) delete rest[name];
    }
  }
  return rest;
}

/** One of several objects, which the field `kind` tells apart; without a form of its own it is the first field. */
export function variants<T extends { readonly kind: string }>(
  forms: { readonly [Kind in T["kind"]]: FieldsOf<VariantOf<T, Kind>> },
  options?: ObjectOptions,
): Form<T> {
  const objects = new Map(
    Object.entries<object>(forms).map(([name, fields]) => {
      const all = { ...("kind" in fields ? {} : { kind: z.literal(name) }), ...fields };
      return [name, object(all as unknown as FormsOf<T>, options)];
    }),
  );
  const tagged = z.object({ kind: z.enum([...objects.keys()]) });
  return z.codec(anObject, z.custom<T>(), {
    decode: (wire, payload) => {
      const tag = take(tagged, wire, payload);
      return tag === undefined ? z.NEVER : take(objects.get(tag.kind)!, wire, payload) as T;
    },
    encode: (value) => z.encode(objects.get(value.kind)!, value) as Wire,
  });
}

type FieldsOf<T extends { readonly kind: string }> =
  & FormsOf<Omit<T, "kind">>
  & { readonly kind?: Form<T["kind"]> };
type VariantOf<T extends { readonly kind: string }, Kind> = T extends unknown
  ? Kind extends T["kind"] ? T : never
  : never;

type Payload = z.core.ParsePayload<unknown>;

/** Reads a value within another one, whose place is that of the value around it. */
function take<T>(form: z.ZodMiniType<T>, value: unknown, payload: Payload): T | undefined {
  const result = z.safeDecode(form, value, WORDED);
  for (const issue of result.error?.issues ?? []) {
    payload.issues.push({ ...issue, path: [...issue.path], input: value } as z.core.$ZodRawIssue);
  }
  return result.data;
}

function refuse(payload: Payload, violation: unknown): never {
  if (!(violation instanceof ContractViolation)) throw violation;
  payload.issues.push({ code: "custom", input: payload.value, params: { violation } });
  return z.NEVER;
}
