#!/usr/bin/env node
// The command `scoreframe`. Deno runs it as it is; npm starts it with Node, which hands it to Deno.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

if (globalThis.Deno === undefined) handToDeno();
else {
  const [{ main }, { processTerminal }] = await Promise.all([
    import("../src/app/cli/main.js"),
    import("../src/app/cli/terminal.js"),
  ]);
  process.exitCode = await main(process.argv.slice(2), processTerminal());
}

function handToDeno() {
  const main = fileURLToPath(new URL("../src/app/cli/main.js", import.meta.url));
  const child = spawn("deno", ["run", "-A", main, ...process.argv.slice(2)], { stdio: "inherit" });
  // Ctrl-C belongs to the command, which ends by itself.
  process.on("SIGINT", () => {});
  child.once("error", () => {
    process.stderr.write(
      "Cannot run scoreframe: expected Deno 2.9 or later on the PATH, got none; " +
        "install it with `npm install --global deno@2.9.6`, " +
        "or run `npx --yes deno@2.9.6 run -A npm:scoreframe`\n",
    );
    process.exitCode = 1;
  });
  child.once("exit", (code) => process.exitCode = code ?? 1);
}
