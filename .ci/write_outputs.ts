/**
 * Runs the code blocks of the documents and writes what they print below them, where a document shows it already.
 * `deno task generate outputs` writes all of them, `deno task generate outputs docs/views.md` those of one.
 *
 * @module
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import {
  type Document,
  documents,
  programsOf,
  runProgram,
  writeProgram,
} from "../test/helpers/source/documents.ts";
import { ROOT } from "../test/helpers/source_files.ts";

const chosen = process.argv.slice(2);
for (const document of await documents()) {
  if (chosen.length > 0 && !chosen.includes(document.path)) continue;
  const text = await withOutputs(document);
  if (text === document.text) continue;
  await writeFile(join(ROOT, document.path), text);
  process.stdout.write(`${document.path}: outputs written\n`);
}

async function withOutputs(document: Document): Promise<string> {
  let { text } = document;
  for (const program of programsOf(document).filter((entry) => !entry.isIgnored)) {
    const printed = await runProgram(await writeProgram(program, "outputs"));
    for (const [i, { code, output }] of program.blocks.entries()) {
      if (output === null) continue;
      const fence = (content: string) => `${code}\`\`\`\n\n\`\`\`text\n${content}\`\`\`\n`;
      text = text.replace(fence(output), () => fence(`${printed[i]}\n`));
    }
  }
  return text;
}
