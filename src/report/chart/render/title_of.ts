import type { Drawn } from "./render_chart.ts";

/** The title of a chart in one line; its description if it has none. */
export function titleOf({ spec, description }: Drawn): string {
  const { title } = spec as { readonly title?: string | { readonly text?: unknown } };
  const text = typeof title === "object" && title !== null ? title.text : title;
  const lines = Array.isArray(text) ? text.join(" ") : text;
  return typeof lines === "string" ? lines : description;
}
