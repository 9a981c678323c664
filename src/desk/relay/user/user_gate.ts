import { countText } from "../../../base/wording/number_text.ts";
import type { ErrorCode } from "../../../base/contract/http/error_body.ts";
import {
  type Budgets,
  encodeBudgets,
  encodeRelayMark,
  RELAY_HEADER,
} from "../../../base/contract/http/header.ts";
import type { Account } from "../../../server/account/accounts.ts";
import type {
  AdmissionRequest,
  AdmittedRequest,
  Quotas,
} from "../../../server/account/quota_gate.ts";
import { dayEndMs, minuteEndMs, secondsUntil } from "../../../server/account/utc_windows.ts";
import type { HeaderField } from "../../../server/message/message.ts";
import { Refusal } from "../../../server/message/refusal.ts";
import { windowAt } from "../../../client/transport/allowance/account_state.ts";
import type { Clock } from "../../../client/transport/clock.ts";
import type { Asker, Cost, Reservation } from "../upstream/asker.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { RelayUser } from "./user_file.ts";
import type { Spending } from "./spending.ts";

const CONCURRENCY_RETRY_SECONDS = 1;

/** Parts of a gate. */
export interface UserGateParts {
  /** The service, with the state of the account. */
  readonly upstream: Upstream;
  /** Spending of the users. */
  readonly spending: Spending;
  /** Time of this machine. */
  readonly clock: Pick<Clock, "now">;
  /** The user of an account's name. */
  readonly userOf: (name: string) => Pick<RelayUser, "requests" | "downloads"> | null;
}

/** Admits requests of users; answers without a request to the service are free and never limited. */
export class UserGate implements Quotas {
  readonly #parts: UserGateParts;
  readonly #active = new Map<string, number>();

  /** @param parts Service and users */
  constructor(parts: UserGateParts) {
    this.#parts = parts;
  }

  admit(account: Account, request: AdmissionRequest): UserAdmission {
    const { id, limits } = account;
    const active = this.#active.get(id) ?? 0;
    if (active >= limits.concurrentRequests) {
      throw new Refusal(
        "concurrent_request_limit",
        `${id} may have ${limits.concurrentRequests} concurrent requests at this relay`,
        { retryAfterSeconds: CONCURRENCY_RETRY_SECONDS },
      );
    }
    this.#active.set(id, active + 1);
    let isFree = false;
    const free = () => {
      if (!isFree) this.#active.set(id, (this.#active.get(id) ?? 1) - 1);
      isFree = true;
    };
    return new UserAdmission(this.#parts, id, { request, free });
  }
}

/** An admitted request of a user, which counts its requests to the service. */
export class UserAdmission implements AdmittedRequest, Asker {
  readonly user: string;
  readonly #parts: UserGateParts;
  readonly #limits: Pick<RelayUser, "requests" | "downloads">;
  readonly #request: AdmissionRequest;
  readonly free: () => void;
  #requests = 0;
  #downloads = 0;
  #provedAtMs: number | null = null;

  constructor(parts: UserGateParts, name: string, admitted: {
    readonly request: AdmissionRequest;
    readonly free: () => void;
  }) {
    this.#parts = parts;
    this.user = name;
    this.#limits = parts.userOf(name) ?? { requests: null, downloads: null };
    this.#request = admitted.request;
    this.free = admitted.free;
  }

  get requestsSpent(): number {
    return this.#requests;
  }

  get downloadsSpent(): number {
    return this.#downloads;
  }

  // A download is spent when the file is fetched from the service; from the disk it costs nothing.
  spendDownload(): void {}

