#!/usr/bin/env node
// The command `scoreframe`. npm starts it with Node, and hands it to Deno, which runs the library.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../src/cli/main.js", import.meta.url));
const child = spawn("deno", ["run", "-A", main, ...process.argv.slice(2)], { stdio: "inherit" });
// Ctrl-C belongs to the command, which ends by itself.
process.on("SIGINT", () => {});
child.once("error", () => {
  process.stderr.write(
    "Cannot run scoreframe: expected Deno 2.9 or later on the PATH, got none; " +
      "install it with `npm install --global deno@2.9.6`\n",
  );
  process.exitCode = 1;
});
child.once("exit", (code) => process.exitCode = code ?? 1);
