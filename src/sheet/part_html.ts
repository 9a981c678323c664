import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../chart/chart.ts";
import { escapeHtml } from "../notebook/escape_html.ts";
import { pText } from "../notebook/p_text.ts";
import { holdsPValues } from "./shown_frame.ts";
import type { KeyNumber, SheetContent } from "./sheet_content.ts";

const MOST_DECIMALS = 5;
const DIGITS = 4;
// Longer texts have several lines in a table; shorter ones, broken in a narrow column, would make a row high.
const MAX_UNBROKEN = 40;

/** Where HTML is shown. */
export type Place = "page" | "notebook";

/** A part as HTML: a section with a heading, its text, its pictures with what they show in words, its tables. */
export async function partHtml(part: Required<SheetContent>, place: Place): Promise<string> {
  const figures = await Promise.all(
    part.charts.map((chart, i) => figureHtml(chart, { id: `${part.name}-${i + 1}`, place })),
  );
  const tables = Object.entries(part.tables).map(([caption, frame]) => tableHtml(caption, frame));
  const topics = part.topics.map(({ topic, text }) =>
    `<dt>${escapeHtml(topic)}</dt><dd>${escapeHtml(text)}</dd>`
  );
  return [
    `<section id="${part.name}" aria-labelledby="${part.name}-title">`,
    `<h2 id="${part.name}-title">${escapeHtml(part.title)}</h2>`,
    ...part.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(part.numbers.length === 0 ? [] : [numbersHtml(part.numbers)]),
    ...(topics.length === 0 ? [] : [`<dl>${topics.join("\n")}</dl>`]),
    ...figures,
    ...tables,
    "</section>",
  ].join("\n");
}

interface FigurePlan {
  readonly id: string;
  readonly place: Place;
}

async function figureHtml(chart: Chart, { id, place }: FigurePlan): Promise<string> {
  const svg = await chart.toSvg();
  const words = escapeHtml(chart.description);
  const picture = place === "page"
    ? ownIds(svg, id).replace(/ aria-label="[^"]*"/, ` aria-labelledby="${id}-text"`)
    : imageHtml(svg);
  return `<figure><div class="picture">${picture}</div><figcaption id="${id}-text">${words}</figcaption></figure>`;
}

// JupyterLab takes the drawing out of an SVG in a notebook that it does not trust, and leaves a heap of letters.
function imageHtml(svg: string): string {
  const width = /^<svg[^>]* width="(\d+)"/.exec(svg)?.[1];
  const data = new TextEncoder().encode(svg).toBase64();
  // The words beneath it are its alternative.
  return `<img src="data:image/svg+xml;base64,${data}" alt="" width="${width ?? ""}">`;
}

// Every picture begins to count its clips and gradients at one.
function ownIds(svg: string, id: string): string {
  return svg.replace(/ id="([^"]+)"/g, ` id="${id}-$1"`).replace(
    /url\(#([^)]+)\)/g,
    `url(#${id}-$1)`,
  );
}

function numbersHtml(numbers: readonly KeyNumber[]): string {
  const items = numbers.map(({ label, value, note }) =>
    `<li>${escapeHtml(label)} <strong>${escapeHtml(value)}</strong> <small>${
      escapeHtml(note)
    }</small></li>`
  );
  return `<ul class="numbers">${items.join("\n")}</ul>`;
}

function tableHtml(caption: string, frame: DataFrame): string {
  const records: readonly Record<string, unknown>[] = frame.toRecords();
  // A column without a value in any row says nothing that its absence does not.
  const columns = frame.columns.filter((name) => records.some((row) => isKnown(row[name])))
    .map((name) => {
      const values = records.map((row) => row[name]);
      const isNumber = values.some((value) => typeof value === "number");
      return { name, isNumber, isP: holdsPValues(name), decimals: decimalsOf(values) };
    });
  const head = columns.map(({ name, isNumber }) =>
    `<th scope="col"${isNumber ? ' class="number"' : ""}>${
      escapeHtml(name.replaceAll("_", " "))
    }</th>`
  );
  const rows = records.map((row) =>
    `<tr>${columns.map((column) => cellHtml(row[column.name], column)).join("")}</tr>`
  );
  const none = records.length === 0 ? " (no rows)" : "";
  return `<div class="table"><table><caption>${escapeHtml(caption)}${none}</caption><thead><tr>${
    head.join("")
  }</tr></thead><tbody>\n${rows.join("\n")}\n</tbody></table></div>`;
}

function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined;
}

interface CellPlan {
  readonly isNumber: boolean;
  readonly isP: boolean;
  readonly decimals: number | null;
}

function cellHtml(value: unknown, { isNumber, isP, decimals }: CellPlan): string {
  if (!isKnown(value)) return `<td class="none${isNumber ? " number" : ""}">none</td>`;
  if (typeof value === "number") {
    const text = isP ? escapeHtml(pText(value)) : numberText(value, decimals);
    return `<td class="number">${text}</td>`;
  }
  if (value instanceof Date) return `<td class="date">${value.toISOString().slice(0, 10)}</td>`;
  const text = String(value);
  return `<td${text.length > MAX_UNBROKEN ? ' class="long"' : ""}>${escapeHtml(text)}</td>`;
}

/**
 * So many decimals that the smallest fraction of a column has two digits: numbers of a column stand below each other. `null`
 * where a column holds numbers of several kinds.
 */
function decimalsOf(values: readonly unknown[]): number | null {
  const sizes = values.filter((value) => typeof value === "number" && !Number.isInteger(value))
    .map((value) => Math.abs(value as number));
  if (sizes.length === 0) return 0;
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (most >= 10 && least < 0.1) return null;
  const wanted = Math.max(1 - Math.floor(Math.log10(least)), 3 - Math.floor(Math.log10(most)));
  return Math.max(1, Math.min(MOST_DECIMALS, wanted));
}

function numberText(value: number, decimals: number | null): string {
  if (Number.isInteger(value)) return value.toLocaleString("en-US").replace("-", "−");
  if (decimals === null) return String(Number(value.toPrecision(DIGITS))).replaceAll("-", "−");
  // What would be shown as zero is shown as it is.
  const isTiny = Math.abs(value) < 0.5 * 10 ** -decimals;
  return (isTiny ? value.toExponential(1) : value.toFixed(decimals)).replaceAll("-", "−");
}
