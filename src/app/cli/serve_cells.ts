import process from "node:process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startProgram } from "../../base/runtime/programs.ts";

const HEAD_LENGTH = 200;

const SETTINGS = { enable: true, lint: false };
const CONFIGS = ["deno.json", "deno.jsonc", "package.json"];

/** Runs `deno lsp` for the cells of JupyterLab, whose messages it adapts; JupyterLab starts this module by its entry. */
async function serveCells(): Promise<void> {
  const server = await startProgram(Deno.execPath(), ["lsp", "--quiet"], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const read = messageReader((message) => {
    server.stdin!.write(messageBytes(adaptMessage(message)));
  });
  process.stdin.on("data", (chunk: Uint8Array) => read(chunk));
  process.stdin.on("end", () => server.kill());
  server.once("exit", (code) => process.exit(code ?? 0));
}

/** A message of the Language Server Protocol. */
export interface ProtocolMessage {
  readonly jsonrpc: "2.0";
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Reads the messages of a stream, and passes each on as soon as it is complete. */
export function messageReader(
  take: (message: ProtocolMessage) => void,
): (chunk: Uint8Array) => void {
  let rest: Uint8Array = new Uint8Array();
  return (chunk) => {
    const joined = new Uint8Array(rest.length + chunk.length);
    joined.set(rest);
    joined.set(chunk, rest.length);
    rest = joined;
    for (let found = firstMessage(rest); found !== null; found = firstMessage(rest)) {
      rest = rest.slice(found.end);
      take(found.message);
    }
  };
}

function firstMessage(
  bytes: Uint8Array,
): { readonly message: ProtocolMessage; readonly end: number } | null {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, HEAD_LENGTH));
  const match = /^Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(head);
  if (match === null) return null;
  const end = match[0].length + Number(match[1]);
  if (bytes.length < end) return null;
  const text = new TextDecoder().decode(bytes.subarray(match[0].length, end));
  return { message: JSON.parse(text), end };
}

/** Bytes of a message, with its header. */
export function messageBytes(message: ProtocolMessage): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(message));
  const head = new TextEncoder().encode(`Content-Length: ${body.length}\r\n\r\n`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

/**
 * A message of JupyterLab as `deno lsp` understands it.
 *
 * JupyterLab derives the language of a cell from the kernel's media type, `text/x.typescript`, which gives `x.typescript`; it
 * has no settings for this server; and its folder is that of the notebooks, above which the project's `deno.json` stands.
 */
export function adaptMessage(message: ProtocolMessage): ProtocolMessage {
  const { method, params } = message;
  if (method === "initialize") return { ...message, params: initialized(params as Params) };
  if (method === "workspace/didChangeConfiguration") {
    return { ...message, params: { settings: { deno: SETTINGS } } };
  }
  if (method !== "textDocument/didOpen") return message;
  const { textDocument } = params as { readonly textDocument: Readonly<Record<string, unknown>> };
  const languageId = String(textDocument["languageId"]).replace(/^x\./, "");
  return { ...message, params: { textDocument: { ...textDocument, languageId } } };
}

interface Params {
  readonly rootUri?: string | null;
}

function initialized(params: Params): object {
  const { rootUri } = params;
  const place = rootUri?.startsWith("file:") === true ? projectOf(rootUri) : rootUri;
  const workspaceFolders = typeof place === "string" ? [{ uri: place, name: "project" }] : null;
  return { ...params, rootUri: place, workspaceFolders, initializationOptions: SETTINGS };
}

/** Nearest folder above with its own configuration, or the folder itself. */
function projectOf(uri: string): string {
  for (let folder = fileURLToPath(uri);; folder = dirname(folder)) {
    if (CONFIGS.some((name) => existsSync(join(folder, name)))) return pathToFileURL(folder).href;
    if (folder === dirname(folder)) return uri;
  }
}

if (import.meta.main) await serveCells();
