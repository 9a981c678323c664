import type { Asker } from "./asker.ts";

/** Name under which the relay counts its own requests; no user can have it. */
export const OWN_NAME = "(relay)";

/** The relay as a sender of requests, which are counted but not limited by a user's budget. */
export function ownAsker(spend: (user: string, what: "request" | "download") => void): Asker {
  return {
    user: OWN_NAME,
    assertMay: () => {},
    spend: (what) => spend(OWN_NAME, what),
    restOn: () => {},
  };
}
