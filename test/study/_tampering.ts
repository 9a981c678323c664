import { createHash } from "node:crypto";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sealedAgain, withoutSeal } from "../helpers/without_seal.ts";

/** What stands in a file of JSON. */
export type Json = Record<string, unknown>;

/** Edits a file of JSON of a store, and seals it as somebody would who knows the format. */
export async function editJson(path: string, edit: (value: Json) => void): Promise<void> {
  const value: Json = JSON.parse(withoutSeal(await readFile(path, "utf8")));
  edit(value);
  const sealed = { ...value, sha256: "0".repeat(64) };
  await writeFile(path, sealedAgain(`${JSON.stringify(sealed, null, 1)}\n`));
}

/** Edits what a check says, as somebody who knows the store would: its file and its views get the name that fits. */
export async function forgeCheck(
  folder: string,
  name: RegExp,
  edit: (check: Json, file: Json) => void,
): Promise<string> {
  const checks = join(folder, "checks");
  const before = (await readdir(checks)).find((known) => name.test(known))!;
  const path = join(checks, before);
  let check: Json = {};
  await editJson(path, (file) => edit(check = file.check as Json, file));
  const hash = createHash("sha256").update(JSON.stringify(check)).digest("hex").slice(0, 12);
  const after = before.replace(/--.*/, `--${hash}.json`);
  await rename(path, join(checks, after));
  const views = join(folder, "views");
  for (const view of await readdir(views)) {
    const text = await readFile(join(views, view), "utf8");
    await writeFile(join(views, view), text.replace(before, after));
  }
  return after;
}
