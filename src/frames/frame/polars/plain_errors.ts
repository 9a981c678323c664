import { nearestName } from "../../../base/arguments/nearest_name.ts";

const SHOWN_COLUMNS = 12;
const MAX_NAME = 80;

/** Methods of a lazy frame that run its query. */
interface Runner {
  collect(...options: unknown[]): Promise<unknown>;
  collectSync(...options: unknown[]): unknown;
}

/**
 * Removes the query plan that Polars adds to the errors of a lazy frame's query; a missing column is reported with the existing
 * ones. Frames of Polars run their queries through a lazy one.
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
  // A condition as for `query` of pandas.
  if (/[<>=&|+*/]/.test(name)) {
    return 'a string is the name of a column; conditions are written with methods, such as pl.col("x").gt(0.5)';
  }
  const near = nearestName(name, columns);
  return `${
    near === null ? "" : `did you mean "${near}"? `
  }a string is the name of a column; the string itself is ` +
    `pl.lit("${cut}"), such as pl.col("ticker").eq(pl.lit("${cut}"))`;
}
