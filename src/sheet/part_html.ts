import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";
import { escapeHtml } from "../notebook/escape_html.ts";
import type { SheetContent } from "./sheet_content.ts";

const DIGITS = 4;

/** A part as HTML: a section with a heading, its text, its pictures with what they show in words, its tables. */
export async function partHtml(part: Required<SheetContent>): Promise<string> {
  const figures = await Promise.all(
    part.charts.map((chart, i) => figureHtml(chart, `${part.name}-${i + 1}`)),
  );
  const tables = Object.entries(part.tables).map(([caption, frame]) => tableHtml(caption, frame));
  const topics = part.topics.map(({ topic, text }) =>
    `<dt>${escapeHtml(topic)}</dt><dd>${escapeHtml(text)}</dd>`
  );
  return [
    `<section id="${part.name}" aria-labelledby="${part.name}-title">`,
    `<h2 id="${part.name}-title">${escapeHtml(part.title)}</h2>`,
    ...part.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(topics.length === 0 ? [] : [`<dl>${topics.join("\n")}</dl>`]),
    ...figures,
    ...tables,
    "</section>",
  ].join("\n");
}

async function figureHtml(chart: Chart, id: string): Promise<string> {
  const svg = ownIds(await chart.toSvg(), id)
    .replace(/ aria-label="[^"]*"/, ` aria-labelledby="${id}-text"`);
  const words = escapeHtml(chart.description);
  return `<figure>${svg}<figcaption id="${id}-text">${words}</figcaption></figure>`;
}

// Every picture begins to count its clips and gradients at one.
function ownIds(svg: string, id: string): string {
  return svg.replace(/ id="([^"]+)"/g, ` id="${id}-$1"`).replace(
    /url\(#([^)]+)\)/g,
    `url(#${id}-$1)`,
  );
}

function tableHtml(caption: string, frame: DataFrame): string {
  const records: readonly Record<string, unknown>[] = frame.toRecords();
  // A column without a value in any row says nothing that its absence does not.
  const names = frame.columns.filter((name) => records.some((row) => isKnown(row[name])));
  const head = names.map((name) => {
    const isNumber = records.some((row) => typeof row[name] === "number");
    const side = isNumber ? ' class="number"' : "";
    return `<th scope="col"${side}>${escapeHtml(name.replaceAll("_", " "))}</th>`;
  });
  const rows = records.map((row) =>
    `<tr>${names.map((name) => cellHtml(row[name])).join("")}</tr>`
  );
  const none = records.length === 0 ? " (no rows)" : "";
  return `<div class="table"><table><caption>${escapeHtml(caption)}${none}</caption><thead><tr>${
    head.join("")
  }</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function cellHtml(value: unknown): string {
  if (!isKnown(value)) return '<td class="none">none</td>';
  if (typeof value === "number") return `<td class="number">${numberText(value)}</td>`;
  if (value instanceof Date) return `<td class="date">${value.toISOString().slice(0, 10)}</td>`;
  return `<td>${escapeHtml(String(value))}</td>`;
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  return String(Number(value.toPrecision(DIGITS))).replace("-", "−");
}
