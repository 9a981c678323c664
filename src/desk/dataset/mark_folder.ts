import { join } from "node:path";
import { writeWhole } from "../../base/disk/replace_file.ts";
import { exportMark } from "../../base/runtime/export_mark.ts";

/** Writes which studies were open beside exported tables, which have no place for it. */
export async function markFolder(folder: string): Promise<void> {
  const mark = exportMark();
  if (mark === null) return;
  await writeWhole(join(folder, "scoreframe-study.json"), `${JSON.stringify({ mark })}\n`);
}
