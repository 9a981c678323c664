import { Chart } from "../../chart/chart.ts";
import { layoutOf } from "../../chart/chart_layouts.ts";
import { layOutSpec } from "../../chart/lay_out_spec.ts";
import { escapeHtml } from "../../../frames/notebook/escape_html.ts";

const MOST_ENLARGED = 1.25;

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
export async function figureHtml(chart: Chart, { id, place, sample }: FigurePlan): Promise<string> {
  const { drawn, title, words } = withoutOrigin(chart, sample);
  // The page colours its pictures; those of a notebook, whose ground is not known, bring their own.
  const svg = await drawn.toSvg(place === "page" ? {} : { background: "white" });
  const picture = place === "page"
    ? ownIds(sized(svg), id).replace(
      / aria-label="[^"]*"/,
      ` aria-label="${escapeHtml(title)}" aria-describedby="${id}-text"`,
    )
    : imageHtml(svg, title);
  const caption = `<figcaption id="${id}-text">${escapeHtml(words)}</figcaption>`;
  return `<figure><div class="picture">${picture}</div>${caption}</figure>`;
}

/** A chart without the text that its sheet states once: sample, origin and, in the caption, the title. */
function withoutOrigin(chart: Chart, sample: string) {
  const layout = layoutOf(chart);
  if (layout === undefined) {
    const title = titleOf(chart);
    return { drawn: chart, title, words: withoutStart(chart.description, [title]) };
  }
  const subtitle = layout.subtitle.map((line) => withoutSample(line, sample))
    .filter((line) => line !== "");
  const { spec, description } = layOutSpec({ ...layout, subtitle, footnote: "" });
  const drawn = new Chart(spec, { description });
  const title = titleOf(drawn);
  return { drawn, title, words: withoutStart(withoutSample(description, sample), [title]) };
}

function titleOf({ spec, description }: Chart): string {
  const { text } = spec["title"] as { readonly text?: string | readonly string[] } ?? {};
  return text === undefined ? description : [text].flat().join(" ");
}

/** A line without the sample, which may stand alone, before a full stop, or after a colon or comma. */
function withoutSample(text: string, sample: string): string {
  if (sample === "" || text === sample) return sample === "" ? text : "";
  return text.replace(`: ${sample}`, "").replace(`, ${sample}`, "").replace(`${sample}. `, "");
}

/** A text without the given prefix. */
function withoutStart(text: string, starts: readonly string[]): string {
  let rest = text;
  for (const start of starts) {
    if (rest.startsWith(start)) rest = rest.slice(start.length).replace(/^[:.,] ?/, "");
  }
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

// JupyterLab strips the paths from an SVG in an untrusted notebook and leaves only the text.
function imageHtml(svg: string, title: string): string {
  const width = /^<svg[^>]* width="(\d+)"/.exec(svg)?.[1];
  const data = new TextEncoder().encode(svg).toBase64();
  return `<img src="data:image/svg+xml;base64,${data}" alt="${escapeHtml(title)}" width="${
    width ?? ""
  }">`;
}

// Text of the same size in all charts, however wide their legends are.
function sized(svg: string): string {
  const width = Number(/^<svg[^>]* width="([\d.]+)"/.exec(svg)?.[1] ?? 0);
  return svg.replace("<svg ", `<svg style="max-width:${Math.round(MOST_ENLARGED * width)}px" `);
}

// Each chart numbers its clips and gradients from one.
function ownIds(svg: string, id: string): string {
  return svg.replace(/ id="([^"]+)"/g, ` id="${id}-$1"`).replace(
    /url\(#([^)]+)\)/g,
    `url(#${id}-$1)`,
  );
}
