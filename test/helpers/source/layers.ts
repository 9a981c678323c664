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
    what: "the API document in code: types, parsers, encoders, tables",
    why: "client and server share it, so it depends on neither time nor network nor frames",
    may: {},
  },
  errors: {
    what: "the error tree",
    why: "every layer throws these errors, so they must load without any other layer",
    may: types("contract"),
  },
  runtime: {
    what: "checks of the runtime, and the commands that messages show",
    why: "it loads first, even on a runtime where no other layer can load",
    may: {},
  },
  wording: {
    what: "formats of numbers, counts and sentences in English",
    why: "every layer that writes text for users shares it, so it depends on none of them",
    may: {},
  },
  statistics: {
    what: "mean, median, quantile, and shared window lengths",
    why: "tests, prices and charts share these definitions, so this layer depends on none of them",
    may: {},
  },
  calendar: {
    what: "US market sessions, their opens and closes",
    why: "a session is a fact of the exchange, not of a service",
    may: types("contract"),
  },
  arguments: {
    what: "checks of options and arguments of public functions",
    why: "all public functions share it, so it depends on none of them",
    may: all("contract", "wording", "errors"),
  },
  gzip: {
    what: "inflation of a compressed file in a thread",
    why: "a thread loads it, so it must be small",
    may: all("errors"),
  },
  disk: {
    what: "files: atomic writes, locks, hashes, and messages of system errors",
    why: "every layer that writes shares it, so a full disk is detected in one place",
    may: all("contract", "errors"),
  },
  store: {
    what: "the directory format: read, write, verify",
    why: "client, server and world share one format, so it depends on none of them",
    may: all("contract", "errors", "arguments", "disk"),
  },
  transport: {
    what: "one request: key, allowance, deadline, retry",
    why: "it moves bytes and counts requests; their meaning is left to the client",
    may: all("contract", "errors", "arguments", "disk", "store"),
  },
  frame: {
    what: "contract objects to Polars frames with provenance",
    why: "it makes frames from checked values, without input or output",
    may: all("contract", "calendar", "errors", "arguments"),
  },
  vintage: {
    what: "frames to frames, based on provenance",
    why: "it works on any frame with provenance, even without a connection",
    may: all("contract", "wording", "errors", "arguments", "frame", "notebook"),
  },
  notebook: {
    what: "displays, progress, stop button, masked prompt",
    why: "it displays its input, and depends on no verb",
    may: all("contract", "wording", "errors", "arguments"),
  },
  prices: {
    what: "the user's own closes, read and checked",
    why: "prices come from the user and not from the service, so no connection is needed",
    may: all("contract", "calendar", "wording", "errors", "arguments", "frame", "notebook"),
  },
  client: {
    what: "the public face: connect and the verbs",
    why: "it never imports the server, so that tests of the two compare independent code",
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
    what: "a synthetic service history, determined by its seed",
    why: "it produces a store, so it needs neither client nor server",
    may: all("runtime", "contract", "calendar", "errors", "arguments", "disk", "store"),
  },
  relay: {
    what: "one account for a desk: the server's pipeline, with the client behind it",
    why: "it is the only layer that knows client and server, so neither has to know the other",
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
    why: "it replays through the client, so there is no second way to load",
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
      "it draws computed results, and aggregates rows only for drawing, so it needs only the types of analysis",
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
    why: "it combines results and charts, and computes no number of its own",
    may: all("wording", "errors", "arguments", "frame", "notebook", "analysis", "chart"),
  },
  dataset: {
    what: "hive-partitioned Parquet for other engines, and analyses by partition",
    why: "it writes what was loaded and what analysis computes, and computes no number of its own",
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
