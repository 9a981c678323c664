import pl from "nodejs-polars";
import { describe, expect, test } from "vitest";
import { permutationTest } from "../../../src/analysis/factor_test/permutation_test.ts";

// Seven names over 24 sessions with nulls and ties on both sides; the last name has no group.
const cells = Array.from({ length: 24 * 7 }, (_, k) => ({ d: Math.floor(k / 7), i: k % 7 }));
const data = pl.DataFrame([
  pl.Series("session", cells.map(({ d }) => new Date(Date.UTC(2026, 0, 5 + d))), pl.Date),
  pl.Series("ticker", cells.map(({ i }) => `T${i}`), pl.Utf8),
  pl.Series(
    "score",
    cells.map(({ d, i }) =>
      d * i % 11 === 7 ? null : Math.round(5 * Math.sin(1 + 0.7 * d + 2.3 * i * i)) / 5
    ),
    pl.Float64,
  ),
  pl.Series(
    "return_1",
    cells.map(({ d, i }) =>
      (d + 3 * i) % 13 === 5 ? null : 0.02 * Math.cos(1.9 * d * (i + 1) + i) + 0.01 * Math.cos(d)
    ),
    pl.Float64,
  ),
]);
const grouped = data.withColumns(
  pl.Series("group", cells.map(({ i }) => i === 6 ? null : `G${i % 2}`), pl.Utf8),
);

describe("permutationTest", () => {
  // From every permutation of every session, dealt out by a program in Python, with betas of numpy's polyfit.
  test.each([
    ["session", data, {
      ...{ sessions: 24, names: 5.958333333333333, mean: 0.1515681088056647, expected: 0 },
      ...{ standard_error: 0.09390251790360586, z: 1.6141005820659096, p: 0.10650561116383958 },
      dispersion: 1.0330139658986282,
    }],
    ["group", grouped, {
      ...{ sessions: 24, names: 5.125, mean: 0.17349901807471735, expected: 0.008333553323851528 },
      ...{ standard_error: 0.09811428961666611, z: 1.6833986710413904, p: 0.09229794036675344 },
      dispersion: 0.793089559755641,
    }],
  ])("agrees with all permutations within each %s, counted one by one", (within, frame, known) => {
    const [row]: Readonly<Record<string, unknown>>[] = permutationTest(frame, { minNames: 4 })
      .toRecords();
    expect(row).toMatchObject({ within, reason: null });
    // Permutations know no order of sessions; the errors also hold what follows from it.
    const runs = Math.sqrt(
      (1 + Number(row!["autocorrelation"])) / (1 - Number(row!["autocorrelation"])),
    );
    const { standard_error: error, z, p: _p, ...rest } = known;
    const found = {
      ...row,
      standard_error: Number(row!["standard_error"]) / runs,
      z: Number(row!["z"]) * runs,
    };
    for (const [name, value] of Object.entries({ ...rest, standard_error: error, z })) {
      expect(Math.abs(Number(found[name as "z"]) - value), name).toBeLessThan(1e-9);
    }
  });

  test("permutes among all names of a session if that is asked for", () => {
    expect(permutationTest(grouped, { within: "session", minNames: 4 }).toString())
      .toBe(permutationTest(data, { minNames: 4 }).toString());
  });

  test("does not depend on the order of the rows", () => {
    const shuffled = grouped.sort(["ticker", "session"]);
    expect(permutationTest(shuffled, { minNames: 4 }).toString())
      .toBe(permutationTest(grouped, { minNames: 4 }).toString());
  });

  test.each([
    ["19 sessions", data.head(19 * 7), {}, "too_few_windows"],
    ["too few names", data, { minNames: 10 }, "too_few_names"],
    [
      "constant scores",
      data.withColumns(pl.lit(0.5).alias("score")),
      { minNames: 4 },
      "no_variance",
    ],
  ])("states no p for %s, and says why", (_, frame, options, reason) => {
    const [row] = permutationTest(frame, { minNames: 4, ...options }).toRecords();
    expect(row).toMatchObject({ p: null, z: null, standard_error: null, reason });
  });

  test("says what is missing", () => {
    expect(() => permutationTest(data, { within: "group" })).toThrow(/within groups: .* got none/);
    expect(() => permutationTest(data.drop("return_1"))).toThrow("add 1 to the periods");
    expect(() => permutationTest(data, { within: "sector" as never })).toThrow(
      '"group" or "session"',
    );
  });
});
