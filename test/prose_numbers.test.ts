import { expect, test } from "vitest";
import type { Notebook } from "./helpers/jupyter/jupyter.ts";
import { strayNumbers } from "./helpers/jupyter/prose_numbers.ts";

const markdown = (source: string) => ({ cell_type: "markdown", source, metadata: {} });
const code = (source: string, shown: string) => ({
  cell_type: "code",
  source,
  metadata: {},
  outputs: [{ output_type: "execute_result", data: { "text/plain": shown } }],
});
const stray = (prose: string) =>
  strayNumbers(
    {
      cells: [
        markdown("Costs 9 requests."),
        code("lag(21)", "mean 0.0524\nrows 1,206\nmove −0.00735"),
        markdown(prose),
      ],
    } as unknown as Notebook,
  ).map(({ written }) => written);

test.each([
  "A mean of 0.052 in 1,206 rows, 21 sessions back.",
  "It is 5.24 %, and the move is −74 bps, or 0.7 % down.",
  "As of `2030-01-01` nothing [changed](guide-17.md).",
])("a number that is shown or named near by is explained: %s", (prose) => {
  expect(stray(prose)).toEqual([]);
});

test.each([
  ["A mean of 0.053.", ["0.053"]],
  ["It has 1,205 rows, of which 12 are new.", ["1,205", "12"]],
  ["It moves 5.24 and loses 74.", ["5.24", "74"]],
])("a number that drifted is found: %s", (prose, found) => {
  expect(stray(prose)).toEqual(found);
});

test("an output far above explains nothing", () => {
  const cells = [
    markdown("Opening."),
    code("a()", "0.0524"),
    ...Array.from({ length: 4 }, () => code("b()", "1")),
    markdown("A mean of 0.052."),
  ];
  expect(strayNumbers({ cells } as unknown as Notebook)).toHaveLength(1);
});
