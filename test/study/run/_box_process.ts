// A run in a box that is killed: its cell goes on until it is ended.
import { type BoxTier, executeBoxed } from "../../../src/study/run/box.ts";
import type { NotebookFile } from "../../../src/study/run/notebook_file.ts";
import { notebookOf } from "../../helpers/jupyter/jupyter.ts";

const [folder = "", tier = ""] = Deno.args;
const cell = "await new Promise(() => setInterval(() => {}, 1000));";
await executeBoxed(notebookOf([cell]) as unknown as NotebookFile, {
  ...{ folder, path: "a.ipynb", timeoutS: 600, tiers: [tier as BoxTier] },
  isTrusted: tier === "trust",
});
