import type { Asker } from "./asker.ts";

/** Name under which the relay counts what it asks by itself; no user can have it. */
export const OWN_NAME = "(relay)";

/** The relay itself as somebody for whom the service is asked: its requests count, and no budget of a user stands before them. */
export function ownAsker(spend: (user: string, what: "request" | "download") => void): Asker {
  return {
    user: OWN_NAME,
    assertMay: () => {},
    spend: (what) => spend(OWN_NAME, what),
    restOn: () => {},
  };
}
