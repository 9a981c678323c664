import pl, { type DataFrame } from "nodejs-polars";
import { IntegrityError } from "../../base/errors.ts";
import { TABLES } from "./table/table.ts";
import type { TableRows } from "./table/table_rows.ts";

/**
 * Adds rows to a stored partition by the key of their table; a row that is already stored is kept once.
 *
 * @param stored Rows of the partition's file
 * @param added Rows with the same columns
 * @throws {IntegrityError} If a stored row has other numbers or dates under the same key
 */
export async function appendRows(
  stored: DataFrame,
  added: DataFrame,
  { table, factor }: Pick<TableRows, "table" | "factor">,
): Promise<DataFrame> {
  const { key, columns } = TABLES[table];
  const compared = columns.filter(({ name, type }) =>
    !key.includes(name) && (type === "number" || type === "date")
  ).map(({ name }) => name);
  const theirs = stored.select(...key, ...compared)
    .rename(Object.fromEntries(compared.map((name) => [name, `stored ${name}`])));
  const both = await added.lazy().join(theirs.lazy(), { on: [...key], how: "inner" }).collect();
  for (const name of compared) {
    const [one, other] = [pl.col(name), pl.col(`stored ${name}`)];
    const isOther = one.neq(other).fillNull(pl.lit(false)).or(one.isNull().neq(other.isNull()));
    const others = both.filter(isOther);
    if (others.height > 0) throw changed(others, { key, name, what: factor ?? table });
  }
  const isNew = both.height === 0 ? added : await added.lazy().join(
    stored.select(...key).lazy(),
    { on: [...key], how: "anti" },
  ).collect();
  return pl.concat([stored, isNew.select(...stored.columns)]);
}

function changed(
  rows: DataFrame,
  { key, name, what }: {
    readonly key: readonly string[];
    readonly name: string;
    readonly what: string;
  },
): IntegrityError {
  const row = rows.head(1).select(...key.map((column) => pl.col(column).cast(pl.Utf8))).row(0);
  const values = rows.head(1).select(`stored ${name}`, name).row(0);
  return new IntegrityError(
    `Cannot append to ${what}: expected the ${name} that is stored for ${row.join(" ")}, ${
      values[0] ?? "null"
    }, got ${values[1] ?? "null"}; leave that row out, or export everything to another folder`,
  );
}
