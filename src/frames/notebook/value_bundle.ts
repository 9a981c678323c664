import { inspect } from "node:util";
import { type MimeBundle, ownDisplay } from "./display.ts";
import { escapeHtml, preHtml } from "./html.ts";
import { withOneScript } from "./frame/table_script.ts";
import { frameBundle, type FrameBundleOptions } from "./frame/frame_bundle.ts";
import { metadataOf } from "./mime_bundle.ts";
import { type FrameLike, isFrame, isLazyFrame } from "./frame/frame_like.ts";

const LAZY = "A lazy frame; await frame.collect() returns its rows";
// More frames are better shown in a loop.
const MAX_PARTS = 20;

/**
 * Display of a frame, a Series, a lazy frame, a value with its own display, or an array, a Map or a plain object of these;
 * `null` for any other value.
 */
export async function valueBundle(
  value: unknown,
  options: FrameBundleOptions = {},
): Promise<MimeBundle | null> {
  if (isFrame(value)) return frameBundle(value, options);
  if (isLazyFrame(value)) return { "text/plain": LAZY };
  const series = frameOfSeries(value);
  if (series !== null) return frameBundle(series, options);
  const own = ownDisplay(value);
  if (own !== undefined) return await own();
  const parts = partsOf(value);
  const isShowable = (part: unknown) =>
    isFrame(part) || isLazyFrame(part) || frameOfSeries(part) !== null ||
    ownDisplay(part) !== undefined;
  return parts.some(([, part]) => isShowable(part)) ? await partsBundle(parts, options) : null;
}

/** Display of a value as text. */
export function textBundle(value: unknown): MimeBundle {
  const text = terminalText(value);
  return { "text/html": preHtml(text), "text/plain": text };
}

/** Text of a value as in a terminal, never empty and without colours. */
export function terminalText(value: unknown): string {
  if (typeof value === "string") return value;
  return inspect(value, { colors: false, depth: 6, maxArrayLength: 100, maxStringLength: 10_000 });
}

function frameOfSeries(value: unknown): FrameLike | null {
  if (typeof value !== "object" || value === null) return null;
  const { toFrame, dtype } = value as { toFrame?: () => FrameLike; dtype?: unknown };
  return typeof toFrame === "function" && dtype !== undefined ? toFrame.call(value) : null;
}

function partsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((part, i) => [String(i), part]);
  if (value instanceof Map) return [...value].map(([key, part]) => [String(key), part]);
  if (typeof value !== "object" || value === null) return [];
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? Object.entries(value) : [];
}

async function partsBundle(
  parts: readonly (readonly [string, unknown])[],
  extent: FrameBundleOptions,
): Promise<MimeBundle> {
  const count = Math.min(parts.length, MAX_PARTS);
  const options = { ...extent, tables: (extent.tables ?? 1) * count };
  const shown: string[] = [];
  const texts: string[] = [];
  for (const [label, part] of parts.slice(0, MAX_PARTS)) {
    const bundle = await valueBundle(part, options) ?? textBundle(part);
    shown.push(`<div><small><strong>${escapeHtml(label)}</strong></small></div>${htmlOf(bundle)}`);
    texts.push(`${label}:\n${String(bundle["text/plain"])}`);
  }
  const rest = parts.length - MAX_PARTS;
  if (rest > 0) {
    shown.push(`<div><small>… ${rest} more</small></div>`);
    texts.push(`… ${rest} more`);
  }
  return { "text/html": withOneScript(shown.join("\n")), "text/plain": texts.join("\n\n") };
}

function htmlOf(bundle: MimeBundle): string {
  const { "text/html": html, "image/png": png, "text/plain": text } = bundle;
  if (typeof html === "string") return html;
  if (typeof png === "string") {
    const size = metadataOf(bundle)["image/png"] as { readonly width?: number } | undefined;
    const width = size?.width === undefined ? "" : ` width="${size.width}"`;
    return `<img alt="${escapeHtml(String(text))}"${width} src="data:image/png;base64,${png}">`;
  }
  return preHtml(String(text ?? ""));
}

/** Display of an error: its name and its message. */
export function errorBundle(error: unknown): MimeBundle {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { "text/html": preHtml(text), "text/plain": text };
}
