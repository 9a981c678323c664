import type { Endpoint } from "../../base/contract/http/endpoint.ts";
import type { Grant } from "../account/accounts.ts";
import type { KeyRing } from "../account/authenticate.ts";

/** Keys and licences for admitting requests. */
export interface Access extends KeyRing {
  /**
   * The grant with current licences, if they have to be requested first; `null` if the grant has them.
   *
   * @throws {Refusal} If they are unknown
   */
  renew(grant: Grant, endpoint: Endpoint): Promise<Grant> | null;
}
