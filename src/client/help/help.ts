import { nearestName } from "../../arguments/nearest_name.ts";
import { DISPLAY, display, type MimeBundle } from "../../notebook/display.ts";
import { escapeHtml } from "../../notebook/escape_html.ts";
import entries from "./entries.json" with { type: "json" };
import type { HelpEntry } from "./help_entry.ts";

// A line of the list is read at a glance.
const MAX_LENGTH = 100;
const ENTRIES: readonly HelpEntry[] = entries;

/** The documentation of a verb or a function, or the list of them. A notebook and a terminal show it. */
export class Help {
  /** What is shown: one entry in full, or all with their first sentence. */
  readonly entries: readonly HelpEntry[];

  /**
   * Looks up the documentation.
   *
   * @param name A verb such as `panel`, or a function such as `show`; without it the list
   * @throws {RangeError} If there is neither such a verb nor such a function
   */
  constructor(name?: string) {
    this.entries = name === undefined ? ENTRIES : [find(name)];
  }

  /** The documentation as text. */
  toString(): string {
    const [only, ...others] = this.entries;
    return only !== undefined && others.length === 0 ? entryText(only) : listText(this.entries);
  }

  /** What a terminal shows. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  /** What a notebook shows. */
  [DISPLAY](): Promise<MimeBundle> {
    const [only, ...others] = this.entries;
    const html = only !== undefined && others.length === 0
      ? entryHtml(only)
      : `<pre>${escapeHtml(this.toString())}</pre>`;
    return display({ "text/html": html, "text/plain": this.toString() });
  }
}

function find(name: string): HelpEntry {
  const wanted = name.replace(/^api\./, "").replace(/\(.*$/, "");
  const shortName = (entry: HelpEntry) => entry.name.replace(/^api\./, "");
  const found = ENTRIES.find((entry) => shortName(entry) === wanted);
  if (found !== undefined) return found;
  const near = nearestName(wanted, ENTRIES.map(shortName));
  const hint = near === null ? "" : ` (did you mean "${near}"?)`;
  throw new RangeError(
    `Cannot show help: expected a verb or a function, got "${name}"${hint}; help() lists all`,
  );
}

function listText(entries: readonly HelpEntry[]): string {
  const width = Math.max(...entries.map(({ call }) => call.length));
  return entries.map(({ call, text }) => `${call.padEnd(width)}  ${firstSentence(text)}`).join(
    "\n",
  );
}

function firstSentence(text: string): string {
  const sentence = /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
  return sentence.length > MAX_LENGTH ? `${sentence.slice(0, MAX_LENGTH - 1)}…` : sentence;
}

function entryText({ call, text, options, returns, throws, example }: HelpEntry): string {
  const described = options.map((option) =>
    [
      `  ${option.name}: ${option.type}`,
      ...(option.text === "" ? [] : [`      ${option.text}`]),
      ...(option.default === null ? [] : [`      default: ${option.default}`]),
    ].join("\n")
  );
  return [
    call,
    text,
    ...(described.length === 0 ? [] : [`Options\n${described.join("\n")}`]),
    ...(returns === null ? [] : [`Gives ${lowerFirst(returns)}`]),
    ...(throws.length === 0 ? [] : [`Throws\n${throws.map((line) => `  ${line}`).join("\n")}`]),
    ...(example === null ? [] : [`Example\n${example.replace(/^/gm, "  ")}`]),
  ].join("\n\n");
}

const LEFT = "text-align:left;vertical-align:top";

function entryHtml({ call, text, options, returns, throws, example }: HelpEntry): string {
  const rows = options.map((option) => {
    const cells = [
      `<code>${escapeHtml(option.name)}</code>`,
      `<code>${escapeHtml(option.type)}</code>`,
      escapeHtml(option.text),
      escapeHtml(option.default ?? ""),
    ];
    return `<tr>${cells.map((cell) => `<td style="${LEFT}">${cell}</td>`).join("")}</tr>`;
  });
  const head = ["option", "type", "meaning", "default"]
    .map((title) => `<th style="${LEFT}">${title}</th>`).join("");
  const list = (lines: readonly string[]) =>
    `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;
  return [
    `<div><strong><code>${escapeHtml(call)}</code></strong></div>`,
    ...text.split("\n\n").map((part) => `<p>${escapeHtml(part)}</p>`),
    ...(rows.length === 0
      ? []
      : [`<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`]),
    ...(returns === null ? [] : [`<p>Gives ${escapeHtml(lowerFirst(returns))}</p>`]),
    ...(throws.length === 0 ? [] : [`<p>Throws</p>${list(throws)}`]),
    ...(example === null ? [] : [`<pre>${escapeHtml(example)}</pre>`]),
  ].join("\n");
}

function lowerFirst(text: string): string {
  return text.replace(/^(The|A|An)\b/, (article) => article.toLowerCase());
}
