import { readdir } from "node:fs/promises";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** Runs one benchmark by name: `deno task bench client`. */
async function main(names: readonly string[]): Promise<number> {
  const known = (await readdir(import.meta.dirname!))
    .filter((file) => /^[a-z][a-z_]*\.ts$/.test(file) && file !== "run.ts")
    .map((file) => file.replace(/\.ts$/, ""))
    .toSorted();
  const [name = "", ...rest] = names;
  if (!known.includes(name)) {
    process.stderr.write(
      `Cannot run benchmark "${name}": one of ${known.join(", ")} is required\n` +
        `usage: deno task bench NAME [arguments]\n`,
    );
    return 2;
  }
  process.argv.splice(2, process.argv.length, ...rest);
  await import(pathToFileURL(`${import.meta.dirname}/${name}.ts`).href);
  return 0;
}

process.exitCode = await main(Deno.args);
