import { type Endpoint, endpointOf, ENDPOINTS } from "../../base/contract/http/endpoint.ts";
import { maskUrlKeys } from "../../base/contract/key.ts";
import { closestPath } from "./near_miss.ts";
import { Refusal } from "../message/refusal.ts";

const MAX_ECHO = 100;
const ROUTES = [...new Set(Object.values(ENDPOINTS).map(({ path }) => path))].join(", ");

/** Path and query of a request target, which may be a whole address (RFC 9112, section 3.2.2). */
export function splitTarget(target: string): { readonly path: string; readonly search: string } {
  const origin = /^https?:\/\/[^/?#]*/i.exec(target)?.[0] ?? "";
  const local = target.slice(origin.length);
  const mark = local.indexOf("?");
  return mark === -1
    ? { path: local, search: "" }
    : { path: local.slice(0, mark), search: local.slice(mark) };
}

/**
 * Endpoint of a path, which must match exactly.
 *
 * @throws {Refusal} 404; the API document has no code of its own for an unknown path (section 7), so that the message
 *   says what the code does not
 */
export function routeOf(path: string): Endpoint {
  const endpoint = endpointOf(path);
  if (endpoint !== undefined) return endpoint;
  const closest = closestPath(path);
  const hint = closest === null
    ? `the paths are ${ROUTES}, and /openapi.json describes them`
    : `paths are exact: ${closest}`;
  // The path is the client's text: it is returned shortened and without keys.
  const shown = JSON.stringify(maskUrlKeys(path.slice(0, MAX_ECHO)));
  throw new Refusal("score_snapshot_not_available", `Unknown path ${shown}`, { hint });
}

/**
 * Refuses a method that the endpoint does not support; methods are case-sensitive.
 *
 * @throws {Refusal} 405 with `Allow`
 */
export function assertMethod(
  endpoint: Pick<Endpoint, "path" | "methods">,
  method: string,
): void {
  if ((endpoint.methods as readonly string[]).includes(method)) return;
  const allow = endpoint.methods.join(", ");
  throw new Refusal("method_not_allowed", `${endpoint.path} supports ${allow}`, {
    headers: [["Allow", allow]],
  });
}
