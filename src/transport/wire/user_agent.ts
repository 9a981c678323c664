import process from "node:process";
import { VERSION } from "./version.ts";

/** How the library introduces itself: its version, and the runtime's. */
export function userAgent(): string {
  const { deno, node } = process.versions;
  const runtime = deno === undefined ? `node/${node}` : `deno/${deno}`;
  return `scoreframe/${VERSION} ${runtime} (${process.platform}; ${process.arch})`;
}
