import pl, { type DataFrame, type Expr } from "nodejs-polars";
import { IntegrityError } from "../../base/errors.ts";
import type { Dataset } from "./open_dataset.ts";
import type { Partition } from "./partition.ts";
import { asWritten } from "./table/lay.ts";
import { TABLES } from "./table/table.ts";
import type { TableRows } from "./table/table_rows.ts";

/** Rows to write, and the files that they replace. */
export interface MetRows {
  readonly rows: DataFrame;
  readonly removed: readonly Partition[];
}

/**
 * Compares rows with the stored ones under the same keys. A row that is stored already is not written again. A text that
 * counts as a value, such as the status of a check, may become known later.
 *
 * @param given Rows with the columns of the table
 * @param near The files that may have the same keys
 * @returns The rows to write, and the files that they replace
 * @throws {IntegrityError} If a stored row has other values under the same key, and is not to be corrected
 */
export async function meetStored(
  given: DataFrame,
  { table, factor }: Pick<TableRows, "table" | "factor">,
  { dataset, near, meeting }: {
    readonly dataset: Dataset;
    readonly near: readonly Partition[];
    readonly meeting: "append" | "correct";
  },
): Promise<MetRows> {
  const { columns } = TABLES[table];
  const rows = await asWritten(given.lazy(), table).collect();
  const key = [...TABLES[table].key];
  const compared = columns.filter(({ name, type, isValue = false }) =>
    !key.includes(name) && (type === "number" || type === "date" || isValue)
  );
  const names = compared.map(({ name }) => name);
  const stored = await dataset.read(near, [...key, ...names]);
  const theirs = stored.rename(Object.fromEntries(names.map((name) => [name, `stored ${name}`])));
  const both = rows.join(theirs, { on: key, how: "inner" });
  const told: Expr[] = [];
  for (const { name, isValue = false } of compared) {
    const [own, other] = [pl.col(name), pl.col(`stored ${name}`)];
    const isOther = own.neq(other).fillNull(pl.lit(false));
    const differs = isValue ? isOther : isOther.or(own.isNull().neq(other.isNull()));
    const others = meeting === "correct" ? null : both.filter(differs);
    if (others !== null && others.height > 0) {
      throw changed(others, { key, name, what: factor ?? table });
    }
    told.push(isValue ? differs.or(own.isNotNull().and(other.isNull())) : differs);
  }
  const isTold = told.reduce((any, one) => any.or(one), pl.lit(false));
  const corrected = both.filter(isTold).select(...rows.columns);
  const fresh = both.height === 0
    ? rows
    : rows.join(stored.select(...key), { on: key, how: "anti" });
  if (corrected.height === 0) return { rows: fresh, removed: [] };
  const kept = (await dataset.read(near)).join(corrected.select(...key), { on: key, how: "anti" });
  const all = pl.concat([kept, corrected, fresh]).sort(key);
  return { rows: all, removed: near };
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
    `Cannot export ${what}: expected the ${name} that is stored for ${row.join(" ")}, ${
      values[0] ?? "null"
    }, got ${
      values[1] ?? "null"
    }; leave that row out, or correct the stored one with correct: true`,
  );
}
