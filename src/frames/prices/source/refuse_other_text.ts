import { listText } from "../../../base/arguments/list_text.ts";
import { describe } from "../../../base/contract/violation.ts";

const OTHER_SEPARATORS = [";", "\t", "|", ","];

/**
 * Refuses text whose first line is not a header with the given separator, because of another separator, encoding or file
 * format.
 *
 * @throws {TypeError} With the option that reads it, or the format to save it in
 */
export function refuseOtherText(
  columns: readonly string[],
  separator: string,
  title: string,
): void {
  const [name = "", ...others] = columns;
  const wrong = formOf(name) ?? headOf(name, others);
  if (wrong !== null) throw new TypeError(`Cannot read ${title}: expected ${wrong}`);
  if (others.length > 0) return;
  const other = OTHER_SEPARATORS.find((text) => text !== separator && name.includes(text));
  if (other === undefined) return;
  const decimal = other === ";" ? ', and decimal: "," if its numbers are like 38,38' : "";
  throw new TypeError(
    `Cannot read ${title}: expected columns with ${
      describe(separator)
    } between them, got one column ` +
      `${listText([name])}; use separator: ${describe(other)}${decimal}`,
  );
}

function formOf(name: string): string | null {
  if (/\0/.test(name) || name.startsWith("\ufffd")) {
    return 'text in UTF-8, got UTF-16, as in Excel\'s "Unicode text"; save it as "CSV UTF-8"';
  }
  if (name.startsWith("PAR1")) {
    return "text, got a Parquet file; rename it to end in .parquet";
  }
  if (name.startsWith("PK")) return "text, got a ZIP or Excel file; save the table as CSV";
  return null;
}

function headOf(name: string, others: readonly string[]): string | null {
  if (/^sep=/i.test(name)) {
    return `the names of columns in the first line, got ${
      describe(name)
    }, which is meant for Excel; ` +
      `delete that line, and use separator: ${describe(name[4] ?? ";")}`;
  }
  const isTitle = others.length > 0 && others.every((other) => /^$|^_duplicated_\d+$/.test(other));
  if (!name.startsWith("#") && !isTitle) return null;
  return `the names of columns in the first line, got ${
    listText([name])
  }; delete the lines above the names`;
}
