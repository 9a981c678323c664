import { escapeHtml } from "../../../frames/notebook/escape_html.ts";
import { figureHtml, type Place } from "./figure_html.ts";
import type { KeyNumber, SheetContent } from "../sheet_content.ts";
import { tableHtml } from "./table_html.ts";

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
  const small = await figures(part.small, "small-");
  const large = await figures(part.charts, "");
  const tables = Object.entries(part.tables).map(([caption, frame]) => tableHtml(caption, frame));
  const topics = part.topics.map(({ topic, text }) =>
    `<dt>${escapeHtml(topic)}</dt><dd>${escapeHtml(text)}</dd>`
  );
  const isSummary = part.numbers.length > 0;
  return [
    `<section id="${part.name}" aria-labelledby="${part.name}-title"${
      isSummary ? ' class="summary"' : ""
    }>`,
    `<h2 id="${part.name}-title">${escapeHtml(part.title)}</h2>`,
    ...part.paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
    ...(topics.length === 0 ? [] : [`<dl>${topics.join("\n")}</dl>`]),
    ...(isSummary ? [numbersHtml(part.numbers)] : []),
    ...(small.length === 0 ? [] : [`<div class="small">${small.join("\n")}</div>`]),
    ...(large.length + tables.length === 0 ? [] : [
      `<div class="items${part.isPair ? " pair" : ""}">${[...large, ...tables].join("\n")}</div>`,
    ]),
    "</section>",
  ].join("\n");
}

function numbersHtml(numbers: readonly KeyNumber[]): string {
  const items = numbers.map(({ label, value, note }) =>
    `<li>${escapeHtml(label)} <strong>${escapeHtml(value)}</strong> <small>${
      escapeHtml(note)
    }</small></li>`
  );
  return `<ul class="numbers">${items.join("\n")}</ul>`;
}
