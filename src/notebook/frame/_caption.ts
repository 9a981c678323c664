import { groupThousands } from "../group_thousands.ts";
import type { FrameView } from "./_frame_view.ts";
import { baseProvenanceName } from "./_provenance_base.ts";

const ID_LENGTH = 8;

/** `60 rows × 13 columns`. */
export function shapeText(view: FrameView): string {
  const rows = `${groupThousands(view.height)} ${view.height === 1 ? "row" : "rows"}`;
  return `${rows} × ${view.width} ${view.width === 1 ? "column" : "columns"}`;
}

/** One line that says where the rows come from, or `null` if no column says it for all of them. */
export function provenanceLine(view: FrameView): string | null {
  const parts = [
    factorPart(view),
    labelled(view, "status", ""),
    shortId(view, "snapshot_id", "set"),
    shortId(view, "download_sha256", "release"),
    labelled(view, "calculated_at", "published"),
    labelled(view, "last_checked_at", "checked"),
    labelled(view, "data_through", "data through"),
    labelled(view, "source", ""),
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

/** What all rows have in common: also where each factor, or each side of a join, has a column that says the same. */
function constant(view: FrameView, column: string): string | null {
  const texts = [...view.constants].filter(([name]) => baseProvenanceName(name) === column)
    .map(([, cell]) => cell.text);
  return new Set(texts).size === 1 ? texts[0]! : null;
}

/** `2026-11-20 14:57Z` of `2026-11-20 14:57:56.173Z`; the column holds the exact instant. */
function toMinute(instant: string): string {
  return instant.replace(/:\d{2}(\.\d+)?Z$/, "Z");
}

function shortId(view: FrameView, column: string, label: string): string | null {
  const value = constant(view, column);
  return value === null ? null : `${label} ${value.slice(0, ID_LENGTH)}…`;
}

/** What the badge of a frame with synthetic rows says, or `null` for real data. */
export function syntheticBadge(view: FrameView): string | null {
  if (view.synthetic === "none") return null;
  return view.synthetic === "all" ? "synthetic" : "partly synthetic";
}
