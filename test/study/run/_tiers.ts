import { spawnSync } from "node:child_process";
import process from "node:process";
import type { BoxTier } from "../../../src/study/run/box.ts";

const hasBubblewrap = () =>
  spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;

/** The tiers that Linux has without a program of their own. */
export const LINUX_TIERS: readonly BoxTier[] = process.platform === "linux" ? ["namespaces"] : [];

/** The tiers of this machine, with bubblewrap where it works. */
export const TIERS: readonly BoxTier[] = process.platform === "linux"
  ? [...LINUX_TIERS, ...hasBubblewrap() ? ["bubblewrap" as const] : []]
  : process.platform === "darwin"
  ? ["sandbox-exec"]
  : [];
