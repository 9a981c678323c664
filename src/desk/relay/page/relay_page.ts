import type { ApiRequest } from "../../../server/message/message.ts";
import type { HandlerReply } from "../../../server/message/handler_reply.ts";
import { collectStatus, type StatusParts } from "./collect_status.ts";
import { OPEN_METRICS, openMetrics } from "./open_metrics.ts";
import { assertMayReadPage, type PageRules } from "./page_access.ts";
import { pageHtml } from "./page_html.ts";
import type { RelayStatus } from "./relay_status.ts";

interface Form {
  readonly type: string;
  readonly write: (status: RelayStatus, request: ApiRequest) => string;
}

const FORMS: Readonly<Record<string, Form>> = {
  "/relay": {
    type: "text/html; charset=utf-8",
    write: (status, { target }) => pageHtml(status, target.endsWith("?reload")),
  },
  "/relay.json": {
    type: "application/json",
    write: (status) => `${JSON.stringify(status, null, 2)}\n`,
  },
  "/relay/metrics": { type: OPEN_METRICS, write: openMetrics },
};

/** Status page for the operator of a relay: as HTML, as JSON and for Prometheus. */
export class RelayPage {
  readonly #parts: StatusParts;
  readonly #rules: PageRules;

  /** @param parts Contents of the page, and rules of access */
  constructor(parts: StatusParts, rules: PageRules) {
    this.#parts = parts;
    this.#rules = rules;
  }

  /**
   * Answers a request for the page; `null` for another path.
   *
   * @throws {Refusal} If the page is not for this request
   */
  answer(path: string, request: ApiRequest): Promise<HandlerReply> | null {
    const form = Object.hasOwn(FORMS, path) ? FORMS[path] : undefined;
    if (form === undefined) return null;
    assertMayReadPage(request, this.#rules);
    return this.#show(form, request);
  }

  async #show({ type, write }: Form, request: ApiRequest): Promise<HandlerReply> {
    const status = await collectStatus(this.#parts);
    return {
      status: 200,
      headers: [
        ["Content-Type", type],
        ["Cache-Control", "private, no-store"],
        ["Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src data:"],
        ["X-Content-Type-Options", "nosniff"],
        ["X-Frame-Options", "DENY"],
        ["Referrer-Policy", "no-referrer"],
      ],
      body: new TextEncoder().encode(write(status, request)),
    };
  }
}
