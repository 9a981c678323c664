import type { MimeBundle } from "./display.ts";
import { escapeHtml } from "./escape_html.ts";

// Notebooks break the words of a <pre> anywhere.
const STYLE = "white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere";

/** What a display shows of an error: its name and its message, which carries everything. */
export function errorBundle(error: unknown): MimeBundle {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return {
    "text/html": `<pre style="${STYLE}">${escapeHtml(text)}</pre>`,
    "text/plain": text,
  };
}
