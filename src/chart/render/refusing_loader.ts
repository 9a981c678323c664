import type { Loader } from "vega";

/** A loader for specifications that somebody else wrote, and the addresses that it refused. */
export interface RefusingLoader {
  readonly loader: Loader;
  readonly refused: readonly string[];
}

/**
 * A loader that reads neither files nor the network: an address in a specification would otherwise be read when the chart is drawn.
 *
 * @param usual Vega's own loader, for the addresses of links, which are written and not read
 */
export function refusingLoader(usual: Loader): RefusingLoader {
  const refused: string[] = [];
  const refuse = (uri: string) => {
    refused.push(uri);
    return Promise.reject(new Error("refused"));
  };
  const loader: Loader = {
    ...usual,
    load: refuse,
    http: refuse,
    file: refuse,
    sanitize: (uri, options) => {
      const isRead = (options as { readonly context?: string } | undefined)?.context !== "href";
      return isRead && !uri.startsWith("data:") ? refuse(uri) : usual.sanitize(uri, options);
    },
  };
  return { loader, refused };
}
