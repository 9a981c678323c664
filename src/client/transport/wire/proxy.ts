import { describe } from "../../../base/contract/violation.ts";
import type { Environment } from "../../../base/runtime/state_home.ts";
import { isLoopback } from "../../../base/contract/http/loopback.ts";

/** The proxy between this machine and an address. */
export interface Proxy {
  /** Its address, with user and password if it wants them. */
  readonly url: string;
  /** Its address without user and password, and the variable that names it. */
  readonly shown: string;
}

/** Sentence on a variable that other programs take for a proxy and this library does not; `null` if none is set. */
export function unheededProxy(environment: Environment): string | null {
  const name = ["all_proxy", "ALL_PROXY"].find((candidate) => environment[candidate]);
  return name === undefined
    ? null
    : `${name} is not used: set HTTPS_PROXY to an http proxy (SOCKS is not supported)`;
}

/**
 * The proxy that the environment names for an address, by the rules of undici and curl: HTTPS_PROXY for https, else HTTP_PROXY;
 * none for the hosts of NO_PROXY, nor ever for this machine, because the proxy is another one.
 *
 * @throws {TypeError} If the variable does not name an http or https address
 */
export function proxyFor(address: string, environment: Environment): Proxy | null {
  const { protocol, hostname, port } = new URL(address);
  const defaultPort = protocol === "https:" ? "443" : "80";
  if (isLoopback(hostname) || isExcepted(hostname, port || defaultPort, environment)) {
    return null;
  }
  const names = protocol === "https:" ? ["https_proxy", "http_proxy"] : ["http_proxy"];
  const name = names.flatMap((lower) => [lower, lower.toUpperCase()])
    .find((candidate) => (environment[candidate] ?? "").trim() !== "");
  if (name === undefined) return null;
  const given = environment[name]!.trim();
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) {
    return { url: text, shown: `${url.origin} (${name})` };
  }
  throw new TypeError(
    `Cannot use the proxy of ${name}: expected an http or https address (SOCKS is not supported), got ${
      describe(given.replace(/[^/]*@/, "…@"))
    }; set it as http://proxy.example:3128, or name the host in NO_PROXY`,
  );
}

function isExcepted(hostname: string, port: string, environment: Environment): boolean {
  const given = environment.no_proxy ?? environment.NO_PROXY ?? "";
  return given.toLowerCase().split(/[,\s]+/).filter(Boolean).some((entry) => {
    const [, host = entry, only = port] = /^(.+?|\[.+\]):(\d+)$/.exec(entry) ?? [];
    if (only !== port) return false;
    const name = host.replace(/^\*?\./, "");
    return host === "*" || hostname.endsWith(`.${name}`) ||
      !host.startsWith("*") && hostname === name;
  });
}
