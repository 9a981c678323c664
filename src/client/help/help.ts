import { nearestName } from "../../base/arguments/nearest_name.ts";
import { describe } from "../../base/contract/violation.ts";
import { DISPLAY, display, type MimeBundle } from "../../frames/notebook/display.ts";
import { escapeHtml } from "../../frames/notebook/html.ts";
import { isAdopted } from "../../frames/notebook/kernel/kernel.ts";
import entries from "./entries.json" with { type: "json" };

/**
 * A name, a function, a class, or a result.
 *
 * @internal
 */
export type HelpTopic = string | ((...given: never[]) => unknown) | object;

// Longest line of the list.
const MAX_LENGTH = 100;

/** Calls for each purpose, in the order of a first day. */
const SCREEN =
  `load    const api = await connect();              // a key in SCOREFRAME_API_KEY; without one: await demo()
        const scores = await api.history("ecpnd"); // the release; the latest set: await api.scores("ecpnd")
        await api.panel("ecpnd", { sessions: { from: "2026-06-01", to: "2026-11-18" } }); // sets as they were known
keep    const study = await openStudy("./momentum"); // the same verbs; pinned, and offline after the first run
prices  const prices = await readPrices("closes.csv"); // a CSV or Parquet of yours
judge   const analysis = await analyzeFactor(scores, prices);
        judgement(analysis)                       // what it says; the numbers: judgement(analysis).facts
        await tearSheet(analysis).save("sheet.html");
relate  compareSheets([analysis, other])          // two factors, paired; also factorCorrelation, doubleSort, neutralize
        asOf(scores, trades)                      // to rows of yours, as it was known; plot(frame, { x, y }) draws any
serve   deno task scoreframe serve WORLD          // the whole API over a folder, offline
cost    await api.plan({ verb: "history", factor: "ecpnd" }); // before it is spent; what is left: api.allowance()
stuck   help("analyzeFactor")                     // options, columns, errors and an example; help("all") lists all
        deno task scoreframe doctor               // key, clock, store, kernel`;
const ENTRIES = entries as readonly HelpEntry[];

/**
 * Documentation of a verb, a function or a result of any entry point, one screen for a first day, or the list of all. Displays itself in
 * a notebook and a terminal.
 */
export class Help {
  /** Entries: those of one name in full, or all methods and functions with their first sentence. */
  readonly entries: readonly HelpEntry[];
  readonly #text: string | null;

  /**
   * Looks up the documentation.
   *
   * @param topic A verb such as `panel`, a function such as `tearSheet` (or its name), or a result such as
   *   `FactorAnalysis`; "all" for the list, without one the screen
   * @throws {TypeError} If it is neither a name nor a function
   * @throws {RangeError} If no entry has that name
   * @ignore
   */
  constructor(topic?: HelpTopic) {
    const isAll = topic === undefined || topic === "all";
    this.entries = isAll ? ENTRIES.filter(({ kind }) => kind !== "result") : find(nameOf(topic));
    this.#text = topic === undefined ? SCREEN : isAll ? listText(this.entries) : null;
  }

  /** The documentation as text. */
  toString(): string {
    return this.#text ?? this.entries.map(entryText).join("\n\n\n");
  }

  /** Display in a terminal. */
  [Symbol.for("Deno.customInspect")](): string {
    return this.toString();
  }

  /** Display in a notebook. */
  [DISPLAY](): Promise<MimeBundle> {
    const html = this.#text !== null
      ? `<pre>${escapeHtml(this.toString())}</pre>`
      : this.entries.map(entryHtml).join("\n<hr>\n");
    return display({ "text/html": html, "text/plain": this.toString() });
  }
}

