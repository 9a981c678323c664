import { existsSync } from "node:fs";
import process from "node:process";

const VENV = new URL("../.scoreframe/venv/bin/python", import.meta.url).pathname;

/**
 * The Python that the benchmarks compare with: the one that `SCOREFRAME_BENCH_PYTHON` names, that of the virtual
 * environment `.scoreframe/venv`, or Debian's own, whose packages another one on the path does not see.
 */
export function benchPython(): string {
  const found = [VENV, "/usr/bin/python3"].find((path) => existsSync(path));
  return process.env.SCOREFRAME_BENCH_PYTHON ?? found ?? "python3";
}
