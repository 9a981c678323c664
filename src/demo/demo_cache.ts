import { mkdir, mkdtemp, unlink, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";

/**
 * The folder in which the demo keeps its synthetic world between runs: `scoreframe/worlds` in the user's cache folder
 * (`XDG_CACHE_HOME`, else `~/.cache`; on Windows `LOCALAPPDATA`), or a new temporary folder if that cannot be written.
 */
export async function demoCacheFolder(): Promise<string> {
  const folder = join(userCacheFolder(), "scoreframe", "worlds");
  if (await isWritable(folder)) return folder;
  return await mkdtemp(join(tmpdir(), "scoreframe-worlds-"));
}

function userCacheFolder(): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = process.env;
  if (xdg !== undefined && xdg !== "") return xdg;
  return process.platform === "win32" && local ? local : join(homedir(), ".cache");
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    const probe = join(folder, `.probe-${crypto.randomUUID()}`);
    await writeFile(probe, "");
    await unlink(probe);
    return true;
  } catch {
    return false;
  }
}