/**
 * Shows the documentation of a function: `help(analyzeFactor)`, `help("tearSheet")`, and `help("FactorAnalysis")` for a result.
 * `help()` is one screen: load, keep, prices, judge, relate, serve, cost, stuck; `help("all")` lists all methods and functions. The Deno
 * kernel shows none on Shift-Tab; there `help` needs no import of its own.
 *
 * @param topic A function or a class, or the name of one or of a verb; "all" for the list, without one the screen
 * @returns The documentation, which displays itself in a notebook and a terminal
 * @throws {TypeError} If it is neither a name nor a function
 * @throws {RangeError} If no entry has that name; the message suggests the nearest
 * @example
 * ```ts
 * import { help } from "scoreframe";
 * import { analyzeFactor } from "scoreframe/analysis";
 * import assert from "node:assert/strict";
 *
 * assert.match(String(help(analyzeFactor)), /quantiles/);
 * assert.match(String(help("tearSheet")), /scoreframe\/sheet/);
 * ```
 */
export function help(topic?: HelpTopic): Help {
  return new Help(topic);
}

// A cell of a notebook may type it at once; a name of the user's own is kept.
if (isAdopted() && !("help" in globalThis)) {
  const property = { value: help, writable: true, configurable: true };
  Object.defineProperty(globalThis, "help", property);
}

function nameOf(topic: unknown): string {
  if (typeof topic === "string") return topic;
  if (typeof topic === "function" && topic.name !== "") return topic.name;
  const made = typeof topic === "object" && topic !== null ? topic.constructor?.name : undefined;
  if (made !== undefined && ENTRIES.some(({ name }) => name === made)) return made;
  throw new TypeError(
    "Cannot show help: expected a function or a name, such as help(analyzeFactor) or " +
      `help("panel"), got ${describe(topic)}; help("all") lists all`,
  );
}

