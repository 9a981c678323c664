import { expect, test } from "vitest";
import { informationSummary } from "../../../src/analysis/series/information_summary.ts";
import { byDay } from "../../analysis/series/_frames.ts";
import { shownBundle } from "../../helpers/shown_bundle.ts";

const summary = informationSummary(byDay("ic", Array.from({ length: 30 }, (_, i) => Math.sin(i))), {
  what: "mean <b>IC</b>",
});

test("a result of several frames shows its sentences and each frame with its name", async () => {
  const bundle = await shownBundle(summary);
  expect(Object.keys(bundle)).toEqual(["text/html", "text/plain"]);
  expect(bundle["text/plain"]).toBe(String(summary));
  expect(String(summary)).toMatch(/^The mean <b>IC<\/b> at 1 session is .*\n\ntable\n1 row /);
  expect(Deno.inspect(summary)).toBe(String(summary));
});

test("what callers write is text in a notebook, never markup", async () => {
  const html = String((await shownBundle(summary))["text/html"]);
  expect(html).toContain("mean &lt;b&gt;IC&lt;/b&gt;");
  expect(html).not.toContain("<b>IC</b>");
  expect(html).toContain("<b>checks</b>");
});
