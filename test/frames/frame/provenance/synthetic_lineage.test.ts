import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { compare } from "../../../../src/client/compare.ts";
import { plot } from "../../../../src/report/chart/plot/plot.ts";
import {
  isMarkedSynthetic,
  markSynthetic,
} from "../../../../src/frames/frame/provenance/synthetic_lineage.ts";
import { formatFrame } from "../../../../src/frames/notebook/frame/frame_bundle.ts";

const frameOf = () => pl.DataFrame({ ticker: ["A", "B"], ecpnd_score: [0.5, 0.25] });
const made = () => markSynthetic(frameOf(), ["embedded, synthetic"]);

describe("frames that Polars derives from synthetic ones", () => {
  test("are known in every way of deriving them", async () => {
    const frame = made();
    const real = frameOf();
    const derived = [
      frame.select("ticker"),
      frame.filter(pl.col("ecpnd_score").gt(0.3)),
      frame.withColumns(pl.col("ecpnd_score").rank().alias("rank")),
      frame.sort("ticker").head(1),
      frame.groupBy("ticker").agg(pl.col("ecpnd_score").mean()),
      frame.lazy().select(pl.col("ecpnd_score").mean()).collectSync(),
      await frame.lazy().groupBy(["ticker"]).agg(pl.len()).collect(),
      real.join(frame, { on: "ticker" }),
      frame.clone(),
    ];
    expect(derived.map(isMarkedSynthetic)).toEqual(derived.map(() => true));
  });

  test("say so in displays and on charts, also without the column that said it", () => {
    expect(formatFrame(made().select("ticker", "ecpnd_score"))).toContain(
      "2 rows × 2 columns [synthetic]",
    );
    const date = pl.Series("date", [new Date("2026-08-13"), new Date("2026-08-14")], pl.Date);
    const release = made().withColumn(date).select("date", "ecpnd_score");
    expect(plot(release, { x: "date", y: "ecpnd_score" }).description).toContain("Synthetic rows");
  });

  test("are known in a comparison, which is built anew", () => {
    const { changes, summary } = compare(made(), made());
    expect([changes, summary].map(isMarkedSynthetic)).toEqual([true, true]);
    expect(isMarkedSynthetic(compare(frameOf(), frameOf()).changes)).toBe(false);
  });

  test("are partly synthetic beside a source column that says the rows are real", () => {
    const live = frameOf().withColumns(pl.lit("live").alias("source"));
    const joined = live.join(made().select("ticker", "ecpnd_score"), { on: "ticker" });
    expect(formatFrame(joined)).toContain("[partly synthetic]");
    expect(formatFrame(live)).not.toContain("synthetic]");
  });

  test("leave frames alone that have nothing to do with them", () => {
    made();
    expect(isMarkedSynthetic(frameOf().select("ticker"))).toBe(false);
    expect(isMarkedSynthetic(markSynthetic(frameOf(), ["live", "store"]))).toBe(false);
    expect(formatFrame(frameOf())).not.toContain("synthetic");
  });
});
