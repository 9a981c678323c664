import { type Dataset, openDataset } from "../../../src/desk/dataset/mod.ts";

/** The newest version of a dataset; each file that it names has the bytes that it states. */
export async function look(folder: string): Promise<Dataset> {
  const dataset = await openDataset(folder);
  for (const partition of dataset.partitions) await dataset.assertWhole(partition);
  return dataset;
}

/** All rows of the newest version, by table, whatever their files. */
export async function rowsOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const dataset = await look(folder);
  const tables = [...new Set(dataset.partitions.map(({ table }) => table))];
  const frames = await Promise.all(tables.map((table) => dataset.read(table)));
  return Object.fromEntries(tables.map((table, i) => [table, frames[i]!.rows()]));
}
