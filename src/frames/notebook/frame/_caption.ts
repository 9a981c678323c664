import type { FrameView } from "./_frame_view.ts";
import { baseProvenanceName } from "./_frame_view.ts";
import { countText } from "../../../base/wording/number_text.ts";

const ID_LENGTH = 8;

/** `60 rows × 13 columns`. */
export function shapeText(view: FrameView): string {
  const rows = countText(view.height, "row");
  return `${rows} × ${countText(view.width, "column")}`;
}

/** Line about the provenance of the rows and their hold-out; `null` if nothing applies to all rows. */
export function provenanceLine(view: FrameView): string | null {
  const parts = [
    factorPart(view),
    labelled(view, "status", ""),
    shortId(view, "snapshot_id", "set"),
    shortId(view, "download_sha256", "release"),
    labelled(view, "calculated_at", "published"),
    labelled(view, "last_checked_at", "checked"),
    labelled(view, "data_through", "data through"),
    sources(view),
    view.heldOut,
  ];
  return parts.filter((part) => part !== null).join(" · ") || null;
}

function factorPart(view: FrameView): string | null {
  const factor = constant(view, "factor");
  const version = constant(view, "factor_version");
  return factor !== null && version !== null ? `${factor} (${version})` : factor ?? version;
}

function labelled(view: FrameView, column: string, label: string): string | null {
  const value = constant(view, column);
  if (value === null) return null;
  return label === "" ? value : `${label} ${toMinute(value)}`;
}

/** Common value of all rows, in one column or in several equal ones: one per factor, or from a join. */
function constant(view: FrameView, column: string): string | null {
  const found = constantsOf(view, column);
  return new Set(found.map(([, text]) => text)).size === 1 ? found[0]![1] : null;
}

/** Sources by column if they differ, such as `ecpnd_source store`. */
function sources(view: FrameView): string | null {
  const found = constantsOf(view, "source");
  const isOne = new Set(found.map(([, text]) => text)).size <= 1;
  return isOne ? found[0]?.[1] ?? null : found.map((entry) => entry.join(" ")).join(" · ");
}

function constantsOf(view: FrameView, column: string): (readonly [string, string | null])[] {
  return [...view.constants].filter(([name]) => baseProvenanceName(name) === column)
    .map(([name, { text }]) => [name, text] as const);
}

/** `2026-11-20 14:57Z` of `2026-11-20 14:57:56.173Z`; the column holds the exact instant. */
function toMinute(instant: string): string {
  return instant.replace(/(\d{2}:\d{2}):\d{2}(\.\d+)?Z$/, "$1Z");
}

function shortId(view: FrameView, column: string, label: string): string | null {
  const value = constant(view, column);
  return value === null ? null : `${label} ${value.slice(0, ID_LENGTH)}…`;
}

/** Badge of a frame with synthetic rows, or `null` for real data. */
export function syntheticBadge(view: FrameView): string | null {
  if (view.synthetic === "none") return null;
  return view.synthetic === "all" ? "synthetic" : "partly synthetic";
}
