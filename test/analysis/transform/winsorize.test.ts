import pl, { type DataFrame } from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { informationCoefficient, winsorize } from "../../../src/analysis/mod.ts";
import { expectNear } from "../../helpers/expect_near.ts";
import { shuffled } from "../_frames.ts";

const SCORES = [0.3, -5, 0.1, 0.2, 7.5, 0.4, null, 0.4, 0.9];

function days(...sessions: readonly (readonly (number | null)[])[]): DataFrame {
  const rows = sessions.flatMap((scores, d) =>
    scores.map((score, i) => ({ session: `2026-10-${29 + d}`, ticker: `T${10 + i}`, score }))
  );
  return pl.DataFrame([
    pl.Series("session", rows.map(({ session }) => session), pl.Utf8),
    pl.Series("ticker", rows.map(({ ticker }) => ticker), pl.Utf8),
    pl.Series("score", rows.map(({ score }) => score), pl.Float64),
    pl.Series("return_1", rows.map((_, i) => i / 100), pl.Float64),
  ]);
}

const scoresOf = (frame: DataFrame) => frame.getColumn("score").toArray() as (number | null)[];

describe("winsorize()", () => {
  test("draws the ends of each session in to the quantiles of pandas, and leaves nulls", () => {
    const drawn = scoresOf(winsorize(days(SCORES, [2, 1]), { share: 0.1 }));
    const clipped = [0.3, -1.43, 0.1, 0.2, 2.88, 0.4, null, 0.4, 0.9, 1.9, 1.1];
    for (const [i, expected] of clipped.entries()) {
      if (expected === null) expect(drawn[i]).toBeNull();
      else expectNear(drawn[i], expected, 1e-12);
    }
  });

  test("knows nothing of later sessions, nor of the order of rows", () => {
    const both = days(SCORES, [1000, -1000]);
    const first = scoresOf(winsorize(days(SCORES), { share: 0.1 }));
    expect(scoresOf(winsorize(both, { share: 0.1 })).slice(0, SCORES.length)).toEqual(first);
    expect(scoresOf(winsorize(shuffled(both, 3)))).toEqual(scoresOf(winsorize(both)));
  });

  test("takes scores by date or instant, of any name, as its siblings do", () => {
    const plain = days(SCORES, [2, 1]);
    const drawn = scoresOf(winsorize(plain, { share: 0.1 }));
    const dated = plain.rename({ session: "date", score: "ecpnd_score" });
    expect(winsorize(dated, { share: 0.1 }).getColumn("ecpnd_score").toArray()).toEqual(drawn);
    const own = plain.rename({ session: "date", score: "mine" });
    expect(winsorize(own, { share: 0.1, score: "mine" }).getColumn("mine").toArray()).toEqual(
      drawn,
    );
  });

  test("with a share of 0 changes nothing, and keeps a correlation of ranks without ties", () => {
    const plain = days(Array.from({ length: 12 }, (_, i) => (i * 7) % 12));
    expect(scoresOf(winsorize(plain, { share: 0 }))).toEqual(scoresOf(plain));
    const ic = (frame: DataFrame) => informationCoefficient(frame).getColumn("ic").toArray();
    expect(ic(winsorize(plain, { share: 0.01 }))).toEqual(ic(plain));
  });

  test("refuses a share that leaves nothing between the ends", () => {
    for (const share of [0.5, -0.1, NaN]) {
      expect(() => winsorize(days(SCORES), { share })).toThrow(RangeError);
    }
    expect(() => winsorize(days(SCORES), { shares: 0.1 } as never)).toThrow(/share\?/);
  });
});
