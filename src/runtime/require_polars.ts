import { createRequire } from "node:module";
import process from "node:process";

// From any other address Deno itself fetches every part. The import that follows takes what is loaded here.
if (import.meta.url.startsWith("file:")) {
  assertPolars(() => createRequire(import.meta.url)("nodejs-polars"));
}

/**
 * Refuses an installation without the native part of nodejs-polars, in one line.
 *
 * @param load Loads nodejs-polars, or throws
 * @throws {Error} With what is missing, and how to get it
 */
export function assertPolars(load: () => unknown): void {
  try {
    load();
  } catch (cause) {
    if (!/Cannot find module 'nodejs-polars-/.test(String(cause))) throw cause;
    throw new Error(
      `Cannot load scoreframe: expected the native part of nodejs-polars for ${process.platform} ` +
        `${process.arch}, got none, which npm leaves out under Node older than 22; ` +
        "run `npx --yes deno@2.9.6 install` in the folder of the project",
      { cause },
    );
  }
}
