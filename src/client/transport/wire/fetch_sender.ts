import type { Sender } from "./sender.ts";

/** A function with the signature of the platform's `fetch`, through which an embedded server is used without a socket. */
export type FetchFunction = (request: Request) => Promise<Response>;

/** Sends requests through a given function. */
export function createFetchSender(fetch: FetchFunction): Sender {
  return {
    async send({ method, url, headers, signal }) {
      const request = new Request(url, { method, headers, signal, redirect: "manual" });
      const response = await fetch(request);
      // A given function may ignore the signal; the reader of a body cancels it.
      const { body } = response;
      const cancel = () => void (body?.locked === false && body.cancel().catch(() => {}));
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
      return { status: response.status, headers: response.headers, body };
    },
    close: () => Promise.resolve(),
  };
}
