import type { Import } from "../source_files.ts";

/** What one layer imports of another: everything, or nothing that exists at run time. */
export type Access = "all" | "types";

/** A folder or file directly below `src`. */
export interface Layer {
  /** What the layer is for, as ARCHITECTURE.md says it. */
  readonly what: string;
  /** Why it may import no more, as ARCHITECTURE.md says it. */
  readonly why: string;
  /** The layers that it may import. */
  readonly may: Readonly<Record<string, Access>>;
}

/** Where the table is explained. */
export const READ_MORE = 'ARCHITECTURE.md, "Which layer may import which"';

/** The import table. ARCHITECTURE.md shows the same one; a test compares them. */
export const LAYERS: Readonly<Record<string, Layer>> = {
  contract: {
    what: "what the API document says: types, parsers, encoders, tables",
    why: "client and server meet here, so it knows neither time nor network nor frames",
    may: {},
  },
  errors: {
    what: "the error tree",
    why: "every layer throws these errors, so they must load without any other layer",
    may: types("contract"),
  },
  runtime: {
    what: "the runtime: its refusal, and how a command is typed",
    why: "it loads first, even on a runtime where no other layer can load",
    may: {},
  },
  wording: {
    what: "numbers, counts and sentences as English prints them",
    why: "all text for users is formatted here, so this layer depends on none of it",
    may: {},
  },
  statistics: {
    what: "mean, median, quantile, and windows that must agree",
    why: "tests, prices and charts share these definitions, so this layer depends on none of them",
    may: {},
  },
  calendar: {
    what: "US market sessions, their opens and closes",
    why: "a session is a fact of the exchange and of no service",
    may: types("contract"),
  },
  arguments: {
    what: "checks of options and arguments of public functions",
    why: "all public functions share it, so it must know none of them",
    may: all("contract", "wording", "errors"),
  },
  gzip: {
    what: "a compressed file inflated in a thread",
    why: "a thread loads it, so it stays small",
    may: all("errors"),
  },
  disk: {
    what: "files: written whole, locked, hashed, and the words of a system error",
    why: "every layer that writes shares it, so that a full disk is noticed in one place",
    may: all("contract", "errors"),
  },
  store: {
    what: "the directory format: read, write, verify",
    why: "client, server and world share one format, so it belongs to none of them",
    may: all("contract", "errors", "arguments", "disk"),
  },
  transport: {
    what: "one request: key, allowance, deadline, retry",
    why: "it moves bytes and counts them; what they mean is the client's business",
    may: all("contract", "errors", "arguments", "disk", "store"),
  },
  frame: {
    what: "contract objects to Polars frames with provenance",
    why: "it makes frames of values that are checked, without any input or output of its own",
    may: all("contract", "calendar", "errors", "arguments"),
  },
  vintage: {
    what: "frames to frames that rest on provenance",
    why: "it works on any frame with provenance, also without a connection",
    may: all("contract", "wording", "errors", "arguments", "frame", "notebook"),
  },
  notebook: {
    what: "displays, progress, stop button, masked prompt",
    why: "it shows what it is given, and knows no verb",
    may: all("contract", "wording", "errors", "arguments"),
  },
  prices: {
    what: "closes of the user's own, read and checked",
    why: "prices belong to the user and not to the service, so that no connection is needed",
    may: all("contract", "calendar", "wording", "errors", "arguments", "frame", "notebook"),
  },
  client: {
    what: "the front door: connect and the verbs",
    why: "it never imports the server: a test between the two would grade itself",
    may: all(
      "contract",
      "calendar",
      "gzip",
      "wording",
      "errors",
      "arguments",
      "disk",
      "store",
      "transport",
      "frame",
      "vintage",
      "notebook",
    ),
  },
  server: {
    what: "the whole API over a store",
    why: "it never imports the client, and loads without Polars and undici",
    may: all("runtime", "contract", "calendar", "errors", "arguments", "store"),
  },
  world: {
    what: "a synthetic service history, deterministic by its seed",
    why: "what it makes is a store, so that it needs neither end of the wire",
    may: all("runtime", "contract", "calendar", "errors", "arguments", "disk", "store"),
  },
  relay: {
    what: "one account for a desk: the server's pipeline, with the client behind it",
    why: "it is the one layer that knows both ends, so that neither has to know the other",
    may: {
      ...all(
        "contract",
        "wording",
        "errors",
        "disk",
        "store",
        "transport",
        "notebook",
        "client",
        "server",
      ),
      ...types("frame"),
    },
  },
  study: {
    what: "a folder that gives the same numbers again: store and lock",
    why: "it replays through the client, so that there is no second way to load",
    may: all(
      "runtime",
      "contract",
      "calendar",
      "gzip",
      "wording",
      "errors",
      "arguments",
      "disk",
      "store",
      "transport",
      "frame",
      "vintage",
      "notebook",
      "client",
      "prices",
    ),
  },
  analysis: {
    what: "frames to frames: factor statistics",
    why: "a statistic depends on frames alone, not on how they were loaded",
    may: all(
      "runtime",
      "contract",
      "statistics",
      "calendar",
      "wording",
      "errors",
      "arguments",
      "frame",
      "vintage",
      "notebook",
      "prices",
    ),
  },
  chart: {
    what: "results to Vega-Lite specs and pictures",
    why:
      "it draws what was computed, and sums up rows only to draw them, so that types of analysis suffice",
    may: {
      ...all(
        "statistics",
        "wording",
        "errors",
        "arguments",
        "disk",
        "frame",
        "vintage",
        "notebook",
      ),
      ...types("analysis"),
    },
  },
  sheet: {
    what: "an analysis on one sheet: judgement, charts, tables",
    why: "it puts together what analysis said and chart drew, and adds no number of its own",
    may: all("wording", "errors", "arguments", "frame", "notebook", "analysis", "chart"),
  },
  dataset: {
    what: "hive-partitioned Parquet for other engines, and analyses by partition",
    why: "it writes what was loaded and what analysis computes, and adds no number of its own",
    may: all(
      "runtime",
      "contract",
      "statistics",
      "calendar",
      "wording",
      "errors",
      "arguments",
      "disk",
      "store",
      "frame",
      "vintage",
      "notebook",
      "prices",
      "study",
      "analysis",
    ),
  },
};

