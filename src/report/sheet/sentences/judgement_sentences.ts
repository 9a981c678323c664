import type { DataFrame } from "nodejs-polars";
import { gatherTopics } from "../../../analysis/judgement/fact.ts";
import type { Judgement } from "../../../analysis/judgement/judgement.ts";
import type { Topic } from "../sheet_content.ts";

/** The sentences of a judgement by topic. */
export function topicsOf({ facts }: Judgement): readonly Topic[] {
  const rows = facts.toRecords().map((row) => ({
    topic: String(row["topic"]),
    statement: String(row["statement"]),
  }));
  return gatherTopics(rows);
}

/** The sentences of some topics, or from some frames, in the order of the names. */
export function statements(
  facts: DataFrame,
  column: "topic" | "source",
  names: readonly string[],
): readonly string[] {
  const rows = facts.toRecords() as readonly Record<string, unknown>[];
  return names.flatMap((name) =>
    rows.filter((row) => row[column] === name).map((row) => String(row["statement"]))
  );
}
