import { nearestName } from "../../base/arguments/nearest_name.ts";
import { type Form, type FormsOf, object, type ObjectForm } from "../../base/contract/schema.ts";
import { ContractViolation, describe } from "../../base/contract/violation.ts";
import type { ConfigOptions } from "./config_options.ts";

/** The form of an object whose other fields are refused. */
export function strict<T>(forms: FormsOf<T>): ObjectForm<T> {
  return object<T>(forms, unknownField);
}

/** The error for a field that there is not, with the one that was probably meant. */
export function unknownField(path: string, name: string, known: readonly string[]): TypeError {
  const nearest = nearestName(name, known);
  const hint = nearest === null ? "" : `; did you mean ${nearest}?`;
  const { message } = new ContractViolation(path, `one of the fields ${known.join(", ")}`, name);
  return new TypeError(`${message}${hint}`);
}

/**
 * Reads the JSON text of a configuration.
 *
 * @throws {TypeError} With the place, the expectation and the value; a key is never shown
 */
export function readConfig<T>(
  form: Form<T>,
  json: string,
  { what, file }: ConfigOptions & { readonly what: string },
): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    const place = file === undefined ? what : `${what} "${file}"`;
    throw new TypeError(`Cannot read ${place}: expected JSON, got ${describe(json.slice(0, 40))}`);
  }
  try {
    return form.read(value, file === undefined ? "$" : `"${file}", $`);
  } catch (error) {
    throw error instanceof ContractViolation ? new TypeError(error.message) : error;
  }
}
