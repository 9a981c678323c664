import { Chart } from "../../chart.ts";
import { periodText } from "../../../../base/wording/period_text.ts";
import type { ChartSpec } from "../../chart_spec.ts";
import { type ChartLayout, keepLayout, layOutSpec, wrapSubtitle } from "../../lay_out_spec.ts";

const LINE_PX = 15;

/** Title, sample and origin of a chart, independent of its finding. */
export interface ChartSubject {
  /** The user's own title; `undefined` for the finding. */
  readonly title: string | undefined;
  /** Name of the chart. */
  readonly about: string;
  /** Observations and period. */
  readonly sample: string;
  /** Origin of the numbers. */
  readonly footnote: string;
  /** Share of the rows that are synthetic, which every chart states. @default none */
  readonly synthetic?: ChartLayout["synthetic"];
  readonly widthPx: number;
  /** Name of a period of the prices: session, month. @default "session" */
  readonly unit?: string;
  /** Reason that there is no IC, which comes before any other for an empty picture. @default none */
  readonly whyNoIc?: string | undefined;
}

/** Finding of a chart, and its pictures. */
export interface ChartFinding extends Partial<Pick<ChartLayout, "sharesTime" | "datasets">> {
  /** The title: a sentence without a full stop. */
  readonly finding: string;
  /** Further lines beneath the title. @default none */
  readonly subtitle?: readonly string[];
  /** Further sentences of the description. @default none */
  readonly details?: string;
  /** Caveat about the numbers, beside their origin. @default none */
  readonly caution?: string;
  readonly views: readonly ChartSpec[];
}

/** Lays out a chart whose title is its finding, with the name of the chart beneath. A title given by the user replaces the finding. */
export function layOutFinding(subject: ChartSubject, found: ChartFinding): Chart {
  const { title, synthetic, widthPx, unit = "session", ...words } = subject;
  const { finding, details, caution, subtitle = [], ...pictures } = inPeriods(found, unit);
  const { about, sample, footnote } = inPeriods(words, unit);
  const beneath = title === undefined ? [] : [finding];
  const named = (own: string) => own === "" ? about : `${about}: ${own}`;
  const stopped = (text: string) => text.endsWith(".") ? text : `${text}.`;
  return layOutChart({
    title: title ?? finding,
    sample,
    subtitle: (own) => [...beneath, named(own), ...subtitle],
    footnote: [footnote, caution].filter((text) => text).join(". "),
    synthetic,
    describe: (head, own) => {
      const sentences = [named(own), ...beneath, details].filter((text) => text).map((text) =>
        stopped(text!)
      );
      return [...head === null ? [] : [`${head}.`], ...sentences].join(" ");
    },
    widthPx,
    ...pictures,
  });
}

const TEXTS = ["finding", "details", "caution", "about", "sample", "footnote"]
  .concat("title", "subtitle", "text");
const COUNT = /\d sessions?\b/;

/** The library's own words in the periods of the prices, and values that count sessions; a column keeps its name. */
export function inPeriods<Part>(value: Part, unit: string, isText = false): Part {
  if (unit === "session") return value;
  if (typeof value === "string") {
    return (isText || COUNT.test(value) ? periodText(value, unit) : value) as Part;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((entry) => inPeriods(entry, unit, isText)) as Part;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, inPeriods(entry, unit, TEXTS.includes(key))]),
  ) as Part;
}

/** Lays out a chart that says only that there is nothing to draw, and why: in its title, or beneath that of the user. */
export function layOutNothing(subject: ChartSubject, otherwise: string): Chart {
  const reason = subject.whyNoIc ?? otherwise;
  return layOutFinding(subject, {
    finding: `Nothing to draw: ${reason}`,
    views: [nothingView("", subject.widthPx)],
  });
}

/** Lays out a chart and keeps its parts, for narrower drawings. */
export function layOutChart(layout: ChartLayout): Chart {
  const { spec, description } = layOutSpec(layout);
  return keepLayout(new Chart(spec, { description }), layout);
}

/** View that replaces empty axes by a note that there is nothing to draw, and why if no title says it. */
export function nothingView(reason: string, widthPx: number): ChartSpec {
  const note = reason === "" ? "Nothing to draw" : `Nothing to draw: ${reason}`;
  const text = wrapSubtitle(note, 0.9 * widthPx);
  const look = { fontSize: 12, lineHeight: LINE_PX, align: "left", x: 0 };
  return {
    width: widthPx,
    height: 15 + LINE_PX * text.length,
    data: { values: [{}] },
    mark: { type: "text", text: text.length === 1 ? text[0]! : text, ...look },
  };
}
