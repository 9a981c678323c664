import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Check } from "../../../src/base/contract/scores/check.ts";
import type { World } from "../../../src/server/world/mod.ts";

/** Options of a world that is made in an instant. */
export const TINY = { tickers: 24, years: 0.25, hours: 60 };

/** Options of a world with files for its sets and checks: ten days of them. */
export const TEN_DAYS = { hours: 240 };

/** Both factors. */
export const FACTORS = ["ecpnd", "ecqdi"] as const;

/** Temporary folders that go with the test file. */
export class Folders {
  readonly #paths: string[] = [];

  /** A new, empty folder. */
  async add(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), "scoreframe-world-"));
    this.#paths.push(path);
    return path;
  }

  /** Removes all of them. */
  async remove(): Promise<void> {
    for (const path of this.#paths) await rm(path, { recursive: true });
  }
}

/** The SHA-256 of every file below a folder, by its path there. */
export async function digestsOf(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const digests: Record<string, string> = {};
  for (const entry of names.filter((name) => name.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const hash = createHash("sha256").update(await readFile(path)).digest("hex");
    digests[path.slice(folder.length + 1)] = hash;
  }
  return digests;
}

/** All checks of a world, oldest first. */
export async function checksOf(from: World, factor: "ecpnd" | "ecqdi"): Promise<Check[]> {
  const checks: Check[] = [];
  for (const { name } of await from.store.listChecks(factor)) {
    checks.push((await from.store.readCheck(factor, name))!.check);
  }
  return checks;
}

/** The release of a world's factor: what the store says, and the file as text and as lines. */
export async function releaseOf(from: World, factor: "ecpnd" | "ecqdi") {
  const [stored] = await from.store.listReleases(factor);
  const csv = gunzipSync(await readFile(stored!.path)).toString("latin1");
  return { stored: stored!, csv, lines: csv.trimEnd().split("\n") };
}
