import { Buffer } from "node:buffer";
import type { ApiRequest } from "../../../server/message/message.ts";
import { Refusal } from "../../../server/message/refusal.ts";

/** Access to the page. */
export interface PageRules {
  /** True if a presented key is that of an admin. */
  readonly isAdmin: (key: string) => boolean;
  /** Further host names. */
  readonly hosts: readonly string[];
}

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|::1|::ffff:127\.\d+\.\d+\.\d+)$/;
const LOCAL_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
// Headers with which a proxy names its client.
const FORWARDED = ["forwarded", "x-forwarded-for", "x-real-ip", "x-forwarded-host", "via"];

/**
 * Admits requests from this machine under one of its own names, and requests with an admin key.
 *
 * A foreign web page can make a browser on this machine request any address, but only under a foreign host name. Requests
 * through a proxy do not count as from this machine.
 *
 * @throws {Refusal} 403 under another name; 401 without an admin key; 405 for another method than GET
 */
export function assertMayReadPage(request: ApiRequest, { isAdmin, hosts }: PageRules): void {
  if (request.method !== "GET") {
    throw new Refusal("method_not_allowed", "The page of the relay supports GET", {
      headers: [["Allow", "GET"]],
    });
  }
  const host = (request.header("host") ?? "").replace(/:\d+$/, "").toLowerCase();
  const isLocalName = LOCAL_HOST.test(host);
  if (!isLocalName && !hosts.includes(host)) {
    throw new Refusal(
      "research_admin_only",
      "The page of the relay is not served under this host name; to allow it, start the relay with --host NAME",
      { note: "another host's name" },
    );
  }
  const isHere = LOOPBACK.test(request.remote ?? "") && isLocalName &&
    FORWARDED.every((name) => request.header(name) === null);
  if (isHere || isAdmin(keyOf(request))) return;
  throw new Refusal("unauthorized", "The page of the relay needs an admin key", {
    headers: [["WWW-Authenticate", 'Basic realm="scoreframe relay", charset="UTF-8"']],
    note: "no admin key",
  });
}

// A browser asks for a name and a password; the password is the key.
function keyOf(request: ApiRequest): string {
  const authorization = request.header("authorization") ?? "";
  const bearer = /^bearer +([\x21-\x7e]+)$/i.exec(authorization)?.[1];
  if (bearer !== undefined) return bearer;
  const basic = /^basic +([A-Za-z0-9+/=]+)$/i.exec(authorization)?.[1] ?? "";
  const decoded = Buffer.from(basic, "base64").toString("utf8");
  return decoded.slice(decoded.indexOf(":") + 1);
}
