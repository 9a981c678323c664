import pl from "nodejs-polars";
import { expect, test } from "vitest";
import {
  heldOutOf,
  markHeldOut,
  rowsBefore,
} from "../../../../src/frames/frame/provenance/held_out.ts";
import {
  inheritSynthetic,
  isMarkedSynthetic,
  markSynthetic,
} from "../../../../src/frames/frame/provenance/synthetic_lineage.ts";

const HELD = { from: "2026-08-13", sessions: 3, looks: 0, isOpen: false };
const days = ["2026-08-12", "2026-08-13", "2026-08-14"].map((day) => new Date(day));
const frameOf = () =>
  pl.DataFrame([pl.Series("date", days, pl.Date), pl.Series("score", [1, 2, 3])]);

test("rows before a date are kept, of frames and of lazy frames", async () => {
  expect(rowsBefore(frameOf(), "2026-08-13").getColumn("score").toArray()).toEqual([1]);
  const lazy = await rowsBefore(frameOf().lazy(), "2026-08-14").collect();
  expect(lazy.getColumn("score").toArray()).toEqual([1, 2]);
});

test("a frame with a hold-out gives it to every frame that Polars derives from it", async () => {
  const frame = markHeldOut(frameOf(), HELD);
  const derived = [
    frame.select("score"),
    frame.filter(pl.col("score").gt(1)),
    frameOf().join(frame, { on: "date" }),
    await frame.lazy().select("score").collect(),
    pl.concat([frame, frame]),
  ];
  expect(derived.map(heldOutOf)).toEqual(derived.map(() => HELD));
  expect(heldOutOf(frameOf())).toBeNull();
  expect(heldOutOf(markHeldOut(frameOf(), null))).toBeNull();
});

test("a frame that is built anew inherits the hold-out of the others", () => {
  const made = inheritSynthetic(frameOf(), [frameOf(), markHeldOut(frameOf(), HELD)]);
  expect([heldOutOf(made), isMarkedSynthetic(made)]).toEqual([HELD, false]);
});

test("a frame may be synthetic and have a hold-out", () => {
  const frame = markSynthetic(markHeldOut(frameOf(), HELD), ["store, synthetic"]).head(1);
  expect([isMarkedSynthetic(frame), heldOutOf(frame)]).toEqual([true, HELD]);
});
