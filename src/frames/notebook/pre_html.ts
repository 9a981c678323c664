import { escapeHtml } from "./escape_html.ts";

// Notebooks break the words of a <pre> anywhere.
const STYLE = "margin:0;padding:0;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere";

/** Preformatted text for a notebook, with line breaks between words only. */
export function preHtml(text: string): string {
  return `<pre style="${STYLE}">${escapeHtml(text)}</pre>`;
}
