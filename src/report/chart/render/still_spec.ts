import { ZOOM_WHEEL } from "../chart_config.ts";
import type { ChartSpec } from "../chart_spec.ts";

/**
 * Specification of a static picture, without tooltips, zooming or a description of each mark, which take a third of
 * the drawing time. Rows are copied, because Vega marks those that it reads.
 */
export function stillSpec(spec: ChartSpec): ChartSpec {
  // A zoom also clips marks beyond the stated ends of an axis.
  const still = stillPart(spec, statesEnds(spec)) as ChartSpec;
  return { ...still, config: { ...still["config"] as ChartSpec | undefined, aria: false } };
}

function stillPart(value: unknown, keepsZoom: boolean): unknown {
  if (Array.isArray(value)) return value.map((part) => stillPart(part, keepsZoom));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      if (ROWS.has(name)) return [[name, structuredClone(part)]];
      if (name === "encoding") return [[name, withoutTooltip(part)]];
      if (name !== "params" || keepsZoom || !Array.isArray(part)) {
        return [[name, stillPart(part, keepsZoom)]];
      }
      const others = part.filter((param) => !isZoom(param));
      return others.length === 0 ? [] : [[name, structuredClone(others)]];
    }),
  );
}

const ROWS = new Set(["data", "datasets"]);

function statesEnds(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(statesEnds);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, part]) => {
    if (ROWS.has(name)) return false;
    if (name !== "x" && name !== "y") return statesEnds(part);
    const { scale } = (part ?? {}) as { readonly scale?: { readonly domain?: unknown } | null };
    return scale?.domain !== undefined;
  });
}

function withoutTooltip(encoding: unknown): unknown {
  if (typeof encoding !== "object" || encoding === null) return encoding;
  const { tooltip: _, ...others } = encoding as ChartSpec;
  return structuredClone(others);
}

function isZoom(param: unknown): boolean {
  const { select } = param as { readonly select?: { readonly zoom?: unknown } };
  return select?.zoom === ZOOM_WHEEL;
}
