import { type Dataset, openDataset } from "../../../src/desk/dataset/mod.ts";

/** The newest state of a dataset; each file that it names has the bytes that it states. */
export async function look(folder: string): Promise<Dataset> {
  const dataset = await openDataset(folder);
  for (const partition of dataset.partitions) await dataset.assertWhole(partition);
  return dataset;
}
