import { readFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../../.ci/write_openapi.ts";

const COMMITTED = new URL("../../../src/base/contract/openapi.json", import.meta.url);

test("the committed openapi.json is what the contract generates", async () => {
  const generated = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  const committed = await readFile(COMMITTED, "utf8");
  expect(generated === committed, "run `deno task generate openapi`, and read what it changed")
    .toBe(
      true,
    );
});

test("the OpenAPI document is valid by the specification's own schema", async () => {
  const result = await new Validator().validate(JSON.parse(await readFile(COMMITTED, "utf8")));
  expect(result.errors).toBeUndefined();
  expect(result.valid).toBe(true);
});

test("the OpenAPI document lists the paths, methods, parameters and statuses of section 4", () => {
  const { paths, openapi, info } = JSON.parse(JSON.stringify(openApiDocument()));
  expect(openapi).toBe("3.1.0");
  expect(info.version).toBe("1.2.0");
  const operations = Object.entries<Record<string, unknown>>(paths)
    .flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`)
    );
  expect(operations).toEqual([
    "GET /v1/factors",
    "GET /v1/scores",
    "GET /v1/scores/history",
    "GET /v1/scores/history.csv.gz",
    "HEAD /v1/scores/history.csv.gz",
  ]);
  const { parameters, responses } = paths["/v1/scores"].get;
  expect(parameters.map((parameter: { name: string }) => parameter.name))
    .toEqual(["factor", "ticker", "format", "at", "snapshot_id", "If-None-Match"]);
  expect(Object.keys(responses)).toEqual(
    [
      "200",
      "304",
      "400",
      "401",
      "403",
      "404",
      "405",
      "408",
      "413",
      "414",
      "415",
      "429",
      "431",
      "500",
      "503",
    ],
  );
  expect(paths["/v1/scores/history.csv.gz"].head.responses["503"].content).toBeUndefined();
});

describe("the responses of the OpenAPI document", () => {
  const { paths } = JSON.parse(JSON.stringify(openApiDocument()));
  const FILE = "/v1/scores/history.csv.gz";
  const BUDGETS = ["X-RateLimit", "X-DailyLimit"].flatMap((kind) =>
    ["Limit", "Remaining", "Reset"].map((part) => `${kind}-${part}`)
  );
  const headers = (path: string, method: string, status: string) =>
    paths[path][method].responses[status].headers as Record<string, { required: boolean }>;

  test.each(["200", "400", "401", "403", "404", "405", "429", "500", "503"])(
    "with status %s always have X-Request-Id, Cache-Control and Vary",
    (status) => {
      for (const path of Object.keys(paths)) {
        for (const name of ["X-Request-Id", "Cache-Control", "Vary"]) {
          expect(headers(path, "get", status)[name], `${path} ${name}`).toMatchObject({
            required: true,
          });
        }
      }
    },
  );

  test.each([["200", true], ["304", true], ["400", false], ["403", false], ["404", true]])(
    "with status %s tell the budgets of the minute and the day, always: %s",
    (status, required) => {
      for (const name of BUDGETS) {
        expect(headers("/v1/scores", "get", status)[name]).toMatchObject({ required });
      }
      expect(Object.keys(headers("/v1/scores", "get", "401"))).not.toContain(BUDGETS[0]);
    },
  );

  test("tell the budget of downloads for a GET of the file, which spends it", () => {
    const name = "X-DownloadLimit-Remaining";
    for (const status of ["200", "304", "404", "429"]) {
      expect(Object.keys(headers(FILE, "get", status))).toContain(name);
      expect(Object.keys(headers(FILE, "head", status))).not.toContain(name);
      expect(Object.keys(headers("/v1/scores/history", "get", "200"))).not.toContain(name);
    }
  });

  test("name a file: always that of the release, and that of scores in CSV", () => {
    const name = "Content-Disposition";
    expect(headers(FILE, "get", "200")[name]?.required).toBe(true);
    expect(headers(FILE, "head", "304")[name]?.required).toBe(true);
    expect(headers("/v1/scores", "get", "200")[name]?.required).toBe(false);
    expect(Object.keys(headers("/v1/scores", "get", "304"))).not.toContain(name);
  });
});

test("the operations of the OpenAPI document have names that generated code can use, and are described", () => {
  const { paths, info, tags } = JSON.parse(JSON.stringify(openApiDocument()));
  const operations = Object.values<Record<string, Record<string, unknown>>>(paths)
    .flatMap((item) => Object.values(item));
  expect(operations.map(({ operationId }) => operationId)).toEqual([
    "getFactors",
    "getScores",
    "getHistoryMetadata",
    "getHistoryFile",
    "headHistoryFile",
  ]);
  const names = tags.map((tag: { name: string; description: string }) => {
    expect(tag.description).toMatch(/\S/);
    return tag.name;
  });
  for (const { description, tags: own } of operations) {
    expect(description).toMatch(/sections? 4/);
    expect(names).toEqual(expect.arrayContaining(own as string[]));
  }
  expect(info.contact.name).toMatch(/\S/);
});
