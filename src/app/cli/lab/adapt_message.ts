import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ProtocolMessage } from "./protocol_messages.ts";

const SETTINGS = { enable: true, lint: false };
const CONFIGS = ["deno.json", "deno.jsonc", "package.json"];

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
