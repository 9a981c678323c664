import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { IntegrityError, NotFoundError } from "../../src/errors.ts";
import { pathOf, type Service, startService } from "./_service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

describe("history()", () => {
  test("gives date, ticker, score and seven provenance columns for one download", async () => {
    const api = await service.connect();
    const frame = await api.history("ecpnd");
    expect(frame.columns).toEqual([
      "date",
      "ticker",
      "ecpnd_score",
      "factor",
      "factor_version",
      "universe",
      "download_sha256",
      "availability",
      "source",
      "retrieved_at",
    ]);
    expect(service.requests.map(pathOf)).toEqual([
      "GET /v1/scores/history?factor=ecpnd",
      "HEAD /v1/scores/history.csv.gz?factor=ecpnd",
      "GET /v1/scores/history.csv.gz?factor=ecpnd",
    ]);
    expect(frame.toRecords()[0]).toMatchObject({ factor: "ecpnd", source: "embedded, synthetic" });
  });
});
