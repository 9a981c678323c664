import pl, { type DataFrame } from "nodejs-polars";
import { type Rule, ruleBy } from "../../base/arguments/check_options.ts";
import { tagOf } from "./tag_of.ts";
import { describe } from "../../base/contract/violation.ts";

const OTHER_POLARS = "one of another copy of nodejs-polars, which cannot be mixed with that of " +
  'scoreframe; import both from one project, with "nodejs-polars" as scoreframe pins it';

/**
 * Refuses a value that is not a frame, such as a load that was not awaited, or a lazy frame.
 *
 * @param action Action that needs the frame, worded to follow "Cannot"
 * @throws {TypeError} With the value, and how to make it a frame
 */
export function assertFrame(action: string, value: unknown): asserts value is DataFrame {
  const kind = tagOf(value);
  if (kind === "DataFrame" && !isOfAnotherPolars(value)) return;
  throw new TypeError(`Cannot ${action}: expected a DataFrame, got ${nameOf(kind, value)}`);
}

/** A frame. */
export const FRAME: Rule<DataFrame> = ruleBy(
  "a DataFrame",
  (action, value: DataFrame, name) => assertFrame(`${action} with ${name}`, value),
);

/** A second copy of the package has a native class of the same name, which this one refuses without an explanation. */
function isOfAnotherPolars(frame: unknown): boolean {
  const native = nativeOf(frame);
  return native?.name === "JsDataFrame" && native !== nativeOf(pl.DataFrame({}));
}

// A column of this name hides the property; its class has another name.
function nativeOf(frame: unknown): { readonly name: string } | undefined {
  const { _df: native } = frame as { readonly _df?: object };
  return native?.constructor;
}

function nameOf(kind: unknown, value: unknown): string {
  if (kind === "DataFrame") return OTHER_POLARS;
  if (kind === "LazyDataFrame") return "a lazy frame; collect it first, with await frame.collect()";
  const text = describe(value);
  if (typeof value !== "object" || !text.startsWith("an object")) return text;
  const { data } = value as { readonly data?: unknown };
  return tagOf(data) === "DataFrame"
    ? `a result whose data are ${describe(data)}; give its .data if these rows are meant`
    : text;
}
