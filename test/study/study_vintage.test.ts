import { join } from "node:path";
import pl from "nodejs-polars";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Study } from "../../src/study/study.ts";
import { assertOneVintage } from "../../src/frames/vintage/one_vintage.ts";
import { provenance } from "../../src/frames/vintage/provenance.ts";
import { isMarkedSynthetic } from "../../src/frames/frame/provenance/synthetic_lineage.ts";
import { startStudyService, type StudyService } from "./_study.ts";

const AT = ["2026-11-20T11:30:00Z", "2026-11-20T14:30:00Z"];
let service: StudyService;
let study: Study;

beforeEach(async () => {
  service = await startStudyService();
  study = await service.open(join(await service.makeFolder(), "momentum"));
});
afterEach(() => service.close());

describe("provenance() of a study", () => {
  test("is what its lock stands on, set by set and release by release", async () => {
    expect(provenance(study).height).toBe(0);
    await study.panel("ecpnd", { at: AT });
    await study.history("ecqdi");
    const origins = provenance(study);
    expect(origins.columns).toEqual([
      "factor",
      "factor_version",
      "universe",
      "snapshot_id",
      "calculated_at",
      "download_sha256",
      "availability",
      "row_count",
    ]);
    const { downloadSha256, availability } = study.lock!.releases[0]!;
    expect(origins.drop("universe").rows()).toEqual([
      [
        "ecpnd",
        "ecpnd-v1",
        "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01",
        new Date("2026-11-20T10:00:00Z"),
        null,
        null,
        8,
      ],
      [
        "ecpnd",
        "ecpnd-v1",
        "3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c02",
        new Date("2026-11-20T13:00:00Z"),
        null,
        null,
        8,
      ],
      ["ecqdi", "ecqdi-v1", null, null, downloadSha256, availability, 3],
    ]);
    expect(isMarkedSynthetic(origins)).toBe(true);
  });
});

describe("assertOneVintage() of a study", () => {
  test("takes a panel over many sets, of both factors, and a release", async () => {
    const panel = await study.panel(["ecpnd", "ecqdi"], { at: AT, layout: "wide" });
    expect(() => assertOneVintage(panel)).toThrow("several score sets");
    expect(assertOneVintage(panel, { study })).toBe(panel);
    assertOneVintage(await study.history("ecqdi"), { study });
    assertOneVintage(panel, { study, per: "at" });
  });

  test("refuses a set or a release that the study does not stand on, with its time", async () => {
    await study.scores("ecpnd");
    const api = await service.connect();
    const other = await api.scores("ecpnd", { at: AT[0]! });
    expect(() => assertOneVintage(other, { study })).toThrow(
      /the study of 2026-11-20T15:00:05\.000Z, got .*3f2b7c1e-9a4d-4c8b-8f10-2d6e5a7b9c01/,
    );
    const release = await api.history("ecpnd");
    expect(() => assertOneVintage(release, { study })).toThrow("got the ecpnd release");
  });

  test("refuses what must not be mixed in a study either", async () => {
    const [live, release] = [await study.scores("ecpnd"), await study.history("ecpnd")];
    const names = ["factor", "ticker", "snapshot_id", "download_sha256"];
    const padded = [
      live.withColumn(pl.lit(null).cast(pl.Utf8).alias("download_sha256")),
      release.withColumn(pl.lit(null).cast(pl.Utf8).alias("snapshot_id")),
    ].map((frame) => frame.select(...names.map((name) => pl.col(name).cast(pl.Utf8))));
    expect(() => assertOneVintage(pl.concat(padded), { study })).toThrow("score sets beside");
    expect(() => assertOneVintage(live, { study: live as never })).toThrow("from openStudy()");
  });
});
