import { join } from "node:path";
import { compareSheets, tearSheet } from "../../src/report/sheet/mod.ts";
import { sampleAnalyses } from "./sample_analyses.ts";

/** Saves a tear sheet of the synthetic world, and one of both factors beside each other. */
export async function saveSheets(out: string): Promise<void> {
  const [first, second] = await sampleAnalyses(["ecpnd", "ecqdi"]);
  await tearSheet(first!).save(join(out, "sheet.html"));
  await compareSheets([first!, second!]).save(join(out, "compare.html"));
}
