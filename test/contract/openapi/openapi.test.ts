import { readFile, rm, writeFile } from "node:fs/promises";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument } from "../../../src/contract/openapi/openapi.ts";

const COMMITTED = new URL("../../../src/contract/openapi/openapi.json", import.meta.url);
const CHANGED = new URL("../../../src/contract/openapi/openapi-changed.json", import.meta.url);

test("the committed openapi.json is what the contract generates", async () => {
  const generated = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  const committed = await readFile(COMMITTED, "utf8").catch(() => "");
  if (generated !== committed) await writeFile(CHANGED, generated);
  else await rm(CHANGED, { force: true });
  expect(generated === committed, "compare openapi-changed.json, and rename it if it is right")
    .toBe(true);
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
