import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { pathToFileURL } from "node:url";
import {
  messageBytes,
  messageReader,
  type ProtocolMessage,
} from "../../../src/app/cli/serve_cells.ts";

/** What an editor underlines. */
export interface Diagnostic {
  readonly message: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** A place in a text, from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** `deno lsp` as an editor runs it: a small client of the Language Server Protocol. */
export class LanguageServer implements AsyncDisposable {
  readonly #server: ChildProcess;
  readonly #waiting = new Map<number, (message: ProtocolMessage) => void>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  #last = 0;

  private constructor(server: ChildProcess) {
    this.#server = server;
    server.stdout!.on("data", messageReader((message) => this.#take(message)));
  }

  /** Starts a server over a folder, `deno lsp` by default, with Deno enabled as `.vscode/settings.json` has it. */
  static async start(
    folder: string,
    args: readonly string[] = ["lsp", "--quiet"],
  ): Promise<LanguageServer> {
    const env = { ...process.env, NO_COLOR: "1" };
    const server = new LanguageServer(
      spawn(Deno.execPath(), args, { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"] }),
    );
    const uri = pathToFileURL(folder).href;
    await server.ask("initialize", {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: "project" }],
      initializationOptions: { enable: true, lint: false },
      capabilities: {
        textDocument: {
          completion: { completionItem: { snippetSupport: false } },
          publishDiagnostics: {},
        },
        notebookDocument: { synchronization: {} },
        workspace: { workspaceFolders: true },
      },
    });
    server.tell("initialized", {});
    return server;
  }

  /** Asks a question and waits for its answer. */
  ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#last;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(
        id,
        ({ result, error }) =>
          error === undefined ? resolve(result) : reject(new Error(`${method}: ${error.message}`)),
      );
    });
    this.#send({ id, method, params });
    return answer;
  }

  /** Tells the server something. */
  tell(method: string, params: unknown): void {
    this.#send({ method, params });
  }

  /** Opens a text, as an editor opens a file or a cell. */
  open(uri: string, text: string, languageId = "typescript"): void {
    this.tell("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text } });
  }

  /** Opens a notebook with one cell, as VS Code does. */
  openNotebook(uri: string, cell: string, text: string): void {
    const cells = [{ kind: 2, document: cell }];
    this.tell("notebookDocument/didOpen", {
      notebookDocument: { uri, notebookType: "jupyter-notebook", version: 1, cells },
      cellTextDocuments: [{ uri: cell, languageId: "typescript", version: 1, text }],
    });
  }

  /** Labels that are offered at a place of a text. */
  async completions(uri: string, position: Position): Promise<readonly string[]> {
    const answer = await this.ask("textDocument/completion", {
      textDocument: { uri },
      position,
      context: { triggerKind: 1 },
    }) as { readonly items: readonly { readonly label: string }[] } | null;
    return (answer?.items ?? []).map(({ label }) => label);
  }

  /** What is underlined in a text so far. */
  found(uri: string): readonly Diagnostic[] {
    return this.#diagnostics.get(uri) ?? [];
  }

  /** Ends the server. */
  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#server.once("exit", resolve));
    this.#server.kill("SIGKILL");
    await ended;
  }

  #send(message: Omit<ProtocolMessage, "jsonrpc">): void {
    this.#server.stdin!.write(messageBytes({ jsonrpc: "2.0", ...message }));
  }

  #take(message: ProtocolMessage): void {
    if (message.method === undefined) {
      this.#waiting.get(Number(message.id))?.(message);
      this.#waiting.delete(Number(message.id));
    } else if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params as {
        readonly uri: string;
        readonly diagnostics: readonly Diagnostic[];
      };
      this.#diagnostics.set(uri, diagnostics);
    } else if (message.id !== undefined) {
      const items = (message.params as { readonly items?: readonly unknown[] } | null)?.items ?? [];
      const settings = { enable: true, lint: false };
      const result = message.method === "workspace/configuration"
        ? items.map(() => settings)
        : null;
      this.#send({ id: message.id, result });
    }
  }
}
