import type { Study } from "../../src/study/study.ts";

/** Loads with a study what a notebook would, with every verb that may send something. */
export async function recordStudy(study: Study): Promise<void> {
  await study.scores("ecpnd");
  await study.scores("ecqdi");
  await study.panel(["ecpnd", "ecqdi"], {
    at: ["2026-11-20T10:30:00Z", "2026-11-20T12:30:00Z", "2026-11-20T14:30:00Z"],
    every: "check",
    progress: false,
  });
  await study.publications("ecpnd", { from: "2026-11-20T08:00:00Z" });
  await study.history("ecpnd", { progress: false });
  await study.history("ecqdi", { progress: false });
}
