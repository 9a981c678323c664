// A run in a box that is killed: its cell goes on until it is ended.
import { type BoxTier, openBox } from "../../../src/study/run/box.ts";
import type { NotebookFile } from "../../../src/study/run/notebook_file.ts";
import { notebookOf } from "../../helpers/jupyter/jupyter.ts";

const [folder = "", tier = ""] = Deno.args;
const cell = "await new Promise(() => setInterval(() => {}, 1000));";
const box = await openBox({ isTrusted: tier === "trust", tiers: [tier as BoxTier] });
await box.execute(notebookOf([cell]) as unknown as NotebookFile, {
  ...{ folder, path: "a.ipynb", timeoutS: 600 },
});
