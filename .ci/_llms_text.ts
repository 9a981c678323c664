import type { HelpEntry, HelpOption } from "../src/client/help/help.ts";

// Sections of docs/assistants.md that a model needs as well.
const SECTIONS = ["Rules", "A cell", "A study"];

// Entry points of a notebook; servers, worlds and datasets have programs of their own.
const MODULES = ["", "/analysis", "/chart", "/sheet"].map((name) => `scoreframe${name}`);

/** Options that many functions share: a name stands for all of them. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  LOAD: ["signal", "timeoutMs", "deadlineMs", "maxRetries", "maxWaitMs", "reserve"],
  PRICES: [
    "frequency",
    "labels",
    "strays",
    "maxMissing",
    "still",
    "calendar",
    "periodsPerYear",
  ],
  SERIES: ["value", "horizon", "sessions"],
};

// Options for tests, for servers, and for comparison with another library.
const LEFT_OUT = [
  "now",
  "sleep",
  "random",
  "fetch",
  "environment",
  "userAgent",
  "logger",
  "footnote",
  "compat",
];
const OF_CHARTS = ["title", "widthPx"];
// Functions of servers and of another library, and what `help()` says.
const FUNCTIONS_LEFT_OUT = /^(journalFrame|fromArquero|toArquero|api\.help|api\.log)$/;
// Results that other lines say as well, and members for programs.
const RESULTS_LEFT_OUT = /^(FactorApi|LoadPromise|PyfolioInput|Help|VerifiedRelease|ScoreSet)$/;
const INNER_TYPES = /Array|Map<|Grid|Dense|Series\[/;
// A name or a default says as much.
const PLAIN_TYPES = [
  "string",
  "string[]",
  "number",
  "number | number[]",
  "boolean",
  "function",
  "object",
  "DataFrame",
];
const MAX_TYPE = 48;
const MAX_DEFAULT = 20;
const MAX_SENTENCE = 100;
const MAX_CHART = 60;
const MAX_COLUMNS = 180;
// Frames of the caller's own; those of other functions are known.
const NAMES_COLUMNS =
  /^(?!The result of).*\b(session|tickers?|joined|last_checked_at)\b(?!.*\balign)/;

/** The text that a model is given: rules and an example from the page of assistants, then a line for each function of the help. */
export function llmsText(page: string, entries: readonly HelpEntry[]): string {
  const groups = Object.entries(GROUPS).map(([name, names]) =>
    `...${name} for ${names.join(", ")}`
  );
  return [
    "# scoreframe",
    "> Factor scores of the Research Factor Score API as Polars frames, their analysis, and studies that give " +
    "the same numbers again. TypeScript cells in Jupyter with the Deno kernel.",
    ...SECTIONS.map((title) => sectionOf(page, title)),
    `## Functions\n\n\`{ name? = default }\` are options, the last argument, and without → a function gives a DataFrame (a Chart if it is one, which also takes ${
      OF_CHARTS.join(" and ")
    }). In options stand ${groups.join("; ")}.`,
    ...MODULES.map((module) => moduleText(module, entries)),
  ].join("\n\n") + "\n";
}

function sectionOf(page: string, title: string): string {
  const from = page.indexOf(`\n## ${title}\n`) + 1;
  const to = page.indexOf("\n## ", from);
  return page.slice(from, to === -1 ? undefined : to).trim();
}

function moduleText(module: string, entries: readonly HelpEntry[]): string {
  const own = entries.filter((entry) => entry.module === module);
  const functions = own.filter(({ name, kind, text }) =>
    kind !== "result" && !/for comparison[^.]* only/.test(text) && !FUNCTIONS_LEFT_OUT.test(name)
  );
  const results = own.filter(({ name, kind, options }) =>
    kind === "result" && options.length > 0 && !RESULTS_LEFT_OUT.test(name)
  );
  return [
    `### From "${module}"`,
    [...functions.map(functionLine), ...results.map(resultLine)].join("\n"),
  ].join("\n\n");
}

