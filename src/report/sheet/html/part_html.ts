import type { DataFrame } from "nodejs-polars";
import { escapeHtml } from "../../../frames/notebook/html.ts";
import { type Figure, figureHtml, type Place } from "./figure_html.ts";
import type { KeyNumber, SheetContent } from "../sheet_content.ts";
import { type ShownCell, type ShownColumn, shownTable } from "./shown_table.ts";

// Longer texts have several lines in a table; shorter ones, broken in a narrow column, would make a row high.
const MAX_UNBROKEN = 40;
// Characters that fit into one of two columns of a page.
const NARROW = 74;

/** Surroundings of a part, and the sample that its sheet states once. */
export interface PartPlan {
  readonly place: Place;
  /** @default none: each picture keeps its own */
  readonly sample?: string;
}

/** A part as HTML: a section with heading, text, pictures with their descriptions, and tables. */
export async function partHtml(part: Required<SheetContent>, plan: PartPlan): Promise<string> {
  const { place, sample = "" } = plan;
  const figures = (charts: typeof part.charts, name: string) =>
    Promise.all(
      charts.map((chart, i) =>
        figureHtml(chart, { id: `${part.name}-${name}${i + 1}`, place, sample })
      ),
    );
  const small = (await figures(part.small, "small-")).map(({ html }) => html);
  const large = await figures(part.charts, "");
  const tables = Object.entries(part.tables).map(([caption, frame]) => tableHtml(caption, frame));
  const topics = part.topics.map(({ topic, text }) =>
    `<dt>${escapeHtml(topic)}</dt><dd>${escapeHtml(text)}</dd>`
  );
  const isSummary = part.numbers.length > 0;
  return [
    `<section id="${part.name}" ` +
    `aria-labelledby="${part.name}-title"${isSummary ? ' class="summary"' : ""}>`,
    `<h2 id="${part.name}-title">${escapeHtml(part.title)}</h2>`,
    ...part.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(topics.length === 0 ? [] : [`<dl>${topics.join("\n")}</dl>`]),
    ...(isSummary ? [numbersHtml(part.numbers)] : []),
    ...(small.length === 0 ? [] : [`<div class="small">${small.join("\n")}</div>`]),
    ...itemsHtml(large, tables),
    "</section>",
  ].join("\n");
}

/** Pictures and tables; broad pictures, which have the whole width of paper, stand in a block of their own. */
function itemsHtml(figures: readonly Figure[], tables: readonly Figure[]): readonly string[] {
  const runs: Figure[][] = [[]];
  const isBroad = ([first]: readonly Figure[]) => first?.isBroad === true;
  for (const figure of figures) {
    if (figure.isBroad !== isBroad(runs.at(-1)!)) runs.push([]);
    runs.at(-1)!.push(figure);
  }
  const last = isBroad(runs.at(-1)!) ? [] : runs.pop()!;
  // Tables as wide as the paper stand above columns that broad pictures have interrupted.
  const isFirst = (table: Figure) => runs.length > 0 && table.isBroad;
  const rest = [...last, ...tables.filter((one) => !isFirst(one))];
  return [
    ...runs.map((run) => blockHtml(run, isBroad(run) ? "broad" : "")),
    blockHtml(tables.filter(isFirst), ""),
    blockHtml(rest, ""),
  ];
}

function blockHtml(items: readonly Figure[], look: string): string {
  const name = look === "" ? "items" : `items ${look}`;
  const content = items.map(({ html }) => html).join("\n");
  return items.length === 0 ? "" : `<div class="${name}">${content}</div>`;
}

function numbersHtml(numbers: readonly KeyNumber[]): string {
  const items = numbers.map(({ label, value, note }) =>
    `<li>${escapeHtml(label)} <strong>${escapeHtml(value)}</strong> ` +
    `<small>${escapeHtml(note)}</small></li>`
  );
  return `<ul class="numbers">${items.join("\n")}</ul>`;
}

/** A table with its caption, in a region that can be scrolled with the keyboard. */
function tableHtml(caption: string, frame: DataFrame): Figure {
  const columns = shownTable(frame);
  const head = columns.map(({ name, isNumber }) =>
    `<th scope="col"${isNumber ? ' class="number"' : ""}>${escapeHtml(name)}</th>`
  );
  const rows = Array.from(
    { length: frame.height },
    (_, at) => `<tr>${columns.map((column) => cellHtml(column.cells[at]!, column)).join("")}</tr>`,
  );
  const isBroad = columns.reduce((sum, column) => sum + widthOf(column), 0) > NARROW;
  const title = escapeHtml(caption);
  const none = frame.height === 0 ? " (no rows)" : "";
  const look = isBroad ? "table wide" : "table";
  const html = `<div class="${look}" role="region" tabindex="0" aria-label="${title}">` +
    `<table><caption>${title}${none}</caption><thead><tr>${head.join("")}</tr></thead>` +
    `<tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
  return { html, isBroad };
}

/** Width of a column in characters, with its gap; the heading may be broken. */
function widthOf({ name, cells }: ShownColumn): number {
  const words = name.split(" ").map((word) => word.length);
  return Math.max(...words, ...cells.map(({ text }) => text.length)) + 1.5;
}

function cellHtml({ text, isNone, isDate }: ShownCell, { isNumber }: ShownColumn): string {
  const kinds = [
    ...(isNone ? ["none"] : []),
    ...(isNumber ? ["number"] : []),
    ...(isDate ? ["date"] : []),
    ...(text.length > MAX_UNBROKEN ? ["long"] : []),
  ].join(" ");
  return `<td${kinds === "" ? "" : ` class="${kinds}"`}>${escapeHtml(text)}</td>`;
}
