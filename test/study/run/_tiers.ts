import process from "node:process";
import type { BoxTier } from "../../../src/study/run/box.ts";

/** The tiers that need no program of their own: all that a Debian has. */
export const LINUX_TIERS: readonly BoxTier[] = process.platform === "linux"
  ? ["namespaces", "landlock"]
  : [];
