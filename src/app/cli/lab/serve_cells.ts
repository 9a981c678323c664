import { spawn } from "node:child_process";
import process from "node:process";
import { adaptMessage } from "./adapt_message.ts";
import { messageBytes, messageReader } from "./protocol_messages.ts";

/** Runs `deno lsp` for the cells of JupyterLab, whose messages it adapts; JupyterLab starts this module by its entry. */
function serveCells(): void {
  const server = spawn(Deno.execPath(), ["lsp", "--quiet"], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const read = messageReader((message) => {
    server.stdin.write(messageBytes(adaptMessage(message)));
  });
  process.stdin.on("data", (chunk: Uint8Array) => read(chunk));
  process.stdin.on("end", () => server.kill());
  server.once("exit", (code) => process.exit(code ?? 0));
}

if (import.meta.main) serveCells();
