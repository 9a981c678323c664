import { isLoopback } from "../../../base/contract/http/loopback.ts";
import type { Credential } from "./credential.ts";

/**
 * Reads the base address of the service.
 *
 * @returns The address without a trailing slash
 * @throws {TypeError} If it is not an http or https address, contains credentials, a query or the version path, or would send a
 * production key unencrypted over a network
 */
export function parseBaseUrl(text: string, credential: Credential): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const refuse = (expected: string, found: string): never => {
    throw new TypeError(`Cannot use the base address: expected ${expected}, got ${found}`);
  };
  const shown = credential.redact(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const hint = !/^[a-z]+:\/\//i.test(text) && URL.canParse(`https://${text}`)
      ? `; did you mean https://${shown}?`
      : "";
    return refuse("an http or https address", `"${shown}"${hint}`);
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    const place = `${url.protocol}//${url.host}`;
    return refuse("an address without credentials, query or fragment", `more after ${place}`);
  }
  const path = url.pathname.replace(/\/+$/, "");
  if (path.endsWith("/v1")) {
    return refuse("an address without /v1, which the client adds", `"${shown}"`);
  }
  // Names below localhost are for embedded servers; a resolver may send them to a network.
  const isExposed = url.protocol === "http:" &&
    (!isLoopback(url.hostname) || url.hostname.endsWith(".localhost"));
  if (isExposed && credential.environment === "production") {
    return refuse("https for a production key (svc_live_…), except on this machine", `"${shown}"`);
  }
  return `${url.origin}${path}`;
}
