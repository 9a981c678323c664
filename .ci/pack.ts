/**
 * Packs the library for a registry: `deno task pack [FILE.tgz]`.
 *
 * `deno pack` compiles what the exports reach. This adds what it does not know: exact versions, the command, the documents
 * that the README leads to, a bill of materials (beside the package, too), and what a runtime gets that is no Deno. Equal sources give equal bytes.
 */
import { execFile } from "node:child_process";
import {
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { packDocuments } from "./_pack_documents.ts";

const run = promisify(execFile);
const ROOT = join(import.meta.dirname!, "..");

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

// Only a PDF needs them. Deno would install the optional peers of its own project, so that they are peers in the package alone.
const OPTIONAL_PEERS = ["pdfkit", "svg-to-pdfkit"];

type Exports = Record<string, Record<string, string>>;

await pack(resolve(Deno.args[0] ?? "scoreframe.tgz"));

async function pack(target: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), "scoreframe-pack-"));
  try {
    const compiled = join(work, "compiled.tgz");
    say("Compiling and checking types: deno pack");
    await run(Deno.execPath(), ["pack", "--allow-dirty", "--no-source-maps", "-o", compiled], {
      cwd: ROOT,
    });
    await run("tar", ["xzf", compiled, "-C", work]);
    const folder = join(work, "package");
    await removeSources(folder);
    await addCommand(folder);
    await addFonts(folder);
    await packDocuments(ROOT, folder);
    await writeManifest(folder);
    const bill = join(folder, "scoreframe.cdx.json");
    say("Writing documents and the bill of materials, and packing: npm pack");
    await run(Deno.execPath(), ["run", "-A", join(ROOT, ".ci/write_sbom.ts"), bill]);
    const billed = await readFile(bill);
    const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", work], {
      cwd: folder,
    });
    await mkdir(dirname(target), { recursive: true });
    await move(join(work, basename(nameOf(stdout))), target);
    await writeFile(target.replace(/(\.tgz)?$/, ".cdx.json"), billed);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

// What no export reaches stays TypeScript, which nobody can import from a package.
async function removeSources(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (/(?<!\.d)\.ts$/.test(path)) await rm(join(folder, path));
  }
}

async function addCommand(folder: string): Promise<void> {
  await mkdir(join(folder, "bin"));
  const parts = join(ROOT, ".ci/package");
  await copyFile(join(parts, "scoreframe.js"), join(folder, "bin/scoreframe.js"));
  await copyFile(join(parts, "requires_deno.js"), join(folder, "requires_deno.js"));
}

async function addFonts(folder: string): Promise<void> {
  const fonts = "src/report/chart/render/fonts";
  await cp(join(ROOT, fonts), join(folder, fonts), { recursive: true });
}

async function writeManifest(folder: string): Promise<void> {
  const path = join(folder, "package.json");
  const compiled = JSON.parse(await readFile(path, "utf8"));
  const { version, description, dependencies, devDependencies }: Manifest = JSON.parse(
    await readFile(join(ROOT, "package.json"), "utf8"),
  );
  const peers = <Value>(valueOf: (name: string) => Value) =>
    Object.fromEntries(OPTIONAL_PEERS.map((name) => [name, valueOf(name)]));
  const manifest = {
    ...compiled,
    name: "scoreframe",
    version,
    description,
    keywords: ["factor", "research", "polars", "deno", "jupyter"],
    engines: { deno: ">=2.9.0" },
    bin: { scoreframe: "bin/scoreframe.js" },
    exports: onlyForDeno(compiled.exports),
    dependencies,
    peerDependencies: peers((name) => devDependencies[name]),
    peerDependenciesMeta: peers(() => ({ optional: true })),
    ...repository(),
  };
  await writeFile(path, `${JSON.stringify(manifest, null, 2)}\n`);
}

// npm compares it with what signed the provenance.
function repository(): { readonly repository?: object } {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env;
  if (server === undefined || name === undefined) return {};
  return { repository: { type: "git", url: `git+${server}/${name}.git` } };
}

function onlyForDeno(exports: Exports): Exports {
  return Object.fromEntries(
    Object.entries(exports).map(([name, { types, import: module }]) => [
      name,
      {
        ...(types !== undefined && { types }),
        ...(module !== undefined && { deno: module }),
        default: "./requires_deno.js",
      },
    ]),
  );
}

function nameOf(stdout: string): string {
  const [packed]: readonly { readonly filename: string }[] = JSON.parse(stdout);
  if (packed === undefined) throw new Error(`Cannot pack: expected a tarball, got ${stdout}`);
  return packed.filename;
}

// A rename does not cross file systems.
async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(() => copyFile(from, to));
  process.stdout.write(`${to}\n`);
}
