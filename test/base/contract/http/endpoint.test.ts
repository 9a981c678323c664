import { expect, test } from "vitest";
import { endpointOf, ENDPOINTS } from "../../../../src/base/contract/http/endpoint.ts";

test("the endpoints are the five of section 4, with the methods of their Allow header", () => {
  const table = Object.values(ENDPOINTS).map(({ path, methods }) => [path, methods.join(", ")]);
  expect(table).toEqual([
    ["/v1/factors", "GET"],
    ["/v1/scores", "GET"],
    ["/v1/scores/history", "GET"],
    ["/v1/scores/history.csv.gz", "GET, HEAD"],
  ]);
  expect(endpointOf("/v1/Scores")).toBeUndefined();
  expect(endpointOf("/v1/scores/")).toBeUndefined();
});
