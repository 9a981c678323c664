import { nearestName } from "../../arguments/nearest_name.ts";

const SHOWN_COLUMNS = 12;
const MAX_NAME = 80;

/** The two methods of a lazy frame that run its query. */
interface Runner {
  collect(...options: unknown[]): Promise<unknown>;
  collectSync(...options: unknown[]): unknown;
}

/**
 * Makes a lazy frame tell the errors of its query without the plan of the query, which is what Polars adds to them; a
 * column that is not there is named beside those that are. A frame of Polars runs its own queries by a lazy one.
 */
export function withPlainErrors(frame: object): object {
  const { collect, collectSync } = frame as Runner;
  const runner: Runner = {
    collect: (...options) =>
      collect.apply(frame, options).catch((error: unknown) => {
        throw plainError(error);
      }),
    collectSync: (...options) => {
      try {
        return collectSync.apply(frame, options);
      } catch (error) {
        throw plainError(error);
      }
    },
  };
  return Object.assign(frame, runner);
}

function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const [first = ""] = error.message.split(/\n+Resolved plan until failure/);
  const found = /unable to find column "(.*)"; valid columns: \[(.*)\]$/s.exec(first);
  if (found !== null) return new Error(missingColumn(found[1]!, found[2]!), { cause: error });
  return first === error.message ? error : new Error(first, { cause: error });
}

function missingColumn(name: string, columns: string): string {
  const names = [...columns.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, column]) => column!);
  const shown = names.slice(0, SHOWN_COLUMNS).join(", ");
  const cut = name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
  return `Cannot find the column "${cut}": expected one of ${shown || "no columns at all"}` +
    `${names.length > SHOWN_COLUMNS ? `, … ${names.length - SHOWN_COLUMNS} more` : ""}; ` +
    adviceFor(name, cut, names);
}

function adviceFor(name: string, cut: string, columns: readonly string[]): string {
  // What `query` of pandas takes.
  if (/[<>=&|+*/]/.test(name)) {
    return 'a text names a column, and a condition is written with methods, such as pl.col("x").gt(0.5)';
  }
  const near = nearestName(name, columns);
  return `${
    near === null ? "" : `did you mean "${near}"? `
  }a text names a column, and the text itself is ` +
    `pl.lit("${cut}"), such as pl.col("ticker").eq(pl.lit("${cut}"))`;
}
