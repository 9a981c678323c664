import { ENDPOINTS } from "../../base/contract/http/endpoint.ts";

/** Path that an unknown one resembles (other case, or additional slashes), or `null`. */
export function closestPath(path: string): string | null {
  const plain = path.toLowerCase().replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return Object.values(ENDPOINTS).find((endpoint) => endpoint.path === plain)?.path ?? null;
}

/** Ticker of a set that differs from an unknown one only in dots and hyphens, or `null`. */
export function closestTicker(ticker: string, tickers: readonly string[]): string | null {
  const plain = withoutMarks(ticker);
  return tickers.find((candidate) => withoutMarks(candidate) === plain) ?? null;
}

/** Parameter that an unknown one equals except for case, or `null`. */
export function closestParameter(name: string): string | null {
  const plain = name.toLowerCase();
  const known = Object.values(ENDPOINTS).flatMap((endpoint) => endpoint.parameters);
  return known.find((parameter) => parameter === plain && parameter !== name) ?? null;
}

/** True if a parameter of a query has an unencoded plus sign, which means a blank. */
export function hasBarePlus(search: string, name: string): boolean {
  return search.slice(1).split("&").some((pair) =>
    pair.startsWith(`${name}=`) && pair.includes("+")
  );
}

function withoutMarks(ticker: string): string {
  return ticker.replaceAll(/[.-]/g, "");
}
