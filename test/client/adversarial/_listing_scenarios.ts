import { factors, history, latest, named, unspent } from "./_scenario.ts";
import { contract, fields, json, replacing, text } from "./_tampering.ts";

/** Factor list, metadata or JSON itself are wrong or hostile. */
export const LISTING_SCENARIOS = named({
  "a factor twice in the list": factors(
    text((body) => {
      const [first] = JSON.parse(body).factors;
      return JSON.stringify({ factors: [first, first] });
    }),
    contract("a factor that does not repeat"),
  ),
  "a factor list whose path leads to another host": factors(
    replacing("/v1/scores?factor=ecpnd", "//evil/?factor=ecpnd"),
    contract("a relative path under /v1"),
  ),
  ...Object.fromEntries([
    "https://evil.example/v1/scores/history.csv.gz",
    "//evil.example/v1/scores/history.csv.gz",
    "/v1/scores/../../admin",
    "/v2/history.csv.gz",
  ].map((download) => [
    `a download that leads to ${download}`,
    history(fields({ download }), contract("a relative URL under /v1/scores/"), unspent),
  ])),
  "metadata of the other factor": history(
    fields({ factor: "ecqdi" }),
    contract('expected $.factor to be "ecpnd"'),
    unspent,
  ),
  "metadata without a checksum": history(
    json(({ download_sha256: _, ...body }) => body),
    contract("$.download_sha256"),
    unspent,
  ),
  "a score twice in one row, with two numbers": latest(
    replacing('"ecpnd_score":0.3}', '"ecpnd_score":0.3,"ecpnd_score":0.9}'),
    contract('JSON without a repeated name in one object, got "ecpnd_score"'),
  ),
  "a score twice in one row, once spelled in escapes": latest(
    replacing('"ecpnd_score":0.3}', String.raw`"ecpnd_score":0.3,"ecpnd\u005fscore":0.9}`),
    contract('got "ecpnd_score"'),
  ),
  "a status twice in one answer": latest(
    replacing("{", '{"status":"stale",'),
    contract('got "status"'),
  ),
  "metadata with two checksums": history(
    replacing("{", `{"download_sha256":"${"0".repeat(64)}",`),
    contract('got "download_sha256"'),
    unspent,
  ),
});
