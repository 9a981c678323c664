import { Buffer } from "node:buffer";
import { ROW_LOOP_CODE } from "./_row_loop_code.ts";
import { readRowsInScript } from "./_script_loop.ts";
import { type GrowingMemory, PIECE_ROWS, RowMemory } from "./row_memory.ts";

/** Kind of the loop: compiled to WebAssembly, or the script that defines it. */
export type RowLoopKind = "compiled" | "script";

/** A loop over rows, and the memory that it works in. */
export interface RowLoop {
  /** Memory of the loop. */
  readonly memory: RowMemory;
  /**
   * Reads rows from `line` to `end` as long as each continues the session with the expected ticker and a plain score, and returns
   * the position of the first line that does not.
   */
  readRows(line: number, end: number): number;
  /** Frees the memory, after which no row is read. */
  free(): void;
}

// A memory of WebAssembly reserves 8 GB of addresses, and the loop takes a millisecond to compile.
const COMPILED_PAYS_ROWS = 50_000;

/**
 * Creates a loop for a file.
 *
 * @param rows Number of rows announced, or `null`
 * @param kind Kind of the loop, by default the faster one for so many rows that this runtime has
 */
export function createRowLoop(rows: number | null, kind?: RowLoopKind): RowLoop {
  const pieceRows = Math.min(rows ?? PIECE_ROWS, PIECE_ROWS);
  const isCompiled = kind === undefined ? pieceRows >= COMPILED_PAYS_ROWS : kind === "compiled";
  if (!isCompiled) return scriptLoop(pieceRows);
  try {
    return compiledLoop(pieceRows);
  } catch (error) {
    // Without a compiler (--jitless), or without so many addresses (ulimit -v).
    if (kind === "compiled") throw error;
    return scriptLoop(pieceRows);
  }
}

function scriptLoop(pieceRows: number): RowLoop {
  const memory = new RowMemory(pieceRows, (pages) => new ScriptMemory(pages));
  return {
    memory,
    readRows: (line, end) => readRowsInScript(memory, line, end),
    free: () => memory.free(),
  };
}

class ScriptMemory {
  buffer: ArrayBuffer;

  constructor(pages: number) {
    this.buffer = new ArrayBuffer(pages << 16);
  }

  grow(pages: number): void {
    this.buffer = this.buffer.transfer(this.buffer.byteLength + (pages << 16));
  }
}

type ReadRows = (line: number, end: number, ...places: readonly number[]) => number;

let module: WebAssembly.Module | undefined;

function compiledLoop(pieceRows: number): RowLoop {
  module ??= new WebAssembly.Module(Buffer.from(ROW_LOOP_CODE, "base64"));
  let imported: WebAssembly.Memory | undefined;
  const memory = new RowMemory(pieceRows, (pages) => {
    imported = new WebAssembly.Memory({ initial: pages });
    return imported as GrowingMemory;
  });
  const { exports } = new WebAssembly.Instance(module, { env: { memory: imported! } });
  const { days, numbers, scores, tickers } = memory.at;
  let read = exports["readRows"] as ReadRows | null;
  return {
    memory,
    readRows: (line, end) => read!(line, end, days, numbers, scores, tickers) >>> 0,
    free() {
      // The function holds the memory.
      read = null;
      memory.free();
    },
  };
}
