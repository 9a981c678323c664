import { ENDPOINTS } from "../../contract/http/endpoint.ts";

/** The path that an unknown one was probably meant to be: other case, or a slash too many; else `null`. */
export function closestPath(path: string): string | null {
  const plain = path.toLowerCase().replaceAll(/\/{2,}/g, "/").replace(/\/$/, "");
  return Object.values(ENDPOINTS).find((endpoint) => endpoint.path === plain)?.path ?? null;
}

/** The ticker of a set that differs from an unknown one in dots and hyphens alone; else `null`. */
export function closestTicker(ticker: string, tickers: readonly string[]): string | null {
  const plain = withoutMarks(ticker);
  return tickers.find((candidate) => withoutMarks(candidate) === plain) ?? null;
}

/** The parameter that an unknown one is in another case; else `null`. */
export function closestParameter(name: string): string | null {
  const plain = name.toLowerCase();
  const known = Object.values(ENDPOINTS).flatMap((endpoint) => endpoint.parameters);
  return known.find((parameter) => parameter === plain && parameter !== name) ?? null;
}

/** True if a parameter of a query holds a plus sign that was not encoded: it reads as a blank. */
export function hasBarePlus(search: string, name: string): boolean {
  return search.slice(1).split("&").some((pair) =>
    pair.startsWith(`${name}=`) && pair.includes("+")
  );
}

function withoutMarks(ticker: string): string {
  return ticker.replaceAll(/[.-]/g, "");
}
