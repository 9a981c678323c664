import { expect, test } from "vitest";
import {
  entrySentence,
  entryText,
  type Timing,
} from "../../../../src/base/wording/sentences/timing_text.ts";

const usual: Timing = { entry: "next", entryLag: 0, delay: 0, kind: "date", price: "close" };

test.each<[Partial<Timing>, string]>([
  [{}, "entered at the next close"],
  [{ price: "open" }, "entered at the next open"],
  [{ entry: "same" }, "entered at the close of the decision"],
  [{ entryLag: 3 }, "entered 3 sessions after the next close"],
  [{ delay: 5 }, "entered at the next close and a delay of 5 sessions"],
  [{ kind: "instant", delay: 432_000_000 }, "entered at the next close and a delay of 5 days"],
  [
    { kind: "instant", delay: 900_000, entryLag: 1 },
    "entered 1 session after the next close and a delay of 15 minutes",
  ],
])("the caption of %o says so", (given, says) => {
  expect(entryText({ ...usual, ...given })).toBe(says);
  expect(entrySentence({ ...usual, ...given })).toContain(
    given.delay === undefined ? "Positions are entered" : says.slice(says.indexOf("and a delay")),
  );
});
