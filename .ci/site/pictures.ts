import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Chart, icChart } from "../../src/report/chart/mod.ts";
import { type Sheet, tearSheet } from "../../src/report/sheet/mod.ts";
import { ROOT } from "../../test/helpers/source_files.ts";
import { sampleAnalyses } from "./sample_analyses.ts";

/** Where the pictures of the README stand. */
export const PICTURES = join(ROOT, "docs", "pictures");

/** What the pictures of the README show. */
export interface Pictured {
  readonly chart: Chart;
  readonly sheet: Sheet;
  /** What they were drawn from, as hashes: equal ones mean that the pictures are in step. */
  readonly drawn: Readonly<Record<"chart" | "sheet", string>>;
}

/** Computes what the pictures of the README show. */
export async function pictured(): Promise<Pictured> {
  const [analysis] = await sampleAnalyses(["ecpnd"]);
  const chart = icChart(analysis!, { horizon: 5, widthPx: 760 });
  const sheet = tearSheet(analysis!);
  const drawn = {
    chart: hash(JSON.stringify(chart.spec)),
    sheet: hash(await sheet.toHtml()),
  };
  return { chart, sheet, drawn };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
