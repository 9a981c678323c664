/** A folder directly below `src`, or the root module. */
export interface Wing {
  /** What the wing is for, as ARCHITECTURE.md says it. */
  readonly what: string;
  /** Why it may import no more, as ARCHITECTURE.md says it. */
  readonly why: string;
  /** The wings that it may import. */
  readonly may: readonly string[];
}

/** Where the table is explained. */
export const READ_MORE = 'ARCHITECTURE.md, "Which wing may import which"';

/** The import table. ARCHITECTURE.md shows the same one; a test compares them. */
export const WINGS: Readonly<Record<string, Wing>> = {
  base: {
    what: "errors, the API document in code, the store, and tools that every wing shares",
    why: "client and server share it, so it depends on none of them",
    may: [],
  },
  frames: {
    what: "contract objects to Polars frames with provenance; prices; displays",
    why: "a frame is made of checked values, wherever they come from",
    may: ["base"],
  },
  client: {
    what: "connect and the verbs, above the transport of one request",
    why: "it never imports the server, so that tests of the two compare independent code",
    may: ["base", "frames"],
  },
  server: {
    what: "the whole API over a store, and the synthetic world that fills one",
    why: "it never imports the client, and loads without Polars and undici",
    may: ["base"],
  },
  study: {
    what: "a folder that gives the same numbers again: store and lock",
    why: "it replays through the client, so there is no second way to load",
    may: ["base", "frames", "client"],
  },
  analysis: {
    what: "frames to frames: factor statistics, and the judgement in words",
    why: "a statistic depends on frames alone, not on how they were loaded",
    may: ["base", "frames"],
  },
  report: {
    what: "results to charts, and all of an analysis on one sheet",
    why:
      "it shows what analysis computed; it computes only what a picture or a line under it needs",
    may: ["base", "frames", "analysis"],
  },
  desk: {
    what: "one account for a desk (relay), Delta tables for other engines (dataset)",
    why: "it puts client, server and analysis together, so none of them has to know another",
    may: ["base", "frames", "client", "server", "study", "analysis"],
  },
  app: {
    what: "the command line and the demo",
    why: "it starts what the other wings offer; none of them imports it",
    may: ["base", "frames", "client", "server", "study", "analysis", "report", "desk"],
  },
};

// The package's first module re-exports all of them.
const ROOT_MODULE = "mod";

/** An import that the table does not allow; `null` if it does. */
export function forbiddenArrow(from: string, to: string): string | null {
  if (from === ROOT_MODULE || from === to) return null;
  const { what, why, may } = WINGS[from] ??
    { what: "not in the table", why: "add it there first", may: [] };
  if (may.includes(to)) return null;
  return [
    `"${from}" may not import "${to}"`,
    `  ${from}: ${what}`,
    `  why: ${why}`,
    `  it may import: ${describeAccess(may)}`,
  ].join("\n");
}

/** `base, frames`, or `nothing`. */
export function describeAccess(may: Wing["may"]): string {
  return may.length === 0 ? "nothing" : may.join(", ");
}

/** `base` for `src/base/store/x.ts`, `mod` for the root module. */
export function wingOf(path: string): string {
  const parts = path.replace(/\.ts$/, "").split("/");
  return parts[0] === "src" ? parts[1]! : parts[0]!;
}

/** Whether a file is in a room: `isIn("src/base/wording/x.ts", "base/wording")`. */
export function isIn(path: string, ...rooms: readonly string[]): boolean {
  return rooms.some((room) => path.startsWith(`src/${room}/`));
}
