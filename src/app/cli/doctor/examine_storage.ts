import { readdir, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheFolder } from "../../../client/open_storage.ts";
import { FACTORS } from "../../../base/contract/factor.ts";
import { Store } from "../../../base/store/store.ts";
import { broken, type DoctorFinding, good, limited, type Machine } from "./machine.ts";
import { commandLine } from "../../../base/runtime/command_line.ts";

const GIB = 1 << 30;

/** Checks the user's cache: write access, its stores, and free space on its disk. */
export async function examineStorage({ environment }: Machine): Promise<readonly DoctorFinding[]> {
  const cache = cacheFolder(environment);
  const folder = await existing(cache);
  return [
    await writingOf(cache, folder),
    ...await storesOf(join(cache, "stores")),
    await roomOf(folder),
  ];
}

// The folder itself, or the nearest existing one above it.
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).then(() => true, () => false);
  const above = dirname(folder);
  return isThere || above === folder ? folder : await existing(above);
}

async function writingOf(cache: string, folder: string): Promise<DoctorFinding> {
  const path = join(folder, `.scoreframe-doctor-${crypto.randomUUID()}`);
  try {
    await writeFile(path, "tried", { flag: "wx" });
    const found = folder === cache ? cache : `${cache} (the first load creates it)`;
    return good("cache", found);
  } catch (error) {
    return broken(
      "cache",
      `${folder} cannot be written: "${(error as Error).message}"`,
      "allow this user to write there, set XDG_CACHE_HOME to another folder, or connect with a " +
        "cacheDir and a store of your own",
    );
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

async function storesOf(folder: string): Promise<readonly DoctorFinding[]> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.length === 0) return [good("store", "none yet; the first load creates one")];
  return await Promise.all(names.map((name) => storeOf(join(folder, name))));
}

async function storeOf(path: string): Promise<DoctorFinding> {
  try {
    const store = await Store.open(path);
    const sets = await Promise.all(FACTORS.map((factor) => store.listSets(factor)));
    const releases = await Promise.all(FACTORS.map((factor) => store.listReleases(factor)));
    const counted = `${sets.flat().length} sets and ${releases.flat().length} releases`;
    return good("store", `${path} has ${counted}; to verify them: ${commandLine()} verify ${path}`);
  } catch (error) {
    return broken(
      "store",
      (error as Error).message,
      `to list the damaged files: ${commandLine()} verify ${path}`,
    );
  }
}

async function roomOf(folder: string): Promise<DoctorFinding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / GIB).toFixed(1)} GiB free on the disk of ${folder}`;
  return free < GIB
    ? limited("disk", found, "free disk space: a release of 3,000 tickers takes about 0.1 GiB")
    : good("disk", found);
}
