import type { Loader } from "vega";

/** Loader for untrusted specifications, with the addresses that it refused. */
export interface RefusingLoader {
  readonly loader: Loader;
  readonly refused: readonly string[];
}

/**
 * Makes a loader that reads neither files nor the network. Otherwise drawing a chart would read any address in its specification.
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
