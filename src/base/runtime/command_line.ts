import { join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * Start of a command line for this library, before a command such as `serve`.
 *
 * A clone has a task, which exists only inside of it; the npm package has an executable; from any other address Deno runs the
 * module itself.
 *
 * @param url Address of a module of this copy
 * @param folder Working directory
 * @param main Path of the running module: a notebook shows the same command in every folder
 * @param npmCommand Command of npm that started Deno: npx has it where no Deno is installed
 */
export function commandLine(
  url: string = import.meta.url,
  folder: string | null = workingFolder(),
  main: string = process.argv[1] ?? "",
  npmCommand: string | undefined = process.env["npm_command"],
): string {
  if (/^https?:/.test(url)) return "deno run -A jsr:@scoreframe/scoreframe/cli";
  // npm packages hold compiled modules only.
  if (!url.endsWith(".ts")) return "scoreframe";
  const clone = fileURLToPath(new URL("../../..", url));
  const command = join(clone, "src/app/cli/main.ts");
  const isOutside = folder !== null && relative(clone, folder).startsWith("..");
  const deno = main === command && npmCommand === "exec" ? "npx --yes deno@2.9.6" : "deno";
  return isOutside && main === command ? `${deno} run -A ${command}` : `${deno} task scoreframe`;
}

/** The working directory; `null` if it no longer exists or cannot be read. */
function workingFolder(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

/**
 * Command that installs missing packages of this copy of the library, for messages.
 *
 * Where npm installed the package, `deno install` would replace it by a link to its archive; npm under Node 20 leaves out the
 * native package of nodejs-polars, which requires Node 22.
 *
 * @param url Address of a module of this copy
 */
export function installLine(url: string = import.meta.url): string {
  const isOfNpm = url.includes("/node_modules/") && !url.includes("/node_modules/.deno/");
  return isOfNpm ? "npx --yes -p node@22 npm install" : "deno install";
}
