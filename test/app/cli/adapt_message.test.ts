import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import {
  adaptMessage,
  messageBytes,
  messageReader,
  type ProtocolMessage,
} from "../../../src/app/cli/serve_cells.ts";
import { ROOT } from "../../helpers/source_files.ts";

const message = (method: string, params: unknown) => ({ jsonrpc: "2.0" as const, method, params });

test("the language of cells is the one that deno lsp knows", () => {
  const opened = (languageId: string) =>
    adaptMessage(message("textDocument/didOpen", { textDocument: { uri: "a", languageId } }))
      .params;
  expect(opened("x.typescript")).toEqual({ textDocument: { uri: "a", languageId: "typescript" } });
  expect(opened("typescript")).toEqual({ textDocument: { uri: "a", languageId: "typescript" } });
});

test("the server's folder is the project above the notebooks, with Deno enabled", () => {
  const of = (rootUri: string | null) =>
    adaptMessage(message("initialize", { rootUri, processId: 1 })).params;
  const uri = pathToFileURL(ROOT).href.replace(/\/$/, "");
  expect(of(pathToFileURL(join(ROOT, "notebooks")).href)).toEqual({
    rootUri: uri,
    processId: 1,
    workspaceFolders: [{ uri, name: "project" }],
    initializationOptions: { enable: true, lint: false },
  });
  expect(of("file:///nowhere")).toMatchObject({ rootUri: "file:///nowhere" });
  expect(of(null)).toMatchObject({ rootUri: null, workspaceFolders: null });
  expect(adaptMessage(message("workspace/didChangeConfiguration", { settings: {} })).params)
    .toEqual({ settings: { deno: { enable: true, lint: false } } });
});

test("messages are read from a stream that is cut anywhere, in bytes and not in characters", () => {
  const sent = [message("a", { text: "é€😀" }), message("b", null)];
  const bytes = sent.flatMap((each) => [...messageBytes(each)]);
  for (const size of [1, 3, 7, bytes.length]) {
    const found: ProtocolMessage[] = [];
    const read = messageReader((each) => found.push(each));
    for (let at = 0; at < bytes.length; at += size) {
      read(Uint8Array.from(bytes.slice(at, at + size)));
    }
    expect(found).toEqual(sent);
  }
  expect(new TextDecoder().decode(messageBytes(sent[1]!))).toBe(
    'Content-Length: 44\r\n\r\n{"jsonrpc":"2.0","method":"b","params":null}',
  );
});
