import type { Endpoint } from "../../contract/http/endpoint.ts";
import type { Grant } from "../account/accounts.ts";
import type { KeyRing } from "../account/authenticate.ts";

/** Keys and licences by which a pipeline lets requests in. */
export interface Access extends KeyRing {
  /**
   * The grant with the licences that hold now, where these have to be asked for first; `null` if the grant has them.
   *
   * @throws {Refusal} If they cannot be told
   */
  renew(grant: Grant, endpoint: Endpoint): Promise<Grant> | null;
}
