import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../helpers/source_files.ts";

const FOLDER = join(ROOT, ".github/workflows");
const workflows = await Promise.all(
  (await readdir(FOLDER)).map(async (name) =>
    [name, await readFile(join(FOLDER, name), "utf8")] as const
  ),
);

describe.each(workflows)("the workflow %s", (_, text) => {
  test("takes each action at a commit, with its version in words", () => {
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(actions.length).toBeGreaterThan(1);
    const loose = actions.filter((it) =>
      !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(it)
    );
    expect(loose).toEqual([]);
  });

  test("has no permission but those that it names, and keeps no token in the clone", () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
    expect(text).not.toMatch(/write-all|secrets\./);
    const clones = [...text.matchAll(/actions\/checkout@/g)].length;
    expect([...text.matchAll(/persist-credentials: false/g)]).toHaveLength(clones);
  });
});

test("publishing states where the package was made, and needs no token", () => {
  const [, text] = workflows.find(([name]) => name === "publish.yml")!;
  expect(text).toContain("id-token: write");
  expect(text).toContain("npm publish scoreframe.tgz --provenance");
  expect([...text.matchAll(/: write/g)]).toHaveLength(1);
});
