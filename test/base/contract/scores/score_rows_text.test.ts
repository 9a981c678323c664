import fc from "fast-check";
import { expect, test } from "vitest";
import { parseScoreRows } from "../../../../src/base/contract/scores/score_rows.ts";
import { readScoreRowsText } from "../../../../src/base/contract/scores/score_set.ts";

const score = fc.option(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(0)));
const tickers = fc.uniqueArray(fc.stringMatching(/^[A-Z0-9.-]{1,16}$/), { minLength: 1 })
  .map((names) => names.toSorted());

test("readScoreRowsText() gives what parseScoreRows() gives of the same text, and where the rows end", () => {
  fc.assert(fc.property(tickers, fc.infiniteStream(score), (names, scores) => {
    const rows = names.map((ticker) => ({ ticker, ecpnd_score: scores.next().value }));
    const text = `{"scores":${JSON.stringify(rows)},"sha256":"0"}`;
    const start = text.indexOf("[");
    const read = readScoreRowsText(text, start);
    expect(read?.rows).toEqual(parseScoreRows(JSON.parse(text).scores, "ecpnd_score"));
    expect(read?.scoreName).toBe("ecpnd_score");
    expect(text.slice(read?.end)).toBe(',"sha256":"0"}');
  }));
});

test("readScoreRowsText() leaves to parseScoreRows() what breaks the API document", () => {
  for (
    const rows of [
      '[{"ticker":"A","ecpnd_score":1.5}]',
      '[{"ticker":"A","ecpnd_score":0},{"ticker":"A","ecpnd_score":0}]',
      '[{"ticker":"B","ecpnd_score":0},{"ticker":"A","ecpnd_score":0}]',
      '[{"ticker":"A","ecpnd_score":0,"other":1}]',
      '[{"ticker":"A","ecpnd_score":0}',
      "[]",
    ]
  ) expect(readScoreRowsText(rows, 0)).toBeNull();
});
