/** Texts of the table cells of an HTML text, by row, and the text outside of tables. */
export interface HtmlCells {
  /** The rows. */
  readonly rows: readonly (readonly string[])[];
  /** Text outside of rows. */
  readonly rest: string;
}

const SILENT: ReadonlySet<string> = new Set(["style", "script"]);

/** Reads an HTML text in a single pass, so that no untrusted text makes it slow. */
export function htmlCells(html: string): HtmlCells {
  const rows: string[][] = [];
  let row: string[] | null = null;
  let cell: string[] | null = null;
  const rest: string[] = [];
  let silent: string | null = null;
  for (const { text, tag } of piecesOf(html)) {
    if (silent === null) (cell ?? (row === null ? rest : [])).push(text);
    const name = tag.replace("/", "");
    if (silent !== null) silent = tag === `/${silent}` ? null : silent;
    else if (SILENT.has(tag)) silent = tag;
    else if (tag === "tr") rows.push(row = []);
    else if (tag === "/tr" || tag === "/table") row = null;
    if (tag === "td" || tag === "th") cell = [];
    else if ((name === "td" || name === "th") && cell !== null) {
      row?.push(cell.join(" ").trim());
      cell = null;
    }
  }
  return { rows, rest: rest.join(" ").trim() };
}

function* piecesOf(html: string): Generator<{ readonly text: string; readonly tag: string }> {
  let at = 0;
  while (at < html.length) {
    const start = html.indexOf("<", at);
    const end = start === -1 ? -1 : html.indexOf(">", start);
    if (end === -1) return yield { text: html.slice(at), tag: "" };
    const tag = /^\/?[a-z][a-z0-9]*/i.exec(html.slice(start + 1, start + 20))?.[0] ?? "";
    yield { text: html.slice(at, start), tag: tag.toLowerCase() };
    at = end + 1;
  }
}
