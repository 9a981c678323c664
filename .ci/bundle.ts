/**
 * Bundles the library for machines without a network: `deno task bundle [FILE.tgz [PACKED.tgz]]`, the second a library that
 * `deno task pack` has packed.
 *
 * The file holds one folder, `scoreframe`: Deno, the packed library with the packages that it needs, native Polars for this
 * platform, and the command `scoreframe/scoreframe`. Nothing in it is fetched when it runs.
 */
import { execFile } from "node:child_process";
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname!, "..");

// The folder may stand behind a link, and be that of somebody else.
const LAUNCHER = `#!/bin/sh
here=$(dirname -- "$(readlink -f -- "$0")")
exec "$here/deno" run -A --no-remote "$here/node_modules/scoreframe/src/app/cli/main.js" "$@"
`;

await bundle(resolve(Deno.args[0] ?? await defaultName()), Deno.args[1]);

async function defaultName(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  return `scoreframe-${version}-${process.platform}-${process.arch}.tgz`;
}

async function bundle(target: string, packed?: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "scoreframe-bundle-"));
  try {
    const folder = join(work, "scoreframe");
    await mkdir(folder);
    const library = packed === undefined ? await pack(work) : resolve(packed);
    // npm under an older Node leaves native Polars out without a word.
    const npm = [
      "--yes",
      "-p",
      "node@22",
      "npm",
      "install",
      "--omit=dev",
      "--no-audit",
      "--no-fund",
    ];
    await run("npx", [...npm, library], { cwd: folder });
    await copyFile(Deno.execPath(), join(folder, "deno"));
    await writeFile(join(folder, "scoreframe"), LAUNCHER);
    await chmod(join(folder, "scoreframe"), 0o755);
    await mkdir(dirname(target), { recursive: true });
    await run("tar", ["czf", target, "-C", work, "scoreframe"]);
    const megabytes = Math.round((await stat(target)).size / 1e6);
    process.stdout.write(`${target} (${megabytes} MB)\n`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function pack(work: string): Promise<string> {
  const packed = join(work, "scoreframe.tgz");
  await run(Deno.execPath(), ["run", "-A", join(ROOT, ".ci/pack.ts"), packed], { cwd: ROOT });
  return packed;
}
