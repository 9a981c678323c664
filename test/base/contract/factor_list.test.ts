import { expect, test } from "vitest";
import { encodeFactorList, parseFactorList } from "../../../src/base/contract/factor_list.ts";

test("a factor list comes back from parse and encode as it was", () => {
  const wire = {
    factors: [{
      factor: "ecqdi",
      score_name: "ecqdi_score",
      factor_version: "ecqdi-v1",
      scores: "/v1/scores?factor=ecqdi",
      history: "/v1/scores/history?factor=ecqdi",
      label: "kept",
    }],
  };
  expect(encodeFactorList(parseFactorList(wire))).toEqual(wire);
  expect(parseFactorList({ factors: [] })).toEqual([]);
});

test("parseFactorList() refuses a path that selects the other factor, and a factor that repeats", () => {
  const entry = {
    factor: "ecpnd",
    score_name: "ecpnd_score",
    factor_version: "ecpnd-v1",
    scores: "/v1/scores?factor=ecpnd",
    history: "/v1/scores/history?factor=ecpnd",
  };
  expect(() => parseFactorList({ factors: [{ ...entry, scores: "/v1/scores?factor=ecqdi" }] }))
    .toThrow("$.factors[0].scores: expected a relative path under /v1 with factor=ecpnd");
  expect(() =>
    parseFactorList({ factors: [{ ...entry, history: "/v1/scores/history?factor=ecqdi" }] })
  )
    .toThrow(/\$\.factors\[0\]\.history: .* factor=ecpnd/);
  expect(() => parseFactorList({ factors: [{ ...entry, scores: "/v2/scores?factor=ecpnd" }] }))
    .toThrow(/\$\.factors\[0\]\.scores: .*"\/v2\/scores/);
  expect(() => parseFactorList({ factors: [entry, entry] }))
    .toThrow("$.factors[1].factor: expected a factor that does not repeat");
});

test("parseFactorList() refuses the other factor's score name, and empty texts", () => {
  const entry = {
    factor: "ecpnd",
    score_name: "ecpnd_score",
    factor_version: "ecpnd-v1",
    scores: "/v1/scores?factor=ecpnd",
    history: "/v1/scores/history?factor=ecpnd",
  };
  expect(() => parseFactorList({ factors: [{ ...entry, score_name: "ecqdi_score" }] }))
    .toThrow('$.factors[0].score_name: expected "ecpnd_score", got "ecqdi_score"');
  expect(() => parseFactorList({ factors: [{ ...entry, factor_version: "" }] }))
    .toThrow("$.factors[0].factor_version: expected text that is not empty");
  expect(() => parseFactorList({ factors: [{ ...entry, factor: "other" }] }))
    .toThrow('$.factors[0].factor: expected "ecpnd" or "ecqdi", got "other"');
  expect(() => parseFactorList({ factors: {} })).toThrow("$.factors");
});
