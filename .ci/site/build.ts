/**
 * Builds the site: `deno task docs [--out FOLDER]`. Guides, notebooks as they look, the reference from the docstrings, the
 * gallery. All links are relative, so that any host serves it, and a browser opens it from a disk.
 *
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { ROOT } from "../../test/helpers/source_files.ts";
import { buildSite } from "./build_site.ts";

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { out: { type: "string", default: join(ROOT, ".scoreframe", "site") } },
});
const pages = await buildSite(values.out);
process.stdout.write(`${pages.length} pages: ${join(values.out, "index.html")}\n`);
