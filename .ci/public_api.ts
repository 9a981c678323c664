/**
 * The public face as text: every exported name with its signature and public members, by entry point.
 *
 * `deno run -A .ci/public_api.ts` writes `.ci/public_api.txt`; with `--check` it compares, and fails with the lines that
 * differ, so that no change of the face goes unseen.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { ROOT } from "../test/helpers/source_files.ts";
import { type ApiSymbol, readApi } from "./site/api_doc.ts";
import { membersOf, signatureOf } from "./site/print_declaration.ts";

const REPORT = join(ROOT, ".ci/public_api.txt");
const OTHER_RUNTIME = join(ROOT, ".ci/package/requires_deno.js");
const MAX_SHOWN = 40;

const text = await reportText();
if (process.argv.includes("--check")) await compare(text);
else {
  await writeFile(REPORT, text);
  await writeFile(OTHER_RUNTIME, otherRuntime(text));
}

async function reportText(): Promise<string> {
  const { exports } = JSON.parse(await readFile(join(ROOT, "deno.json"), "utf8")) as {
    exports: Readonly<Record<string, string>>;
  };
  const parts = await Promise.all(
    Object.entries(exports).filter(([name]) => name !== "./cli").map(async ([name, path]) => {
      const { symbols } = await readApi(path.replace("./", ""));
      const specifier = name === "." ? "scoreframe" : name.replace(".", "scoreframe");
      return `# ${specifier}\n\n${inOrder(symbols).map(symbolText).join("\n")}`;
    }),
  );
  return `${parts.join("\n\n")}\n`;
}

/** The module that other runtimes get: with every name, since Node looks for those of an import before a line runs. */
function otherRuntime(report: string): string {
  const found = report.matchAll(/^(?:class|const|(?:async )?function) (\w+)/gm);
  const names = [...new Set([...found].map(([, name]) => name!))].toSorted();
  return [
    "// What every runtime but Deno gets of this package; written by `deno task generate face`.",
    "const none = undefined;",
    ...names.map((name) => `export { none as ${name} };`),
    "throw new Error(",
    '  "Cannot load scoreframe: expected Deno 2.9 or later, got another runtime; " +',
    '    "use `npx --yes deno@2.9.6 run -A YOUR_SCRIPT.ts`",',
    ");",
    "",
  ].join("\n");
}

function inOrder(symbols: readonly ApiSymbol[]): readonly ApiSymbol[] {
  return symbols.toSorted((a, b) => a.name < b.name ? -1 : 1);
}

function symbolText({ name, declarations }: ApiSymbol): string {
  return declarations.flatMap((one) => [
    signatureOf(name, one),
    ...membersOf(one.def ?? {}, { symbols: true }).map(({ code }) =>
      `  ${code.replaceAll(/\s+/g, " ")}`
    ),
  ]).join("\n");
}

async function compare(now: string): Promise<void> {
  const before = await readFile(REPORT, "utf8").catch(() => "");
  if (before === now) return void process.stdout.write("Public face: unchanged\n");
  const old = new Set(before.split("\n"));
  const fresh = new Set(now.split("\n"));
  const changes = [
    ...[...old].filter((line) => !fresh.has(line)).map((line) => `- ${line}`),
    ...[...fresh].filter((line) => !old.has(line)).map((line) => `+ ${line}`),
  ];
  const more = changes.length > MAX_SHOWN ? [`… ${changes.length - MAX_SHOWN} more`] : [];
  process.stdout.write(
    `The public face differs from .ci/public_api.txt; if that is meant, run deno task generate face:\n${
      [...changes.slice(0, MAX_SHOWN), ...more].join("\n")
    }\n`,
  );
  process.exitCode = 1;
}
