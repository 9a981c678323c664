import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../helpers/source_files.ts";

/** The pins of a project beside this repository: its own packages, and this one as it stands. */
export async function projectPins(): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const packages = Object.entries<string>(dependencies).flatMap(([name, version]) => [
    [name, `npm:${name}@${version}`],
    [`${name}/`, `npm:/${name}@${version}/`],
  ]);
  const imports = { scoreframe: join(ROOT, "mod.ts"), ...Object.fromEntries(packages) };
  return JSON.stringify({ imports });
}
