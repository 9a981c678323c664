import type { FrameView } from "./_frame_view.ts";

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
  const factor = view.constants.get("factor");
  const version = view.constants.get("factor_version");
  if (typeof factor !== "string") return version ?? null;
  return typeof version === "string" ? `${factor} (${version})` : factor;
}

function labelled(view: FrameView, column: string, label: string): string | null {
  const value = view.constants.get(column);
  if (typeof value !== "string") return null;
  return label === "" ? value : `${label} ${toMinute(value)}`;
}

/** `2026-11-20 14:57Z` of `2026-11-20 14:57:56.173Z`; the column holds the exact instant. */
function toMinute(instant: string): string {
  return instant.replace(/:\d{2}(\.\d+)?Z$/, "Z");
}

function shortId(view: FrameView, column: string, label: string): string | null {
  const value = view.constants.get(column);
  return typeof value === "string" ? `${label} ${value.slice(0, ID_LENGTH)}…` : null;
}

/** What the badge of a frame with synthetic rows says, or `null` for real data. */
export function syntheticBadge(view: FrameView): string | null {
  if (view.synthetic === "none") return null;
  return view.synthetic === "all" ? "synthetic" : "partly synthetic";
}

/** `7,512,003`: a comma between thousands, whatever the machine's locale is. */
export function groupThousands(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}
