import { Buffer } from "node:buffer";
import { createHash, timingSafeEqual } from "node:crypto";
import type { ApiRequest, HandlerReply } from "../../../server/message/message.ts";
import { Refusal } from "../../../server/message/refusal.ts";
import { OPEN_METRICS, openMetrics } from "./open_metrics.ts";
import { pageHtml } from "./page_html.ts";
import { collectStatus, type RelayStatus, type StatusParts } from "./relay_status.ts";

const FORMS: Readonly<Record<string, readonly [string, (status: RelayStatus) => string]>> = {
  "/relay": ["text/html; charset=utf-8", pageHtml],
  "/relay.json": ["application/json", (status) => `${JSON.stringify(status, null, 2)}\n`],
  "/relay/metrics": [OPEN_METRICS, openMetrics],
};

/**
 * Status page for the operator of a relay: as HTML, as JSON and for Prometheus. It always asks for a password: a proxy's request
 * comes from this machine, too, and need not say that it is one.
 */
export class RelayPage {
  readonly #parts: StatusParts;
  readonly #mayRead: (password: string) => boolean;

  /**
   * @param parts What the page shows
   * @param token Password of this start, which the relay prints
   * @param isAdmin True if a presented key is that of an admin
   */
  constructor(parts: StatusParts, token: string, isAdmin: (key: string) => boolean) {
    this.#parts = parts;
    this.#mayRead = (presented) =>
      timingSafeEqual(hashOf(presented), hashOf(token)) || isAdmin(presented);
  }

  /**
   * Answers a request for the page; `null` for another path.
   *
   * @throws {Refusal} 405 for another method than GET; 401 without the token or an admin key
   */
  answer(path: string, request: ApiRequest): Promise<HandlerReply> | null {
    const form = Object.hasOwn(FORMS, path) ? FORMS[path] : undefined;
    if (form === undefined) return null;
    this.#assertMayRead(request);
    return this.#show(...form);
  }

  #assertMayRead(request: ApiRequest): void {
    if (request.method !== "GET") {
      throw new Refusal("method_not_allowed", "The page of the relay supports GET", {
        headers: [["Allow", "GET"]],
      });
    }
    if (this.#mayRead(passwordOf(request))) return;
    throw new Refusal(
      "unauthorized",
      "The page of the relay needs the password that the relay printed at its start, or an admin key",
      {
        headers: [["WWW-Authenticate", 'Basic realm="scoreframe relay", charset="UTF-8"']],
        note: "no password of the page",
      },
    );
  }

  async #show(type: string, write: (status: RelayStatus) => string): Promise<HandlerReply> {
    const status = await collectStatus(this.#parts);
    return {
      status: 200,
      headers: [
        ["Content-Type", type],
        ["Cache-Control", "private, no-store"],
        ["Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"],
        ["X-Content-Type-Options", "nosniff"],
        ["X-Frame-Options", "DENY"],
        ["Referrer-Policy", "no-referrer"],
      ],
      body: new TextEncoder().encode(write(status)),
    };
  }
}

// A browser asks for a name and a password; any name will do.
function passwordOf(request: ApiRequest): string {
  const authorization = request.header("authorization") ?? "";
  const bearer = /^bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1] ?? "";
  const decoded = Buffer.from(basic, "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
}

function hashOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
