import type { Loader } from "vega";

/** Loader for specifications, with the addresses that it refused. */
export interface RefusingLoader {
  readonly loader: Loader;
  readonly refused: readonly string[];
}

/**
 * Makes a loader that reads neither files nor the network, unless it may. Otherwise drawing a chart would read any address in its
 * specification.
 *
 * Vega does not listen to a promise of `sanitize()`, so that a rejected one would end the process: an unsafe link, such as
 * `javascript:` in a chart's data, becomes empty.
 *
 * @param usual Vega's own loader
 */
export function refusingLoader(
  usual: Loader,
  { mayLoad }: { readonly mayLoad: boolean },
): RefusingLoader {
  const refused: string[] = [];
  const refuse = (uri: string) => {
    refused.push(uri);
    return Promise.reject(new Error("refused"));
  };
  const loader: Loader = {
    ...usual,
    ...(!mayLoad && { load: refuse, http: refuse, file: refuse }),
    sanitize: async (uri, options) => {
      const isRead = (options as { readonly context?: string } | undefined)?.context !== "href";
      const isRefused = isRead && !mayLoad && !String(uri).startsWith("data:");
      if (isRefused) refused.push(uri);
      return isRefused
        ? { href: "" }
        : await usual.sanitize(uri, options).catch(() => ({ href: "" }));
    },
  };
  return { loader, refused };
}