  reserve(what: Cost): Reservation {
    const { spending, upstream } = this.#parts;
    // A file is announced by a HEAD, and then sent.
    const cost = what === "download"
      ? { requests: 2, downloads: 1 }
      : { requests: 1, downloads: 0 };
    this.#assertLeft(cost);
    const held = spending.hold(this.user, cost);
    let undo = () => {};
    return {
      free: held.free,
      spend: (spent) => {
        // What was set aside is for one attempt: another one asks the budget again.
        if (!held.take(spent)) {
          this.#assertLeft({ requests: 1, downloads: spent === "download" ? 1 : 0 });
        }
        undo = spending.spend(this.user, spent, upstream.clock.nowMs());
        this.#count(spent, 1);
      },
      giveBack: (spent) => {
        undo();
        held.putBack(spent);
        this.#count(spent, -1);
      },
    };
  }

  #count(what: Cost, by: 1 | -1): void {
    this.#requests += by;
    if (what === "download") this.#downloads += by;
  }

  #assertLeft(cost: { readonly requests: number; readonly downloads: number }): void {
    const { spending, upstream, clock } = this.#parts;
    const { nowMs } = this.#request;
    const { requests, downloads } = this.#limits;
    const { dayRequests, dayDownloads, minuteRequests } = spending.of(this.user, nowMs);
    const held = spending.heldBy(this.user);
    const today = "of the service per UTC day, and all are spent";
    const mayUse = (many: string) => `${this.user} may use ${many} ${today}`;
    if (requests !== null && dayRequests + held.requests + cost.requests > requests) {
      throw this.#spent("daily_limit_exceeded", mayUse(countText(requests, "request")), dayEndMs);
    }
    if (downloads !== null && dayDownloads + held.downloads + cost.downloads > downloads) {
      const said = mayUse(countText(downloads, "download"));
      throw this.#spent("download_limit_exceeded", said, dayEndMs);
    }
    // The last tenth of the account's minute is for those who have used less than that of it.
    const minute = windowAt(upstream.account(), "minute", clock.now());
    const kept = Math.floor(minute.limit / 10);
    if (kept === 0 || minute.remaining > kept || minuteRequests + held.requests < kept) return;
    const said = "the rest of the account's requests of this minute is for colleagues";
    throw this.#spent("rate_limit_exceeded", said, minuteEndMs);
  }

  #spent(code: ErrorCode, said: string, endOf: (nowMs: number) => number): Refusal {
    const retryAfterSeconds = secondsUntil(endOf, this.#request.nowMs);
    return new Refusal(
      code,
      `${said}; retry in ${retryAfterSeconds} s; answers from the relay's store cost nothing`,
      { retryAfterSeconds },
    );
  }

  restOn(provedAtMs: number): void {
    this.#provedAtMs = Math.min(this.#provedAtMs ?? Infinity, provedAtMs);
  }

  headers(): readonly HeaderField[] {
    return [...encodeBudgets(this.#budgets()), [RELAY_HEADER, this.#mark()]];
  }

  #mark(): string {
    const nowMs = this.#parts.upstream.clock.nowMs();
    const ageSeconds = this.#provedAtMs === null
      ? null
      : Math.max(0, Math.floor((nowMs - this.#provedAtMs) / 1000));
    return encodeRelayMark({ spent: this.#requests, ageSeconds });
  }

  // The user's limit of the day, and never more than the account has left.
  #budgets(): Budgets {
    const { nowMs, download } = this.#request;
    const { upstream, clock, spending } = this.#parts;
    const state = upstream.account();
    const left = (kind: keyof Budgets) => windowAt(state, kind, clock.now());
    const usage = spending.of(this.user, nowMs);
    const own = (kind: "day" | "download", limit: number | null, spent: number) => {
      const account = left(kind);
      const remaining = Math.max(0, Math.min(account.remaining, (limit ?? Infinity) - spent));
      const size = Math.min(limit ?? Infinity, account.limit);
      return { limit: size, remaining, reset: dayEndMs(nowMs) / 1000 };
    };
    const { limit, remaining } = left("minute");
    return {
      minute: { limit, remaining, reset: minuteEndMs(nowMs) / 1000 },
      day: own("day", this.#limits.requests, usage.dayRequests),
      ...(download && { download: own("download", this.#limits.downloads, usage.dayDownloads) }),
    };
  }
}
