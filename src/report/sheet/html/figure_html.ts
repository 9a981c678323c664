import { Chart } from "../../chart/chart.ts";
import { layoutOf, layOutSpec } from "../../chart/lay_out_spec.ts";
import { narrowChart } from "../../chart/narrow_chart.ts";
import { renderSvg } from "../../chart/render/render_chart.ts";
import { fitting, TELEPHONE_PX, widthOf } from "../../chart/render/render_html.ts";
import { escapeHtml } from "../../../frames/notebook/html.ts";
import { capital } from "../../../base/wording/words.ts";

const MOST_ENLARGED = 1.25;
/** The smallest letters on a telephone. */
const LEAST_PX = 9;
/** The smallest letters on paper. */
const LEAST_PT = 7;
/** Half the width of A4 within its margins. */
const COLUMN_PT = 256;

/** HTML of a picture or a table, and whether it is wider on paper than a column. */
export interface Figure {
  readonly html: string;
  readonly isBroad: boolean;
}

/** Destination of the HTML. */
export type Place = "page" | "notebook";

/** A figure of a sheet. */
export interface FigurePlan {
  readonly id: string;
  readonly place: Place;
  /** Sample that the sheet states once. */
  readonly sample: string;
}

/** A chart with its title as label and the text below it as description. */
export async function figureHtml(chart: Chart, { id, place, sample }: FigurePlan): Promise<Figure> {
  const { drawn, layout, title, words } = withoutOrigin(chart, sample);
  const caption = `<figcaption id="${id}-text">${escapeHtml(words)}</figcaption>`;
  if (place === "notebook") {
    // The page colours its pictures; those of a notebook, whose ground is not known, bring their own.
    const picture = imageHtml(await drawn.toSvg({ background: "white" }), title);
    const html = `<figure><div class="picture">${picture}</div>${caption}</figure>`;
    return { html, isBroad: false };
  }
  const svg = await drawn.toSvg();
  const named = (one: string, own: string) =>
    ownIds(one, own).replace(
      / aria-label="[^"]*"/,
      ` aria-label="${escapeHtml(title)}" aria-describedby="${id}-text"`,
    );
  const narrow = (widthPx: number) => narrowChart(drawn, layout, widthPx);
  const small = widthWith(svg, LEAST_PX) <= TELEPHONE_PX
    ? null
    : await fitting(narrow, (spec) => renderSvg({ spec, description: drawn.description }));
  const wide = named(sized(svg), id);
  const pictures = small === null ? wide : `<div class="large">${wide}</div><div ` +
    `class="narrow">${named(small.svg, `${id}-narrow`)}</div>`;
  const isBroad = widthWith(svg, LEAST_PT) > COLUMN_PT;
  const start = isBroad ? '<figure class="broad">' : "<figure>";
  return { html: `${start}<div class="picture">${pictures}</div>${caption}</figure>`, isBroad };
}

/** Width of a picture whose smallest letters have a given size. */
function widthWith(svg: string, least: number): number {
  const sizes = [...svg.matchAll(/ font-size="([\d.]+)px"/g)].map(([, px]) => Number(px));
  return widthOf(svg) * least / Math.min(...sizes);
}

/** A chart without the text that its sheet states once: sample, origin and, in the caption, the title. */
function withoutOrigin(chart: Chart, sample: string) {
  const layout = layoutOf(chart);
  if (layout === undefined) {
    const title = titleOf(chart);
    return { drawn: chart, layout, title, words: withoutStart(chart.description, title) };
  }
  const kept = layout.sample === sample ? "" : layout.sample ?? "";
  const own = { ...layout, sample: kept, footnote: "", synthetic: undefined };
  const { spec, description } = layOutSpec(own);
  const words = capital(layout.describe(null, kept));
  return { drawn: new Chart(spec, { description }), layout: own, title: layout.title, words };
}

function titleOf({ spec, description }: Chart): string {
  const { text } = spec["title"] as { readonly text?: string | readonly string[] } ?? {};
  return text === undefined ? description : [text].flat().join(" ");
}

/** The description of a chart of one's own without the title before it. */
function withoutStart(text: string, start: string): string {
  const rest = text.startsWith(start) ? text.slice(start.length).replace(/^[:.,] ?/, "") : text;
  return capital(rest);
}

// JupyterLab strips the paths from an SVG in an untrusted notebook and leaves only the text.
function imageHtml(svg: string, title: string): string {
  const width = /^<svg[^>]* width="(\d+)"/.exec(svg)?.[1];
  const data = new TextEncoder().encode(svg).toBase64();
  return `<img src="data:image/svg+xml;base64,${data}" alt="${escapeHtml(title)}" ` +
    `width="${width ?? ""}">`;
}

// Text of the same size in all charts, however wide their legends are.
function sized(svg: string): string {
  const print = Math.ceil(widthWith(svg, LEAST_PT));
  const style = `max-width:${Math.round(MOST_ENLARGED * widthOf(svg))}px;--print:${print}pt`;
  return svg.replace("<svg ", `<svg style="${style}" `);
}

// Each chart numbers its clips and gradients from one.
function ownIds(svg: string, id: string): string {
  return svg.replace(/ id="([^"]+)"/g, ` id="${id}-$1"`).replace(
    /url\(#([^)]+)\)/g,
    `url(#${id}-$1)`,
  );
}
