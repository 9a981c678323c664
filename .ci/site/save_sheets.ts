import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeFactor } from "../../src/analysis/mod.ts";
import { compareSheets, tearSheet } from "../../src/sheet/mod.ts";
import { demo, readPrices } from "../../mod.ts";

/** Saves a tear sheet of the synthetic world, and one of both factors beside each other. */
export async function saveSheets(out: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "scoreframe-site-"));
  const api = await demo({ folder });
  try {
    const prices = await readPrices(join(folder, "closes.csv"));
    const options = { progress: false } as const;
    const first = await analyzeFactor(await api.history("ecpnd"), prices, options);
    const second = await analyzeFactor(await api.history("ecqdi"), prices, options);
    await tearSheet(first).save(join(out, "sheet.html"));
    await compareSheets(first, second).save(join(out, "compare.html"));
  } finally {
    await api.close();
    await rm(folder, { recursive: true });
  }
}
