import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { informationSummary } from "../../../src/analysis/series/information_summary.ts";
import { monotonicity } from "../../../src/analysis/series/monotonicity.ts";
import { stability } from "../../../src/analysis/series/stability.ts";

describe("sessions, months and periods in a summary", () => {
  const dated = (dates: readonly string[]) =>
    pl.DataFrame({ session: dates, ic: dates.map((_, i) => 0.05 + 0.1 * Math.sin(i * i)) });
  const months = Array.from(
    { length: 30 },
    (_, i) => new Date(Date.UTC(2020, i + 1, 0)).toISOString().slice(0, 10),
  );
  const days = Array.from(
    { length: 30 },
    (_, i) => new Date(Date.UTC(2020, 0, 1 + i)).toISOString().slice(0, 10),
  );

  test("values of every month are of periods: scores of daily prices have the same dates", () => {
    expect(informationSummary(dated(months)).text).toMatch(/ at 1 period is .* 30 periods\)/);
    expect(informationSummary(dated(months)).text).not.toContain("session");
    const what = "mean gain of the morning session";
    expect(informationSummary(dated(months), { what }).text).toMatch(
      /^The mean gain of the morning session at 1 period is .* 30 periods\)/,
    );
  });

  test("the sessions of the prices tell that they are months", () => {
    const sessions = pl.DataFrame({ session: months });
    expect(informationSummary(dated(months), { sessions }).text).toMatch(
      / at 1 month is .* 30 months\)/,
    );
  });

  test("daily values are of sessions, and so is a single one", () => {
    expect(informationSummary(dated(days)).text).toContain("30 sessions)");
    expect(informationSummary(dated(days.slice(0, 1))).text).toContain("(1 session; ");
  });

  test("steps of quantiles and parts of a sample say so too", () => {
    const returns = pl.concat(
      [1, 2].map((quantile) =>
        dated(months).rename({ ic: "return" }).withColumns(
          pl.lit(quantile).alias("quantile"),
          pl.col("return").mul(pl.lit(quantile)),
        )
      ),
    );
    expect(monotonicity(returns).text).toMatch(/at 1 period /);
    expect(stability(dated(months), { by: "half" }).text).toMatch(/^At 1 period, .*periods\)/);
  });
});
