import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readPrices } from "../../../src/frames/prices/read_prices.ts";
import { followAdvice } from "../../helpers/follow_advice.ts";
import { VENDOR_FILES } from "./_vendor_files.ts";

const FIELD = join(import.meta.dirname!, "field");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scoreframe-field-"));
  for (const [name, content] of VENDOR_FILES) {
    if (typeof content === "function") content(join(folder, name));
    else await writeFile(join(folder, name), content);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** Each file with the options that the messages advise one after the other, and what is read or asked at the end. */
async function tableOf(place: string): Promise<string> {
  const lines: string[] = [];
  for (const name of (await readdir(place)).toSorted()) {
    if (/scores|sectors|\.md$/.test(name)) continue;
    const outcomes = await followAdvice(async (options) => {
      const { prices, report } = await readPrices(join(place, name), options).withReport();
      const cells = prices.rows().map((row) => row.map(textOf).join(" "));
      const found = report.isClean ? "" : `; ${report.summary}`;
      return `${prices.columns.slice(3).map((column) => `[${column}] `).join("")}${
        cells.join(", ")
      }${found}`;
    });
    for (const { options, result } of outcomes) {
      lines.push(`${name} ${JSON.stringify(options)}`, `    ${result}`);
    }
  }
  return `${lines.join("\n")}\n`.replaceAll(place, "FOLDER");
}

function textOf(value: unknown): string {
  return value instanceof Date ? value.toISOString().slice(0, 10) : String(value);
}

test("each file as researchers have it is read rightly, or asked about, whichever advice is followed", async () => {
  await expect(await tableOf(FIELD)).toMatchFileSnapshot("field_table.txt");
});

test("so are the layouts of vendors and libraries, and the mistakes with them", async () => {
  await expect(await tableOf(folder)).toMatchFileSnapshot("vendor_table.txt");
});
