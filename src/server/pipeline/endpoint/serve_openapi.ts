import { openApiDocument } from "../../../base/contract/openapi/openapi.ts";
import type { HandlerReply } from "../../message/handler_reply.ts";
import { jsonReply } from "./json_reply.ts";
import { assertMethod } from "../route.ts";

const PAGE = { path: "/openapi.json", methods: ["GET"] } as const;

let prepared: HandlerReply | null = null;

/**
 * Answers `GET /openapi.json` with the OpenAPI document, an addition to the API document that needs no key and spends nothing.
 *
 * @returns The answer, or `null` for another path
 * @throws {Refusal} 405 for another method than GET
 */
export function serveOpenApi(path: string, method: string): HandlerReply | null {
  if (path !== PAGE.path) return null;
  assertMethod(PAGE, method);
  prepared ??= jsonReply(openApiDocument());
  return prepared;
}
