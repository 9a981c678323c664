import {
  between,
  checkOptions,
  objectLike,
  type OptionRules,
  ruleOf,
  severalOf,
  TEXT,
} from "../../base/arguments/check_options.ts";
import { CHART_CONFIG } from "./chart_config.ts";
import type { ChartSpec, VegaLayer } from "./chart_spec.ts";
import { type ChartLayout, footnoteView, layOutSpec } from "./lay_out_spec.ts";
import { mark } from "./mark.ts";
import { bucketColors, SERIES_COLORS } from "./palette.ts";

/** Changes of a chart. */
export interface ChartChanges {
  /** Title. */
  readonly title?: string;
  /** Lines below the title, one or several. */
  readonly subtitle?: string | readonly string[];
  /** Text before the origin of the numbers, which remains. */
  readonly footnote?: string;
  /** Colours of the series in their order; the first is that of the subject. */
  readonly colors?: readonly string[];
  /** Font of all text; pictures need its file, as `fontFiles` of `save()` and `toPng()`. */
  readonly font?: string;
  /** Height of the first picture in pixels. */
  readonly height?: number;
  /** Reference lines in the first picture. */
  readonly rules?: readonly {
    /** Value of the horizontal axis; a date as YYYY-MM-DD. */
    readonly x?: number | string;
    /** Value of the vertical axis. */
    readonly y?: number;
    /** Text beside the line. @default none */
    readonly label?: string;
  }[];
  /** A layer of Vega-Lite, or several, over the first picture. */
  readonly layer?: VegaLayer | readonly VegaLayer[];
}

const ACTION = "change a chart";
const RULES: OptionRules<ChartChanges> = {
  title: { ...TEXT, example: '"IC of my factor"' },
  subtitle: ruleOf("a text or several", (value) => [value].flat().every(TEXT.accepts)),
  footnote: TEXT,
  colors: severalOf('an array of colours, such as ["#204080"]', TEXT.accepts),
  font: TEXT,
  height: between(20, 5000, "pixels"),
  rules: ruleOf('an array of lines, such as [{ y: 0, label: "zero" }]', Array.isArray),
  layer: objectLike(),
};
const PLACES = ["color", "fill", "stroke", "value", "range"];

/**
 * Makes a chart with other texts, colours or lines. It still states the origin of its numbers and marks synthetic ones; the description is updated.
 *
 * @throws {TypeError} If a change is unknown or of another kind
 */
export function changeChart(
  chart: { readonly spec: ChartSpec; readonly description: string },
  layout: ChartLayout | undefined,
  changes: ChartChanges,
) {
  checkOptions(ACTION, changes, RULES);
  const laid = layout === undefined ? ownWords(chart, changes) : newWords(layout, changes);
  const { spec, description } = laid;
  const { colors = layout?.colors, font = layout?.font } = changes;
  const painted = (colors === undefined ? spec : recolor(spec, colors)) as ChartSpec;
  const written = font === undefined
    ? painted
    : { ...painted, config: { ...(painted["config"] as ChartSpec | undefined), font } };
  const kept = laid.layout === undefined ? undefined : { ...laid.layout, colors, font };
  return { description, layout: kept, spec: { ...written, description } };
}

function newWords(layout: ChartLayout, changes: ChartChanges) {
  const { title = layout.title, subtitle, footnote } = changes;
  const lines = subtitle === undefined ? null : [subtitle].flat();
  const more = `${lines === null ? "" : ` ${lines.join(". ")}.`}${rulesText(changes)}`;
  const [first, ...others] = layout.views;
  const changed: ChartLayout = {
    ...layout,
    title,
    subtitle: lines === null ? layout.subtitle : () => lines,
    footnote: [footnote, layout.footnote].filter((text) => text).join(". "),
    describe: (...head) => `${layout.describe(...head)}${more}`,
    views: first === undefined ? [] : [changeView(first, changes), ...others],
  };
  return { ...layOutSpec(changed), layout: changed };
}

/** The same for a specification by the user, whose origin is unknown. */
function ownWords(
  { spec, description }: { readonly spec: ChartSpec; readonly description: string },
  changes: ChartChanges,
) {
  const { title, subtitle, footnote } = changes;
  const known = spec["title"];
  const own = typeof known === "object" && known !== null
    ? known as ChartSpec
    : { text: known ?? "" };
  const words = {
    ...own,
    ...title !== undefined && { text: title },
    ...subtitle !== undefined && { subtitle },
  };
  const texts = [description, subtitle ?? [], footnote ?? []].flat();
  const said = `${title === undefined ? "" : `${title}: `}${texts.join(" ")}${rulesText(changes)}`;
  const isNamed = title !== undefined || subtitle !== undefined;
  const view = { ...changeView(spec, changes), ...isNamed && { title: words } };
  if (footnote === undefined) return { spec: view, description: said, layout: undefined };
  const { $schema, title: heading, config, datasets, ...inner } = view as ChartSpec;
  const outer = Object.entries({ $schema, title: heading, config, datasets })
    .filter(([, value]) => value !== undefined);
  const spec2 = { ...Object.fromEntries(outer), vconcat: [inner, footnoteView([footnote])] };
  return { spec: spec2, description: said, layout: undefined };
}

