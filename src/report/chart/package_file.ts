import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Path of a module or file in a package that this one depends on; `null` if it is not there.
 *
 * Node's way begins at the folder of this module. A module that came from an address, as from jsr, has none; Deno then
 * tells where it keeps a package that some module imports.
 *
 * @param name Import name, such as `vega` or `dejavu-fonts-ttf/ttf/DejaVuSans.ttf`
 * @param base Address of this module
 */
export function packageFile(name: string, base: string = import.meta.url): string | null {
  try {
    const path = base.startsWith("file:")
      ? createRequire(base).resolve(name)
      : fileURLToPath(import.meta.resolve(`npm:${name}`));
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}
