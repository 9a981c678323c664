import { escapeHtml } from "../../notebook/escape_html.ts";

/** A paragraph of HTML for each line. */
export function paragraphsHtml(text: string): string {
  return text.split("\n").map((line) => `<p>${escapeHtml(line)}</p>`).join("\n");
}