function functionLine({ call, text, type, inputs, options, module }: HelpEntry): string {
  const shown = shownOptions(options);
  const head = call.replace(
    /(, )?options\??\)$/,
    (_, comma = "") => shown.length === 0 ? ")" : `${comma}{ ${shown.join(", ")} })`,
  );
  const given = type === null || /^(Chart|DataFrame)$/.test(type) ? "" : ` → ${type}`;
  const sentence = firstSentence(text).replace(/^Draws /, "");
  const isChart = module.endsWith("chart");
  const told = sentence.length > (isChart ? MAX_CHART : MAX_SENTENCE)
    ? sentence.replace(isChart ? /[:,;] [^]*/ : /: [^]*/, ".")
    : sentence;
  const frames = inputs.filter(({ text }) => NAMES_COLUMNS.test(text))
    .map(({ name, text }) => ` ${name}: ${withoutAsides(text)}.`).join("");
  return `- \`${head}${given}\`: ${told}${frames}${columnsOf(text)}`;
}

function resultLine({ name, options }: HelpEntry): string {
  const shown = distinct(options).filter(({ type }) => !INNER_TYPES.test(type));
  const members = shown.map(({ name, type, text }) => {
    const kind = PLAIN_TYPES.includes(type) || type.length > MAX_TYPE ? "" : `: ${type}`;
    return `\`${name}${kind}\`${columnsOf(` ${text}`).replace(/^ (.*)$/, " ($1)")}`;
  });
  return `- **${name}**: ${members.join(", ")}`;
}

function distinct(options: readonly HelpOption[]): readonly HelpOption[] {
  const seen = new Set<string>();
  return options.filter(({ name }) => !seen.has(nameOf(name)) && seen.add(nameOf(name)));
}

/** Options as a call has them, with groups by their name. */
function shownOptions(options: readonly HelpOption[]): readonly string[] {
  const names = options.map(({ name }) => nameOf(name));
  const groups = Object.entries(GROUPS)
    .filter(([, members]) => members.every((member) => names.includes(member)));
  const ofCharts = names.includes("widthPx") ? OF_CHARTS : [];
  const said = [...LEFT_OUT, ...ofCharts, ...groups.flatMap(([, members]) => members)];
  const own = distinct(options).filter(({ name }) => !said.includes(nameOf(name)));
  return [...own.map(optionText), ...groups.map(([name]) => `...${name}`)];
}

function nameOf(option: string): string {
  return option.replace(/\?|\(.*/g, "");
}

function optionText({ name, type, default: given }: HelpOption): string {
  const kind = PLAIN_TYPES.includes(type) || type.length > MAX_TYPE ? "" : `: ${type}`;
  const isValue = given !== null && given.length <= MAX_DEFAULT &&
    /^(-?\d[\d,]*|"[^"]*"|\[.*\]|true|false)$/.test(given);
  return isValue ? `${name}${kind} = ${given}` : `${name}${kind}`;
}

function firstSentence(text: string): string {
  return /^[^]*?\.(?=\s|$)/.exec(text.split("\n\n")[0]!)?.[0] ?? text;
}

const COLUMNS =
  /(?:\w+ has one row\b[^:.]*|One row (?:per|a) [^:.]*|Columns|Long|One row): [^]*?\.(?=\s|$)/g;

/** The columns of a result without types and units: ` Columns: ticker, ic, n.` */
function columnsOf(text: string): string {
  const rest = withoutAsides(text.slice(firstSentence(text).length) || text);
  return (rest.match(COLUMNS) ?? []).slice(0, 2).map((found) => ` ${shortened(found)}`).join("");
}

function shortened(list: string): string {
  return list.length <= MAX_COLUMNS
    ? list
    : `${list.slice(0, list.lastIndexOf(",", MAX_COLUMNS))}, …`;
}

function withoutAsides(text: string): string {
  // An interval that is open at its end closes no aside.
  const shorter = text.replace(/\[[^[\]()]*\)/g, "").replace(/ ?\([^()]*\)/g, "");
  return shorter === text ? text : withoutAsides(shorter);
}
