import process from "node:process";
import { PACKAGE_VERSION } from "../../../base/contract/package_version.ts";

/** `User-Agent` of the library: its version and the runtime's. */
export function userAgent(): string {
  const { deno, node } = process.versions;
  const runtime = deno === undefined ? `node/${node}` : `deno/${deno}`;
  return `scoreframe/${PACKAGE_VERSION} ${runtime} (${process.platform}; ${process.arch})`;
}
