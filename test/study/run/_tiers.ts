import { spawnSync } from "node:child_process";
import process from "node:process";
import type { BoxTier } from "../../../src/study/run/box.ts";

const isRoot = process.getuid?.() === 0;
const isLinux = process.platform === "linux";

/** Command of an ordinary user, before the program that is started. */
export const AS_USER: readonly string[] = isRoot
  ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
  : [];

function works(prefix: readonly string[], ...command: readonly string[]): boolean {
  const [program = "", ...args] = [...prefix, ...command];
  return isLinux && spawnSync(program, args).status === 0;
}

// Some systems forbid namespaces to users, or to all programs but one.
const unshare = ["unshare", "-r", "-n", "-m", "-p", "-f", "true"];
const bubblewrap = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"];

/** The tiers that work for an ordinary user of this machine. */
export const USER_TIERS: readonly BoxTier[] = [
  ...works(AS_USER, ...unshare) ? ["namespaces" as const] : [],
  ...works(AS_USER, ...bubblewrap) ? ["bubblewrap" as const] : [],
];

/** The tiers that work for root, if the tests can be that: bubblewrap leaves root what it is, and is not offered. */
export const ROOT_TIERS: readonly BoxTier[] = works(isRoot ? [] : ["sudo", "-n"], ...unshare)
  ? ["namespaces"]
  : [];

/** The tiers that work for the user of the tests. */
export const TIERS: readonly BoxTier[] = process.platform === "darwin"
  ? ["sandbox-exec"]
  : isRoot
  ? ROOT_TIERS
  : USER_TIERS;
