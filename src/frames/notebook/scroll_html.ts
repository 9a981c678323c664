import { escapeHtml } from "./escape_html.ts";

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
