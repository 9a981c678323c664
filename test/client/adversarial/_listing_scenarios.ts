import type { Scenario } from "./_scenario.ts";
import { contract, json, text } from "./_tampering.ts";

/** Factor list, metadata or JSON itself are wrong or hostile. */
export const LISTING_SCENARIOS: readonly Scenario[] = [
  {
    name: "a factor twice in the list",
    load: "factors",
    tampering: text((body) => {
      const [first] = JSON.parse(body).factors;
      return JSON.stringify({ factors: [first, first] });
    }),
    must: contract("a factor that does not repeat"),
    requests: 1,
  },
  {
    name: "a factor list whose path leads to another host",
    load: "factors",
    tampering: text((body) => body.replace("/v1/scores?factor=ecpnd", "//evil/?factor=ecpnd")),
    must: contract("a relative path under /v1"),
    requests: 1,
  },
  ...[
    "https://evil.example/v1/scores/history.csv.gz",
    "//evil.example/v1/scores/history.csv.gz",
    "/v1/scores/../../admin",
    "/v2/history.csv.gz",
  ].map((download): Scenario => ({
    name: `a download that leads to ${download}`,
    load: "history",
    tampering: text((body) => JSON.stringify({ ...JSON.parse(body), download })),
    must: contract("a relative URL under /v1/scores/"),
    requests: 1,
    downloads: 0,
  })),
  {
    name: "metadata of the other factor",
    load: "history",
    tampering: text((body) => JSON.stringify({ ...JSON.parse(body), factor: "ecqdi" })),
    must: contract('$.factor to be "ecpnd"'),
    requests: 1,
    downloads: 0,
  },
  {
    name: "metadata without a checksum",
    load: "history",
    tampering: json(({ download_sha256: _, ...body }) => body),
    must: contract("$.download_sha256"),
    requests: 1,
    downloads: 0,
  },
  {
    name: "a score twice in one row, with two numbers",
    load: "latest",
    tampering: text((body) =>
      body.replace('"ecpnd_score":0.3}', '"ecpnd_score":0.3,"ecpnd_score":0.9}')
    ),
    must: contract('JSON without a repeated name in one object, got "ecpnd_score"'),
    requests: 1,
  },
  {
    name: "a score twice in one row, once spelled in escapes",
    load: "latest",
    tampering: text((body) =>
      body.replace('"ecpnd_score":0.3}', String.raw`"ecpnd_score":0.3,"ecpnd\u005fscore":0.9}`)
    ),
    must: contract('got "ecpnd_score"'),
    requests: 1,
  },
  {
    name: "a status twice in one answer",
    load: "latest",
    tampering: text((body) => body.replace("{", '{"status":"stale",')),
    must: contract('got "status"'),
    requests: 1,
  },
  {
    name: "metadata with two checksums",
    load: "history",
    tampering: text((body) => body.replace("{", `{"download_sha256":"${"0".repeat(64)}",`)),
    must: contract('got "download_sha256"'),
    requests: 1,
    downloads: 0,
  },
];
