import { escapeHtml } from "./escape_html.ts";

// Notebooks break the words of a <pre> anywhere.
const STYLE = "margin:0;padding:0;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere";

/** Text as a notebook shows it with its lines and spaces, broken between words and not inside of them. */
export function preHtml(text: string): string {
  return `<pre style="${STYLE}">${escapeHtml(text)}</pre>`;
}
