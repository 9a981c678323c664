import { nearestName } from "../../base/arguments/nearest_name.ts";
import { describe } from "../../base/contract/violation.ts";
import type { ConfigOptions } from "./config_options.ts";

/** Reads one value of a configuration file; throws if its form is wrong. */
export type Reader<T> = (value: unknown, path: string) => T;

/** Name of the root of a configuration, for messages. */
export function rootOf({ file }: ConfigOptions): string {
  return file === undefined ? "$" : `"${file}", $`;
}

/** Throws an error with the place, the expectation and the value; a key is never shown. */
export function fail(path: string, required: string, value: unknown): never {
  throw new TypeError(wrong(path, required, value));
}

function wrong(path: string, required: string, value: unknown): string {
  return `Cannot read ${path}: expected ${required}, got ${describe(value)}`;
}

/** Reads non-empty text. */
export const filledText: Reader<string> = (value, path) =>
  typeof value === "string" && value !== "" ? value : fail(path, "text that is not empty", value);

/** Reads a finite number. */
export const number: Reader<number> = (value, path) =>
  typeof value === "number" && Number.isFinite(value) ? value : fail(path, "a number", value);

/** Reads a boolean. */
export const flag: Reader<boolean> = (value, path) =>
  typeof value === "boolean" ? value : fail(path, "true or false", value);

/** Reads one of several texts. */
export function oneOfTexts<T extends string>(allowed: readonly T[]): Reader<T> {
  const required = allowed.map((name) => `"${name}"`).join(" or ");
  return (value, path) => allowed.find((name) => name === value) ?? fail(path, required, value);
}

/** Reads null, or the value of another reader. */
export function nullable<T>(read: Reader<T>): Reader<T | null> {
  return (value, path) => value === null ? null : read(value, path);
}

/** Reads an array. */
export function list<T>(read: Reader<T>): Reader<readonly T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((item, i) => read(item, `${path}[${i}]`))
      : fail(path, "an array", value);
}

/** Reads an object whose values have one form. */
export function record<T>(read: Reader<T>): Reader<Readonly<Record<string, T>>> {
  return (value, path) =>
    Object.fromEntries(
      Object.entries(asObject(value, path)).map(([name, item]) => [
        name,
        read(item, `${path}.${name}`),
      ]),
    );
}

/** Reads an object of known, optional fields: snake_case in the file, camelCase in the result. */
export function fields(
  readers: Readonly<Record<string, Reader<unknown>>>,
): Reader<Record<string, unknown>> {
  return (value, path) => {
    const read: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(asObject(value, path))) {
      const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
      if (reader === undefined) {
        throw new TypeError(unknownField(path, name, Object.keys(readers)));
      }
      read[toCamelCase(name)] = reader(item, `${path}.${name}`);
    }
    return read;
  };
}

/** Parses the JSON text of a file. */
export function parseConfigJson(json: string, what: string, { file }: ConfigOptions): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return fail(file === undefined ? what : `${what} "${file}"`, "JSON", json.slice(0, 40));
  }
}

/** Reads an object. */
export function asObject(value: unknown, path: string): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : fail(path, "an object", value);
}

function unknownField(path: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const message = wrong(path, `one of the fields ${known.join(", ")}`, name);
  return nearest === null ? message : `${message}; did you mean ${nearest}?`;
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
