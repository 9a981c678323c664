import { type Factor, parseFactor } from "./factor.ts";
import { isSha256, isUuid } from "./identifier.ts";
import { type CalendarDate, type Instant, parseCalendarDate, parseInstant } from "./instant.ts";
import { isPlainObject } from "./json_text.ts";
import { ContractViolation } from "./violation.ts";

/** An object of JSON. */
export type Wire = Readonly<Record<string, unknown>>;

/**
 * The form of a value in a file or a message: how it is read from JSON, and written so that it is read again as it was. Reading
 * throws a `ContractViolation` with the path of the first offence; a value that is written as `undefined` is left out.
 */
export interface Form<T> {
  readonly read: (value: unknown, path: string) => T;
  readonly write: (value: T) => unknown;
  /** Name of the field with this form, if it is not its name in the code in snake_case. */
  readonly name?: string;
  /** Names of the fields, if these stand among those of the object around it. */
  readonly flat?: readonly string[];
}

/** The form of an object. */
export interface ObjectForm<T> extends Form<T> {
  readonly write: (value: T) => Wire;
  /** Names of its fields in the file. */
  readonly names: readonly string[];
}

/** A form for each field, in the order of the file: the compiler keeps them equal to the interface. */
export type FormsOf<T> = { readonly [Key in keyof T]-?: Form<T[Key]> };

/** Makes the error for a field that an object does not have. */
export type Refuse = (path: string, name: string, known: readonly string[]) => Error;

/** A form whose values are the same in file and code. */
export function valueOf<T>(required: string, accepts: (value: unknown) => value is T): Form<T> {
  return readBy((value, path) => {
    if (accepts(value)) return value;
    throw new ContractViolation(path, required, value);
  });
}

/** A form whose values are normal once they were read. */
export function readBy<T>(read: Form<T>["read"]): Form<T> {
  return { read, write: (value) => value };
}

export const anything: Form<unknown> = readBy((value) => value);
export const anyText = valueOf("text", (value) => typeof value === "string");
export const aText = valueOf(
  "text that is not empty",
  (value): value is string => typeof value === "string" && value !== "",
);
export const aFlag = valueOf("true or false", (value) => typeof value === "boolean");
export const aNumber = valueOf("a number", (value): value is number => Number.isFinite(value));
export const aCount = valueOf(
  "a whole number of at least 0",
  (value): value is number => Number.isSafeInteger(value) && (value as number) >= 0,
);
export const aHash = valueOf("64 hexadecimal digits", isSha256);
export const aUuid = valueOf("a UUID", isUuid);
export const anObject = valueOf<Wire>("an object", isPlainObject);
export const aFactor: Form<Factor> = readBy(parseFactor);
export const anInstant: Form<Instant> = readBy(parseInstant);
export const aDate: Form<CalendarDate> = readBy(parseCalendarDate);

/** One of several texts. */
export function oneOfTexts<const T extends string>(...texts: readonly T[]): Form<T> {
  const required = texts.map((text) => `"${text}"`).join(" or ");
  return valueOf(required, (value): value is T => (texts as readonly unknown[]).includes(value));
}

/** A value of a form as it was received: fields of later versions stay in it when it is written again. */
export function asReceived<T>(form: Form<T>): Form<T> {
  return readBy((value, path) => {
    form.read(value, path);
    return value as T;
  });
}

/** Reads a value; `null` if it has another form. */
export function readOrNull<T>(form: Form<T>, value: unknown): T | null {
  try {
    return form.read(value, "$");
  } catch (error) {
    if (error instanceof ContractViolation) return null;
    throw error;
  }
}

/** Null, or a value of another form. */
export function orNull<T>(form: Form<T>): Form<T | null> {
  return {
    ...form,
    read: (value, path) => value === null ? null : form.read(value, path),
    write: (value) => value === null ? null : form.write(value),
  };
}

/** Null for a field that is left out. */
export function orAbsent<T>(form: Form<T>): Form<T | null> {
  return {
    ...form,
    read: (value, path) => value === undefined || value === null ? null : form.read(value, path),
    write: (value) => value === null ? undefined : form.write(value),
  };
}

/** A field that may be left out. */
export function optional<T>(form: Form<T>): Form<T | undefined> {
  return {
    ...form,
    read: (value, path) => value === undefined ? undefined : form.read(value, path),
    write: (value) => value === undefined ? undefined : form.write(value),
  };
}

/** A field that older files do not have. */
export function since<T>(before: T, form: Form<T>): Form<T> {
  return {
    ...form,
    read: (value, path) => value === undefined ? before : form.read(value, path),
  };
}

/** A field with a name of its own in the file. */
export function named<T>(name: string, form: Form<T>): Form<T> {
  return { ...form, name };
}

