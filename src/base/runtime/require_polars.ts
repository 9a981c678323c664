import { createRequire } from "node:module";
import process from "node:process";

// From any other address Deno fetches all parts itself. The later import uses what is loaded here.
if (import.meta.url.startsWith("file:")) {
  assertPolars(() => createRequire(import.meta.url)("nodejs-polars"));
}

/**
 * Refuses an installation without the native part of nodejs-polars, with one line.
 *
 * @param load Loads nodejs-polars, or throws
 * @throws {Error} With the missing part, and how to install it
 */
export function assertPolars(load: () => unknown): void {
  try {
    load();
  } catch (cause) {
    if (cause instanceof Error && cause.name === "NotCapable") throw notPermitted(cause);
    if (!/Cannot find module 'nodejs-polars-/.test(String(cause))) throw cause;
    throw new Error(
      `Cannot load scoreframe: expected the native part of nodejs-polars for ${process.platform} ` +
        `${process.arch}, got none, which npm leaves out under Node older than 22; ` +
        "run `npx --yes deno@2.9.6 install` in the folder of the project",
      { cause },
    );
  }
}

// Deno names the missing flag; Polars would show ten lines of its own code around it.
function notPermitted({ message }: Error): Error {
  const flag = /--allow-\w+/.exec(message)?.[0] ?? "the permissions of Polars";
  return new Error(
    `Cannot load scoreframe: expected ${flag} for the native part of nodejs-polars, got none; ` +
      "add it to the flags of deno run, or use -A",
  );
}
