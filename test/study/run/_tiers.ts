import { spawnSync } from "node:child_process";
import process from "node:process";
import type { BoxTier } from "../../../src/study/run/box.ts";

// Bubblewrap leaves root what it is, and is not offered to it.
const hasBubblewrap = () =>
  process.getuid?.() !== 0 &&
  spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;

/** The tiers of this machine for this user, with bubblewrap where it works. */
export const TIERS: readonly BoxTier[] = process.platform === "linux"
  ? ["namespaces", ...hasBubblewrap() ? ["bubblewrap" as const] : []]
  : process.platform === "darwin"
  ? ["sandbox-exec"]
  : [];
