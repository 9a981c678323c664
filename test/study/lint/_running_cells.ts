/** Cells of one line that the kernel runs one after another, by what they have. */
export const RUNNING: Readonly<Record<string, readonly string[]>> = {
  "nothing but a comment": ["// nothing", "/* nothing */"],
  "an object without parentheses": ["{ a: 1, b: 2 }", '{ "x-y": [1, 2] }'],
  "a function that a cell defines twice": [
    "function twice() { return 1; } function twice() { return 2; }",
    "twice()",
  ],
  "a var of a loop": ["for (var turn = 0; turn < 3; turn++) {}", "turn"],
  "counters of two loops": [
    "for (var turn = 0; turn < 3; turn++) {}",
    "for (var turn = 0; turn < 3; turn++) {}",
  ],
  "a var of a block": [
    "if (true) { var inBlock = 1; }",
    "try { var tried = 2; } catch {}",
    "inBlock + tried",
  ],
  "an enum whose members use each other": ["enum Bits { A = 1, B = A << 1 }", "Bits.B"],
  "a namespace": ["namespace Own { export const x = 1; }", "Own.x"],
  "names on globalThis": [
    "globalThis.shared = 5;",
    "(globalThis as any).other = 6;",
    "shared + other",
  ],
  "a declared name": ["declare const shared: number;", "shared"],
  "an export of another cell": ["const kept = 1;", "export { kept };", "export default kept;"],
  "one import in two spellings": [
    'import path from "node:path";',
    'import { default as path } from "node:path";',
    "path.sep",
  ],
  "an import that is awaited": ['const { default: os } = await import("node:os");', "os.EOL"],
  "top-level await in loops": [
    "for await (const x of [1]) { x; }",
    "for (const x of [1]) { await x; }",
    "while (await false) {}",
  ],
  "destructuring": [
    "const { a: { b = 1, ...rest } = {}, c: [, d] = [1, 2] }: any = {};",
    "let e, f; [e, f] = [b, d]; ({ e, f } = { e: 1, f: 2 });",
    "[b, rest, d, e, f]",
  ],
  "classes": [
    "abstract class Base<T> { #x = 1; static n = 1; static { Base.n = 2; } get x() { return this.#x; } abstract m(): T; }",
    "class Own2 extends Base<number> { constructor(private readonly y = Base.n) { super(); } override m() { return this.y; } }",
    "new Own2().m()",
  ],
  "resources": ["await using held = { async [Symbol.asyncDispose]() {} };", "held"],
  "markup": [
    "const React = { createElement: (name: string) => name };",
    "const mark = <b>x</b>;",
    "mark",
  ],
  "generics of an arrow": ["const same = <T,>(x: T) => x satisfies unknown;", "same<number>(1)!"],
  "overloads": [
    "function over(x: string): void; function over(x: number): void; function over(x: unknown) { void x; }",
    "function over(x: string): void; function over(x: number): void; function over(x: unknown) { void x; }",
    "over(1)",
  ],
  "labels and switches": [
    "outer: for (const x of [1]) { for (;;) { if (x) break outer; } }",
    "switch (1 as number) { case 1: { const q = 1; q; break; } default: let z = 2; z; }",
  ],
};
