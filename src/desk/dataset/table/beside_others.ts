import type { TableRows } from "./table_rows.ts";

/**
 * Rows of releases as those of the table in which releases stand side by side.
 *
 * @throws {TypeError} If they are no scores
 */
export function besideOthers(sources: readonly TableRows[]): readonly TableRows[] {
  return sources.map((source) => {
    if (source.table === "scores") return { ...source, table: "releases" };
    throw new TypeError(
      `Cannot export a dataset: expected a release with sideBySide, got rows of the table ${source.table}; ` +
        "leave the option out",
    );
  });
}
