import { visibleText } from "../../base/wording/visible_text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// Notebooks break the words of a <pre> anywhere.
const STYLE = "margin:0;padding:0;white-space:pre-wrap;word-break:normal;overflow-wrap:anywhere";

/** Escapes text for HTML content and quoted attributes; VS Code renders a kernel's HTML unsanitised. */
export function escapeHtml(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => ENTITIES[character]!);
}

/** Preformatted text for a notebook, with line breaks between words only. */
export function preHtml(text: string): string {
  return `<pre style="${STYLE}">${escapeHtml(text)}</pre>`;
}

/**
 * A region with its own scroll bar that the keyboard reaches.
 *
 * A front end cuts off content wider than its output, and text beside a wide table. Styles are inline, because GitHub's viewer
 * removes style elements.
 *
 * @param label Its name for assistive technology
 * @param content Trusted HTML
 */
export function scrollHtml(label: string, content: string): string {
  return '<div role="group" tabindex="0" style="overflow-x:auto;max-width:100%;contain:inline-size" ' +
    `aria-label="${escapeHtml(label)}">${content}</div>`;
}