function rulesText({ rules = [] }: ChartChanges): string {
  const said = rules.map(({ x, y, label }) =>
    `${label === undefined ? "a line" : label} at ${x === undefined ? y : x}`
  );
  return said.length === 0 ? "" : ` Lines: ${said.join(", ")}.`;
}

const LAYER_KEYS = ["mark", "encoding", "transform", "params", "projection"];

/** A picture with another height, and lines and layers over it. */
function changeView(view: ChartSpec, changes: ChartChanges): ChartSpec {
  const { height, rules = [], layer = [] } = changes;
  const inner = ["vconcat", "hconcat", "concat"].find((name) => name in view);
  if (inner !== undefined) {
    const [first, ...others] = view[inner] as readonly ChartSpec[];
    return first === undefined
      ? view
      : { ...view, [inner]: [changeView(first, changes), ...others] };
  }
  const sized = height === undefined ? view : { ...view, height };
  const added = [
    ...rules.flatMap(referenceLine),
    ...[layer].flat() as readonly unknown[] as readonly ChartSpec[],
  ];
  if (added.length === 0) return sized;
  if ("layer" in sized) {
    return { ...sized, layer: [...sized["layer"] as readonly ChartSpec[], ...added] };
  }
  const [own, rest] = [true, false].map((isOwn) =>
    Object.fromEntries(Object.entries(sized).filter(([key]) => LAYER_KEYS.includes(key) === isOwn))
  );
  return { ...rest, layer: [own, ...added] };
}

/** A dashed line at a value of one axis, and the label beside it, if it has one. */
function referenceLine({ x, y, label }: NonNullable<ChartChanges["rules"]>[number]) {
  const type = typeof x === "string" ? "temporal" : "quantitative";
  const [axis, place] = x === undefined
    ? ["y", { dy: -6, x: 4 }] as const
    : ["x", { dx: 4, y: 6 }] as const;
  const at = { rows: [{ at: x ?? y, label: label ?? "" }], [axis]: { field: "at", type } };
  const line = mark("rule", { ...at, strokeDash: [4, 3] });
  const look = { fontSize: 10, align: "left", ...place };
  return label === undefined
    ? [line]
    : [line, mark("text", { ...look, ...at, text: { field: "label" } })];
}

/** The theme beneath a specification's own settings. */
export function withTheme(spec: ChartSpec): ChartSpec {
  return { ...spec, config: merged(CHART_CONFIG, (spec["config"] ?? {}) as ChartSpec) };
}

/** A specification whose empty ground also takes the pointer, so that it zooms and moves between its marks. */
export function withPointer(spec: ChartSpec): ChartSpec {
  const config = (spec["config"] ?? {}) as ChartSpec;
  const view = (config["view"] ?? {}) as ChartSpec;
  return { ...spec, config: { ...config, view: { ...view, fill: view["fill"] ?? "transparent" } } };
}

function merged(theme: ChartSpec, own: ChartSpec): ChartSpec {
  const isGroup = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  return {
    ...theme,
    ...Object.fromEntries(
      Object.entries(own).map(([name, value]) => [
        name,
        isGroup(value) && isGroup(theme[name])
          ? merged(theme[name] as ChartSpec, value as ChartSpec)
          : value,
      ]),
    ),
  };
}

/** A part of a specification whose series have other colours; a ramp of quantiles goes from the second of them to the first. */
function recolor(value: unknown, colors: readonly string[], isColor = false): unknown {
  if (typeof value === "string") {
    const place = (SERIES_COLORS as readonly string[]).indexOf(value);
    return isColor ? colors[place] ?? value : value;
  }
  if (Array.isArray(value)) {
    const { length } = value;
    const isRamp = isColor && length > 2 &&
      JSON.stringify(value) === JSON.stringify(bucketColors(length));
    const [main, other = main] = colors;
    return isRamp
      ? bucketColors(length, { main: main!, other: other! })
      : value.map((one) => recolor(one, colors, isColor));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      name === "values" || name === "datasets" ? one : recolor(one, colors, PLACES.includes(name)),
    ]),
  );
}
