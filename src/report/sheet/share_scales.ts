import { Chart } from "../chart/chart.ts";
import type { ChartSpec, VegaSpec } from "../chart/chart_spec.ts";
import type { Row } from "../chart/grammar/values.ts";

const CHANNELS = ["x", "y"] as const;

type Channel = typeof CHANNELS[number];
type Domain = readonly [low: number, high: number];

/**
 * Charts of the same kind with common axes of amounts and of time: each axis covers the values of all that have it. Panels of only one
 * chart stay as they are.
 */
export function shareScales(charts: readonly Chart[]): readonly Chart[] {
  const found = charts.map(({ spec }) => domainsOf(spec));
  const keys = new Set(found.flatMap((domains) => [...domains.keys()]));
  const shared = new Map<string, Domain>();
  for (const key of keys) {
    const own = found.flatMap((domains) => domains.has(key) ? [domains.get(key)!] : []);
    if (own.length > 1) shared.set(key, extentOf(own.flat()));
  }
  return charts.map((chart) => withDomains(chart, shared));
}

interface Place {
  /** Path of the panel in the chart, by name or index. */
  readonly path: string;
  /** Rows for a panel without its own. */
  readonly rows: readonly Row[];
  readonly datasets: Readonly<Record<string, readonly Row[]>>;
}

/** The panels of a chart share their axis of time; an axis of amounts is that of its panel. */
function keyOf(path: string, channel: string, encoding: ChartSpec | undefined): string {
  return encoding?.["type"] === "temporal" ? `time ${channel}` : `${path} ${channel}`;
}

function withDomains(chart: Chart, shared: ReadonlyMap<string, Domain>): Chart {
  const spec = mapPictures(chart.spec, { path: "", rows: [], datasets: {} }, (unit, { path }) => ({
    ...unit,
    encoding: Object.fromEntries(
      Object.entries(unit["encoding"] as Record<string, ChartSpec>).map(([name, encoding]) => {
        const domain = shared.get(keyOf(path, name, encoding));
        return domain === undefined || scaleOf(encoding) === null
          ? [name, encoding]
          : [name, { ...encoding, scale: { ...encoding["scale"] as ChartSpec, domain } }];
      }),
    ),
  }));
  return new Chart(spec as unknown as VegaSpec, chart);
}

function domainsOf(spec: ChartSpec): ReadonlyMap<string, Domain> {
  const found = new Map<string, Domain>();
  const fixed = new Set<string>();
  const datasets = (spec["datasets"] ?? {}) as Place["datasets"];
  mapPictures(spec, { path: "", rows: [], datasets }, (unit, { path, rows }) => {
    for (const channel of CHANNELS) {
      const key = keyOf(path, channel, (unit["encoding"] as Record<string, ChartSpec>)[channel]);
      if (hasOwnEnds(unit, channel)) fixed.add(key);
      const values = valuesOf(unit, channel, rows);
      const known = found.get(key) ?? [];
      if (values.length > 0) found.set(key, extentOf([...known, ...values]));
    }
    return unit;
  });
  // Layers share an axis, so the limits that one of them sets hold for all.
  for (const key of fixed) found.delete(key);
  return found;
}

/** Changes each panel that has marks; layers have the path of their panel. */
function mapPictures(
  node: ChartSpec,
  place: Place,
  change: (unit: ChartSpec, place: Place) => ChartSpec,
): ChartSpec {
  const here = { ...place, rows: rowsOf(node, place) };
  const changed = Object.fromEntries(
    ["vconcat", "hconcat", "layer"].filter((kind) => kind in node).map((kind) => [
      kind,
      (node[kind] as readonly ChartSpec[]).map((child, i) => {
        const path = kind === "layer" ? here.path : `${here.path}/${child["name"] ?? i}`;
        return mapPictures(child, { ...here, path }, change);
      }),
    ]),
  );
  const whole = { ...node, ...changed };
  return "encoding" in whole ? change(whole, here) : whole;
}

function rowsOf({ data }: ChartSpec, { rows, datasets }: Place): readonly Row[] {
  const { values, name } = (data ?? {}) as { values?: readonly Row[]; name?: string };
  return values ?? (name === undefined ? rows : datasets[name] ?? []);
}

function hasOwnEnds({ encoding }: ChartSpec, channel: Channel): boolean {
  const { scale = {}, type } = (encoding as Record<string, ChartSpec>)[channel] ?? {};
  return type !== "temporal" &&
    ["domain", "domainMin", "domainMax"].some((name) => name in (scale as ChartSpec));
}

/** Scale of an axis of amounts or of time, empty if none is set; `null` for any other axis. */
function scaleOf(encoding: ChartSpec | undefined): ChartSpec | null {
  const isScaled = ["quantitative", "temporal"].includes(String(encoding?.["type"]));
  if (encoding === undefined || !isScaled || encoding["bin"] !== undefined) return null;
  return (encoding["scale"] ?? {}) as ChartSpec;
}

function valuesOf(unit: ChartSpec, channel: Channel, rows: readonly Row[]): readonly number[] {
  const encoding = unit["encoding"] as Record<string, ChartSpec | undefined>;
  const scale = scaleOf(encoding[channel]);
  if (scale === null) return [];
  const fields = [encoding[channel], encoding[`${channel}2`]]
    .flatMap((one) => one === undefined ? [] : readFields(String(one["field"]), unit));
  const values = isStacked(unit)
    ? stacked(rows, fields[0]!, String(encoding[channel === "y" ? "x" : "y"]?.["field"]))
    : rows.flatMap((row) => fields.map((field) => row[field]));
  if (encoding[channel]!["type"] === "temporal") {
    return values.map((value) => Date.parse(String(value))).filter((time) => !Number.isNaN(time));
  }
  const known = values.filter((value) => typeof value === "number");
  return known.length > 0 && scale["zero"] === true ? [...known, 0] : known;
}

/** Columns from which a transformation folds a field. */
function readFields(field: string, { transform = [] }: ChartSpec): readonly string[] {
  const fold = (transform as readonly ChartSpec[]).find((one) =>
    (one["as"] as readonly string[] | undefined)?.[1] === field && "fold" in one
  );
  return fold === undefined ? [field] : fold["fold"] as readonly string[];
}

// Marks that Vega-Lite stacks: areas and bars of several colours.
function isStacked({ mark, encoding }: ChartSpec): boolean {
  const type = typeof mark === "string" ? mark : (mark as ChartSpec | undefined)?.["type"];
  const { color, y2 } = encoding as Record<string, ChartSpec | undefined>;
  return (type === "area" || type === "bar") && color?.["field"] !== undefined && y2 === undefined;
}

// Positive values are stacked upwards, negative ones downwards.
function stacked(rows: readonly Row[], field: string, by: string): readonly number[] {
  const ends = new Map<unknown, readonly [bottom: number, top: number]>();
  for (const row of rows) {
    const value = Number(row[field] ?? 0);
    const [bottom, top] = ends.get(row[by]) ?? [0, 0];
    ends.set(row[by], [bottom + Math.min(0, value), top + Math.max(0, value)]);
  }
  return [...ends.values()].flat();
}

function extentOf(values: readonly number[]): Domain {
  return [
    values.reduce((a, b) => Math.min(a, b)),
    values.reduce((a, b) => Math.max(a, b)),
  ];
}
