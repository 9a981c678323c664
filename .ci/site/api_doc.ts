import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../../test/helpers/source_files.ts";

/** A tag of a docstring. */
export interface DocTag {
  readonly kind: string;
  readonly name?: string;
  readonly doc?: string;
  readonly tsType?: TsType;
}

/** A docstring. */
export interface JsDoc {
  readonly doc?: string;
  readonly tags?: readonly DocTag[];
}

/** A type, as `deno doc` describes it. */
export interface TsType {
  readonly repr: string;
  readonly kind?: string;
  readonly value?: unknown;
}

/** A declaration of a symbol. */
export interface Declaration {
  readonly kind: string;
  readonly jsDoc?: JsDoc;
  readonly def?: Readonly<Record<string, unknown>>;
}

/** A symbol of an entry point. */
export interface ApiSymbol {
  readonly name: string;
  readonly declarations: readonly Declaration[];
}

/** What an entry point exports. */
export interface ApiModule {
  readonly moduleDoc: string;
  readonly symbols: readonly ApiSymbol[];
}

const run = promisify(execFile);
const MAX_BYTES = 64 * 2 ** 20;

/** Reads the docstrings of an entry point with `deno doc`. */
export async function readApi(path: string): Promise<ApiModule> {
  const args = ["doc", "--json", path];
  const { stdout } = await run(Deno.execPath(), args, { cwd: ROOT, maxBuffer: MAX_BYTES });
  const { nodes } = JSON.parse(stdout) as {
    nodes: Readonly<Record<string, { module_doc?: JsDoc; symbols: readonly ApiSymbol[] }>>;
  };
  const found = nodes[`file://${join(ROOT, path)}`];
  if (found === undefined) throw new Error(`Cannot read the documentation of ${path}`);
  return { moduleDoc: found.module_doc?.doc ?? "", symbols: found.symbols };
}

/** The code of the examples of a symbol, in order. */
export function examplesOf(jsDoc: JsDoc | undefined): readonly string[] {
  return (jsDoc?.tags ?? []).filter(({ kind }) => kind === "example").flatMap(({ doc = "" }) =>
    [...doc.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!)
  );
}
