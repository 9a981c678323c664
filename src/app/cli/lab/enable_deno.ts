import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const SETTINGS = { "deno.enable": true };
const EXTENSIONS = { recommendations: ["denoland.vscode-deno", "ms-toolsai.jupyter"] };

/**
 * Makes VS Code check and complete a project's notebooks with `deno lsp`: writes `.vscode/settings.json` and recommends the
 * extension, unless such a file exists. Returns a line that says what was done.
 */
export async function enableDeno(folder: string): Promise<string> {
  const path = join(folder, ".vscode", "settings.json");
  const own = await readFile(path, "utf8").catch(() => null);
  if (own !== null) {
    return own.includes('"deno.enable"')
      ? `Found "deno.enable" in ${path}`
      : `To complete cells in VS Code, add "deno.enable": true to ${path}`;
  }
  await mkdir(join(folder, ".vscode"), { recursive: true });
  await writeFile(path, `${JSON.stringify(SETTINGS, null, 2)}\n`);
  await writeFile(
    join(folder, ".vscode", "extensions.json"),
    `${JSON.stringify(EXTENSIONS, null, 2)}\n`,
    { flag: "wx" },
  ).catch(() => {});
  return `Enabled Deno for VS Code in ${path}`;
}