/** They put the layers together; no layer of the table imports them. */
export const MAY_IMPORT_ALL: readonly string[] = ["demo", "cli", "mod"];

/** An import that the table does not allow; `null` if it does. */
export function forbiddenArrow(
  from: string,
  to: string,
  entry: Pick<Import, "typeOnly">,
): string | null {
  if (MAY_IMPORT_ALL.includes(from) || from === to) return null;
  const allowed = LAYERS[from]?.may[to];
  if (allowed === "all" || (allowed === "types" && entry.typeOnly)) return null;
  const { what, why } = LAYERS[from] ?? { what: "not in the table", why: "add it there first" };
  return [
    allowed === "types"
      ? `"${from}" may import only types of "${to}"`
      : `"${from}" may not import "${to}"`,
    `  ${from}: ${what}`,
    `  why: ${why}`,
    `  it may import: ${describeAccess(LAYERS[from]?.may ?? {})}`,
  ].join("\n");
}

/** `contract, errors (types)`, or `nothing`. */
export function describeAccess(may: Layer["may"]): string {
  const names = Object.entries(may)
    .map(([name, access]) => access === "types" ? `${name} (types)` : name);
  return names.length === 0 ? "nothing" : names.join(", ");
}

/** `contract` for `src/contract/x.ts`, `errors` for `src/errors.ts`, `mod` for the root. */
export function layerOf(path: string): string {
  const parts = path.replace(/\.ts$/, "").split("/");
  return parts[0] === "src" ? parts[1]! : parts[0]!;
}

function all(...names: readonly string[]): Readonly<Record<string, Access>> {
  return Object.fromEntries(names.map((name) => [name, "all"]));
}

function types(...names: readonly string[]): Readonly<Record<string, Access>> {
  return Object.fromEntries(names.map((name) => [name, "types"]));
}
