import { expect, test } from "vitest";
import { buildProgressBar } from "../../../src/app/demo/start_demo.ts";
import type { ProgressState } from "../../../src/frames/notebook/kernel/progress.ts";

function record(times: readonly number[]) {
  const shown: (ProgressState | "finished")[] = [];
  let next = 0;
  const start = () => ({
    update: (state: ProgressState) => void shown.push(state),
    finish: () => Promise.resolve(void shown.push("finished")),
  });
  const bar = buildProgressBar(start, () => times[next++]!);
  return { bar, shown };
}

test("the progress of building is not shown in the first half second", async () => {
  const { bar, shown } = record([1_000, 1_001, 1_500]);
  bar.update({ done: 1, total: 3 });
  bar.update({ done: 2, total: 3 });
  await bar.finish();
  expect(shown).toEqual([]);
});

test("the progress of building is shown from then on, to its end", async () => {
  const { bar, shown } = record([1_000, 1_001, 1_501]);
  bar.update({ done: 1, total: 3 });
  bar.update({ done: 2, total: 3 });
  bar.update({ done: 3, total: 3 });
  await bar.finish();
  const note = "sessions and hourly checks";
  expect(shown).toEqual([{ done: 2, total: 3, note }, { done: 3, total: 3, note }, "finished"]);
});