/** An object whose fields stand among those of the object around it. */
export function flat<T>(form: ObjectForm<T>): Form<T> {
  return { ...form, flat: form.names };
}

/** Such an object, or null if none of its fields is there. */
export function flatOrNull<T>(form: ObjectForm<T>): Form<T | null> {
  const isThere = (wire: Wire) => form.names.some((name) => wire[name] !== undefined);
  return {
    flat: form.names,
    read: (value, path) => isThere(value as Wire) ? form.read(value, path) : null,
    write: (value) => value === null ? {} : form.write(value),
  };
}

/** A list. */
export function listOf<T>(form: Form<T>): Form<readonly T[]> {
  return {
    read: (value, path) => {
      if (!Array.isArray(value)) throw new ContractViolation(path, "a list", value);
      return value.map((item, i) => form.read(item, `${path}[${i}]`));
    },
    write: (items) => items.map(form.write),
  };
}

/** An object whose values have one form. */
export function recordOf<T>(form: Form<T>): Form<Readonly<Record<string, T>>> {
  return {
    read: (value, path) =>
      mapValues(anObject.read(value, path), (item, name) => form.read(item, `${path}.${name}`)),
    write: (value) => mapValues(value, form.write),
  };
}

/** The fields that an object does not know or could not read, as received; written after the others. */
export const theRest: Form<Wire> = { ...anObject, flat: [] };

/**
 * An object: names in the file are those of the code in snake_case.
 *
 * @param refuse Makes the error for a field that it does not have; such a field is ignored by default
 */
export function object<T>(forms: FormsOf<T>, refuse?: Refuse): ObjectForm<T> {
  const fields = Object.entries<Form<unknown>>(forms as Readonly<Record<string, Form<unknown>>>)
    .map(([key, form]): Field => ({ key, form, name: form.name ?? toSnakeCase(key) }));
  const names = fields.flatMap(({ form, name }) => form.flat ?? [name]);
  return {
    names,
    read: (value, path) => {
      const wire = anObject.read(value, path);
      const unknown = refuse && Object.keys(wire).find((name) => !names.includes(name));
      if (unknown !== undefined) throw refuse!(path, unknown, names);
      const found: Record<string, unknown> = {};
      for (const { key, form, name } of fields) {
        const item = form.flat === undefined
          ? form.read(wire[name], `${path}.${name}`)
          : form === theRest
          ? restOf(wire, fields, found)
          : form.read(wire, path);
        if (item !== undefined) found[key] = item;
      }
      return found as T;
    },
    write: (value) => {
      let wire: Record<string, unknown> = {};
      for (const { key, form, name } of fields) {
        const item = form.write(value[key as keyof T]);
        // Spread, a received field named __proto__ stays a field.
        if (form.flat !== undefined) wire = { ...wire, ...item as Wire };
        else if (item !== undefined) wire[name] = item;
      }
      return wire;
    },
  };
}

interface Field {
  readonly key: string;
  readonly name: string;
  readonly form: Form<unknown>;
}

function restOf(wire: Wire, fields: readonly Field[], found: Wire): Wire {
  const rest = { ...wire };
  for (const { key, form, name } of fields) {
    if (form.flat !== undefined) { for (const inner of form.flat) delete rest[inner]; }
    else if ((wire[name] ?? null) === null || found[key] !== null) delete rest[name];
  }
  return rest;
}

/** One of several objects, which the field `kind` tells apart; without a form of its own it is the first field. */
export function variants<T extends { readonly kind: string }>(
  forms: { readonly [Kind in T["kind"]]: FieldsOf<VariantOf<T, Kind>> },
  refuse?: Refuse,
): Form<T> {
  const objects = mapValues<object, Form<T>>(
    forms,
    (fields, name) => {
      const all = "kind" in fields ? fields : { kind: oneOfTexts(name), ...fields };
      return object(all as FormsOf<T>, refuse);
    },
  );
  const kind = oneOfTexts(...Object.keys(forms));
  return {
    read: (value, path) => {
      const name = kind.read(anObject.read(value, path)["kind"], `${path}.kind`);
      return objects[name]!.read(value, path);
    },
    write: (value) => objects[value.kind]!.write(value),
  };
}

type FieldsOf<T extends { readonly kind: string }> =
  & FormsOf<Omit<T, "kind">>
  & { readonly kind?: Form<T["kind"]> };
type VariantOf<T extends { readonly kind: string }, Kind> = T extends unknown
  ? Kind extends T["kind"] ? T : never
  : never;

function mapValues<From, To>(
  values: Readonly<Record<string, From>>,
  change: (value: From, name: string) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, change(value, name)]),
  );
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