function find(name: string): readonly HelpEntry[] {
  const wanted = name.trim().replace(/^api\./, "").replace(/\(.*$/s, "");
  const shortName = (entry: HelpEntry) => entry.name.replace(/^api\./, "");
  const found = ENTRIES.filter((entry) => shortName(entry) === wanted);
  if (found.length > 0) return found;
  const near = nearestName(wanted, ENTRIES.map(shortName));
  const hint = near === null ? "" : ` (did you mean "${near}"?)`;
  throw new RangeError(
    `Cannot show help: expected a verb or a function, got ${describe(name)}${hint}; ` +
      'help("all") lists all',
  );
}

function listText(entries: readonly HelpEntry[]): string {
  const width = Math.max(...entries.map(({ call }) => call.length));
  const modules = [...new Set(entries.map(({ module }) => module))];
  return modules.map((module) => {
    const lines = entries.filter((entry) => entry.module === module)
      .map(({ call, text }) => `${call.padEnd(width)}  ${firstSentence(text)}`);
    return [module, ...lines].join("\n");
  }).join("\n\n");
}

function firstSentence(text: string): string {
  const sentence = /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
  return sentence.length > MAX_LENGTH ? `${sentence.slice(0, MAX_LENGTH - 1)}…` : sentence;
}

function entryText(entry: HelpEntry): string {
  const { call, text, inputs, options, sources, throws, example } = entry;
  const gives = givesText(entry);
  const given = inputs.map(({ name, text }) => `  ${name}: ${text}`);
  const described = options.map((option) =>
    [
      `  ${option.name}: ${option.type}`,
      ...(option.text === "" ? [] : [`      ${option.text}`]),
      ...(option.default === null ? [] : [`      default: ${option.default}`]),
    ].join("\n")
  );
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? "" : `${title}\n${lines.join("\n")}`;
  return [
    `${call}\n${importText(entry)}`,
    text,
    section("Arguments", given),
    section(entry.kind === "result" ? "Members" : "Options", described),
    gives,
    sources.length === 0 ? "" : `Source: ${sources.join("; ")}`,
    section("Throws", throws.map((line) => `  ${line}`)),
    example === null ? "" : `Example\n${example.replace(/^/gm, "  ")}`,
  ].filter((part) => part !== "").join("\n\n");
}

/** Origin of an entry: a connection for a verb, otherwise an import. */
function importText({ name, module, kind }: HelpEntry): string {
  if (kind === "verb") return "a verb of a connection or a study";
  return `${kind === "result" ? "import type" : "import"} { ${name} } from "${module}"`;
}

/** Return value and its type, with a reference to the help of its members; empty without one. */
function givesText({ type, returns }: HelpEntry): string {
  if (type === null && returns === null) return "";
  const isKnown = ENTRIES.some(({ name, kind }) => kind === "result" && name === type);
  const more = isKnown ? `; help("${type}") has its members` : "";
  const value = returns === null
    ? ""
    : returns.replace(/^(The|A|An)\b/, (article) => article.toLowerCase());
  return `Returns ${[type ?? "", value].filter(Boolean).join(": ")}${more}`;
}

const LEFT = "text-align:left;vertical-align:top";

function entryHtml(entry: HelpEntry): string {
  const { call, text, inputs, options, sources, throws, example } = entry;
  const gives = givesText(entry);
  const rows = options.map((option) => {
    const cells = [
      `<code>${escapeHtml(option.name)}</code>`,
      `<code>${escapeHtml(option.type)}</code>`,
      escapeHtml(option.text),
      escapeHtml(option.default ?? ""),
    ];
    return `<tr>${cells.map((cell) => `<td style="${LEFT}">${cell}</td>`).join("")}</tr>`;
  });
  const head = [entry.kind === "result" ? "member" : "option", "type", "meaning", "default"]
    .map((title) => `<th style="${LEFT}">${title}</th>`).join("");
  const list = (lines: readonly string[]) =>
    `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>`;
  return [
    `<div><strong><code>${escapeHtml(call)}</code></strong></div>`,
    `<div><small><code>${escapeHtml(importText(entry))}</code></small></div>`,
    ...text.split("\n\n").map((part) => `<p>${escapeHtml(part)}</p>`),
    inputs.length > 0 && list(inputs.map(({ name, text }) => `${name}: ${text}`)),
    rows.length > 0 &&
    `<table><thead><tr>${head}</tr></thead><tbody>${rows.join("")}</tbody></table>`,
    gives !== "" && `<p>${escapeHtml(gives)}</p>`,
    sources.length > 0 && `<p>Source: ${escapeHtml(sources.join("; "))}</p>`,
    throws.length > 0 && `<p>Throws</p>${list(throws)}`,
    example !== null && `<pre>${escapeHtml(example)}</pre>`,
  ].filter((part) => part !== false).join("\n");
}

/** Documentation of a verb, a function or a result, taken from the code. */
export interface HelpEntry {
  /** `api.panel`, `show` or `FactorAnalysis`. */
  readonly name: string;
  /** Its entry point, such as `scoreframe/analysis`. */
  readonly module: string;
  /** Kind; a result of a function has members instead of options. */
  readonly kind: "verb" | "function" | "result";
  /** `api.panel(factors, options)`. */
  readonly call: string;
  /** Description in paragraphs. */
  readonly text: string;
  /** Arguments before the options, and what each is: a frame with its columns, a name, a path. */
  readonly inputs: readonly {
    readonly name: string;
    readonly text: string;
  }[];
  /** Options; members of a result. */
  readonly options: readonly {
    /** Its name, with a question mark if it is optional. */
    readonly name: string;
    /** Its type. */
    readonly type: string;
    /** Description. */
    readonly text: string;
    /** Default; `null` if none is documented. */
    readonly default: string | null;
  }[];
  /** Return type, without its promise; `null` for none. */
  readonly type: string | null;
  /** Return value. */
  readonly returns: string | null;
  /** Sources: papers with their year, sections of the API document. */
  readonly sources: readonly string[];
  /** Errors that it throws, each with its reason. */
  readonly throws: readonly string[];
  /** Code that can be run. */
  readonly example: string | null;
}

/** An option of a verb or a function, or a member of a result. */
export type HelpOption = HelpEntry["options"][number];
