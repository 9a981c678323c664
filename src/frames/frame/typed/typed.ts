import type { DataFrame, DataType } from "nodejs-polars";
import { nearestName } from "../../../base/arguments/nearest_name.ts";
import { wrongKind } from "../../../base/arguments/list_text.ts";
import { assertFrame } from "../assert_frame.ts";
import { framed } from "./frame_of.ts";
import type { Schema } from "./columns.ts";
import type { TypedFrame } from "./typed_frame.ts";

const ACTION = "type a frame";
const SHOWN = 6;

/**
 * Types a frame again after methods that lose its types: checks that it has columns of these types, and returns the same frame
 * with them. Nothing is copied or cast.
 *
 * Other columns stay in the frame, unknown to the compiler. Utf8 and String are the same type; a Datetime must agree in unit
 * and zone.
 *
 * @param frame Any frame
 * @param columns Its columns, with their types in nodejs-polars
 * @returns The same frame
 * @throws {TypeError} If a column is missing or has another type; the message names all such columns
 * @example
 * ```ts
 * import { demo, typed } from "scoreframe";
 * import pl from "nodejs-polars";
 *
 * const api = await demo();
 * const scores = await api.scores("ecpnd");
 * const ranked = typed(scores.withColumn(pl.col("ecpnd_score").rank().alias("rank")), {
 *   ticker: pl.Utf8,
 *   rank: pl.Float64,
 * });
 * const ranks: (number | null)[] = ranked.getColumn("rank").toArray();
 * if (ranks.length !== scores.height) throw new Error("a rank for each ticker expected");
 * await api.close();
 * ```
 */
export function typed<const Columns extends Schema>(
  frame: DataFrame,
  columns: Columns,
): TypedFrame<Columns> {
  assertFrame(ACTION, frame);
  if (typeof columns !== "object" || columns === null) {
    throw wrongKind(ACTION, columns, {
      expected: "columns with their types",
      advice: "give { ticker: pl.Utf8, rank: pl.Float64 }",
    });
  }
  const types: Readonly<Record<string, DataType>> = frame.schema;
  const wrong = Object.entries(columns).flatMap(([name, type]) => offence(types, name, type));
  if (wrong.length === 0) return framed(frame);
  const more = wrong.length > SHOWN ? `, and ${wrong.length - SHOWN} more` : "";
  throw new TypeError(
    `Cannot ${ACTION}: expected ${wrong.slice(0, SHOWN).join(", ")}${more}; ` +
      "cast or rename the column, or give its actual type",
  );
}

function offence(
  types: Readonly<Record<string, DataType>>,
  name: string,
  type: DataType,
): readonly string[] {
  const wanted = textOf(type);
  const found = types[name];
  if (found === undefined) {
    const near = nearestName(name, Object.keys(types));
    const hint = near === null ? "" : ` (did you mean ${near}?)`;
    return [`the column ${name} of ${wanted}, got none${hint}`];
  }
  return textOf(found) === wanted ? [] : [`the column ${name} of ${wanted}, got ${textOf(found)}`];
}

function textOf(type: unknown): string {
  return String(type).replace(/^DataType\((.*)\)$/, "$1").replace(/^Utf8$/, "String");
}
