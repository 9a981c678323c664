import { parseWorld } from "../../../base/contract/http/header.ts";
import type { Factor } from "../../../base/contract/factor.ts";
import type { Instant } from "../../../base/contract/instant.ts";
import type { Release } from "../../../base/contract/release.ts";
import type { Check } from "../../../base/contract/scores/check.ts";
import type { View } from "../../../base/contract/http/query.ts";
import { receiveFactors } from "../../../client/load_factors.ts";
import { findAnnounced } from "../../../client/release/stored_releases.ts";
import { askFileHead } from "../../../client/release/download_release.ts";
import { lengthOf } from "../../../client/transport/call/body.ts";
import { loadReleaseMetadata } from "../../../client/release/receive_release.ts";
import {
  type AnsweredScores,
  receiveScores,
  selectedAt,
} from "../../../client/scores/request_json.ts";
import type { ConnectionContext } from "../../../client/verb/connection_context.ts";
import { Refusal } from "../../../server/message/refusal.ts";
import type { StoredRelease } from "../../../base/store/release/release_file.ts";
import type { AccountState } from "../../../client/transport/allowance/account_state.ts";
import type { AnswerHead } from "../../../client/transport/exchange.ts";
import { IntegrityError, TransportError } from "../../../base/errors.ts";
import { type Asker, meteredExchange, type Reservation } from "./asker.ts";
import { DiskWatch } from "./disk_watch.ts";
import { FairTurns } from "./fair_turns.ts";
import { keepRelease } from "./keep_release.ts";
import { type Confirmed, LicenceLease } from "./licence_lease.ts";
import { type Moment, ServiceClock } from "./service_clock.ts";
import { OUTAGE_RETRY_SECONDS, outageRefusal, upstreamRefusal } from "./upstream_refusal.ts";

/** Times of a relay. */
export interface UpstreamTimes {
  /** Longest age of an answer about the latest check, of the list of factors and of the metadata of a release. */
  readonly latestAgeMs: number;
  /** Time for which a confirmed licence is valid. */
  readonly leaseMs: number;
}

/** Parts of an {@link Upstream}. */
export interface UpstreamParts {
  readonly times: UpstreamTimes;
  /** Folders into which the relay writes. */
  readonly folders: readonly string[];
  /** Takes the key from its file, to send it from then on if it is another one or if it is due; true if it will be sent. */
  readonly renewKey: (isDue: boolean) => boolean;
  /** Called with one line whenever the state of the account, the service or the disk changes. */
  readonly onState: (line: string) => void;
}

/** The latest check of a factor, from the service. */
export interface LatestCheck {
  /** The check. */
  readonly check: Check;
  /** Instant at which it was the latest one by the service's clock; `null` if the answer has no time. */
  readonly provedThrough: Instant | null;
  /** Moment of the request. */
  readonly moment: Moment;
}

/** The release of a factor that the service offers. */
export interface Offer {
  /** Metadata. */
  readonly release: Release;
  /** Moment of the request. */
  readonly moment: Moment;
  /** Answer to a HEAD for the file; `null` if none was sent. */
  readonly head: AnswerHead | null;
}

interface Question {
  /** Identity: equal keys mean equal requests. */
  readonly key: string;
  readonly factor: Factor | null;
  readonly asker: Asker;
  readonly what?: "request" | "download";
  /** True if the answer is not stored. */
  readonly isKeptNowhere?: boolean;
}

// Leaves one of the account's five slots to other programs with the key.
const PLACES = 4;
const LOOK_AGAIN_AFTER_MS = 1_000;
// While the service does not answer, one question in this time tries it, and the others are told so at once.
const PROBE_AFTER_MS = OUTAGE_RETRY_SECONDS * 1_000;
const ANSWERS = "the service answers again";
const OUTAGE = "the service does not answer; the relay answers only what its store proves";
const WRITABLE = "the disk can be written again";

/** The service behind a relay, requested through the ordinary client; equal requests share one, and users take turns. */
export class Upstream {
  /** Time by the service's clock. */
  readonly clock: ServiceClock;
  /** Licence of the account. */
  readonly lease: LicenceLease;
  /** Watch over the disk. */
  readonly disk: DiskWatch;
  /** Turns at the service. */
  readonly turns = new FairTurns(PLACES);
  readonly #context: ConnectionContext;
  readonly #times: UpstreamTimes;
  readonly #parts: Pick<UpstreamParts, "renewKey" | "onState">;
  readonly #states = new Map([["service", ANSWERS], ["disk", WRITABLE]]);
  #renewals = 0;
  // Downloads whose bytes failed a check: another one would bring the same bytes.
  readonly #wrongFiles = new Map<string, { readonly refusal: unknown; readonly moment: Moment }>();
  readonly #flights = new Map<string, Promise<unknown>>();
  readonly #latest = new Map<Factor, LatestCheck>();
  readonly #offers = new Map<Factor, Offer>();
  #probeAtMs: number | null = null;
  #account: { readonly state: AccountState; readonly readAtMs: number } | null = null;

  /**
   * @param context State of the ordinary client's connection
   */
  constructor(context: ConnectionContext, { times, folders, ...parts }: UpstreamParts) {
    this.#context = context;
    this.#times = times;
    this.#parts = parts;
    this.clock = new ServiceClock(context);
    this.lease = new LicenceLease(this.clock, times.leaseMs);
    this.disk = new DiskWatch(this.clock, folders);
  }

  /** Waits until no request is in flight. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#flights.values());
  }

  /** State of the account, read after each answer and once a second. */
  account(): AccountState {
    const nowMs = performance.now();
    if (this.#account === null || nowMs - this.#account.readAtMs > LOOK_AGAIN_AFTER_MS) {
      this.#account = { state: this.#context.ledger.read(), readAtMs: nowMs };
    }
    return this.#account.state;
  }

  /** Last known latest check, however old; `null` without one. */
  known(factor: Factor): LatestCheck | null {
    return this.#latest.get(factor) ?? null;
  }

  /** The licence, no older than the latest age. */
  licence(asker: Asker): Promise<Confirmed> {
    const { refusal, isClosed } = this.lease;
    if (refusal !== null && !this.#renew(!isClosed)) return Promise.reject(refusal);
    const question = { key: "factors", factor: null, asker, isKeptNowhere: true };
    return this.#ask(question, async (context, moment) => {
      const { entries, answer } = await receiveFactors(context, {});
      const confirmed = {
        entries,
        moment,
        world: parseWorld(answer.headers),
        isEmbedded: answer.source === "embedded",
        isSynthetic: answer.synthetic,
      };
      this.lease.confirm(confirmed);
      const factors = entries.map(({ factor }) => factor).join(" and ") || "no factor";
      this.#tell("account", `licensed: ${factors}`);
      return confirmed;
    });
  }

  /** The latest check of a factor, no older than the latest age. */
  async latest(factor: Factor, asker: Asker): Promise<Check> {
    const known = this.#fresh(this.#latest.get(factor));
    const { check, moment } = known ??
      await this.#ask({ key: `latest ${factor}`, factor, asker }, async (context, asked) => {
        const { set, answer } = await this.#receive(context, factor, { kind: "latest" });
        const latest = { check: set.check, provedThrough: selectedAt(answer), moment: asked };
        this.#latest.set(factor, latest);
        return latest;
      });
    asker.restOn(moment.serviceMs);
    return check;
  }

  /** Check that was the latest at an instant, if the last answer proves it. */
  latestAt(factor: Factor, at: Instant): LatestCheck | null {
    const known = this.#latest.get(factor);
    if (known === undefined || known.check.status === "stale") return null;
    const { check, provedThrough } = known;
    // By the service's clock: that of this machine may be ahead of it.
    const isProved = provedThrough !== null && check.lastCheckedAt <= at && at <= provedThrough;
    return isProved ? known : null;
  }

  /** Requests a check that the store does not prove. */
  async view(factor: Factor, view: View, asker: Asker): Promise<AnsweredScores> {
    const key = `${factor} ${JSON.stringify(view)}`;
    const question = { key, factor, asker };
    const found = await this.#ask(question, (context) => this.#receive(context, factor, view));
    asker.restOn(this.clock.nowMs());
    return found;
  }

  /** Metadata of the release, no older than the latest age. */
  async offer(factor: Factor, asker: Asker): Promise<Offer> {
    const known = this.#fresh(this.#offers.get(factor));
    const question = { key: `offer ${factor}`, factor, asker, isKeptNowhere: true };
    const offer = known ??
      await this.#ask(question, async (context, moment) => {
        const { release } = await loadReleaseMetadata(context, factor, {});
        const received = { release, moment, head: this.#offered(factor, release)?.head ?? null };
        this.#offers.set(factor, received);
        return received;
      });
    asker.restOn(offer.moment.serviceMs);
    return offer;
  }

  /** Size of the file of a release that is not in the store. */
  async size(factor: Factor, release: Release, asker: Asker): Promise<number> {
    const key = `head ${release.downloadSha256}`;
    const head = this.#offered(factor, release)?.head ??
      await this.#ask({ key, factor, asker, isKeptNowhere: true }, async (context) => {
        const told = await askFileHead(context, { factor, release, sizeBytes: null }, {});
        const known = this.#offered(factor, release);
        if (known !== null) this.#offers.set(factor, { ...known, head: told });
        return told;
      });
    const size = lengthOf(head);
    if (size !== null) return size;
    throw new Refusal("internal_error", "The service did not state the size of the file");
  }

  /** The release with its file, from the store or by one download. */
  file(factor: Factor, release: Release, asker: Asker): Promise<StoredRelease> {
    const key = `file ${release.downloadSha256}`;
    const wrong = this.#wrongFiles.get(key);
    if (wrong !== undefined && this.clock.sinceMs(wrong.moment) < this.#times.leaseMs) {
      return Promise.reject(wrong.refusal);
    }
    const question = { key, factor, asker, what: "download" } as const;
    return this.#ask(question, async (context) => {
      const announced = { factor, release, sizeBytes: null };
      const stored = await findAnnounced(context, announced);
      if (stored !== null) return stored;
      const head = this.#offers.get(factor)?.head ?? null;
      return await keepRelease(context, announced, head).catch((error: unknown) => {
        if (!(error instanceof IntegrityError)) throw error;
        const refusal = upstreamRefusal(error, { factor, nowMs: this.#context.clock.now() });
        this.#wrongFiles.set(key, { refusal, moment: this.clock.moment() });
        throw refusal;
      });
    });
  }

  /** Lets the service be asked again after a refusal of the account or a wrong file. */
  renew(): void {
    this.#renew(true);
    this.#probeAtMs = null;
    this.#wrongFiles.clear();
  }

  #renew(isDue: boolean): boolean {
    try {
      if (!this.#parts.renewKey(isDue)) return false;
    } catch (error) {
      this.#tell("key", (error as Error).message);
      return false;
    }
    this.#states.delete("key");
    this.#renewals++;
    this.lease.open();
    return true;
  }

  #offered(factor: Factor, { downloadSha256 }: Release): Offer | null {
    const known = this.#offers.get(factor);
    return known?.release.downloadSha256 === downloadSha256 ? known : null;
  }

  async #receive(context: ConnectionContext, factor: Factor, view: View): Promise<AnsweredScores> {
    return (await receiveScores(context, { factor, view, ticker: null, format: "json" }, {}))!;
  }

  #fresh<Told extends { readonly moment: Moment }>(told: Told | undefined): Told | null {
    if (told === undefined) return null;
    return this.clock.sinceMs(told.moment) < this.#times.latestAgeMs ? told : null;
  }

  // One request in flight serves all equal ones; a caller that leaves does not end it.
  #ask<Result>(
    question: Question,
    run: (context: ConnectionContext, moment: Moment) => Promise<Result>,
  ): Promise<Result> {
    const known = this.#flights.get(question.key);
    if (known !== undefined) return known as Promise<Result>;
    let reservation: Reservation;
    try {
      this.#assertAnswering();
      // Checked before sharing: one user's budget must not refuse the others.
      if (question.isKeptNowhere !== true) this.disk.assertWritable();
      reservation = question.asker.reserve(question.what ?? "request");
    } catch (refusal) {
      return Promise.reject(refusal);
    }
    const flight = this.#send(question, reservation, run);
    this.#flights.set(question.key, flight);
    const end = () => {
      this.#flights.delete(question.key);
      reservation.free();
    };
    flight.then(end, end);
    return flight;
  }

  #assertAnswering(): void {
    const nowMs = this.#context.clock.now();
    if (this.#probeAtMs === null || nowMs >= this.#probeAtMs) {
      if (this.#probeAtMs !== null) this.#probeAtMs = nowMs + PROBE_AFTER_MS;
      return;
    }
    throw outageRefusal(Math.ceil((this.#probeAtMs - nowMs) / 1_000));
  }

  async #send<Result>(
    { asker, factor }: Question,
    reservation: Reservation,
    run: (context: ConnectionContext, moment: Moment) => Promise<Result>,
  ): Promise<Result> {
    const renewals = this.#renewals;
    let isAway = false;
    try {
      const exchange = meteredExchange(this.#context.exchange, {
        ...reservation,
        giveBack: (what) => {
          // Nothing reached the service; a transfer that broke off did.
          isAway = true;
          reservation.giveBack(what);
        },
      });
      const result = await this.turns.run(asker.user, async () => {
        const moment = this.clock.moment();
        return await run({ ...this.#context, exchange }, moment);
      });
      this.#probeAtMs = null;
      this.#tell("service", ANSWERS);
      return result;
    } catch (error) {
      this.disk.learn(error);
      const nowMs = this.#context.clock.now();
      const refusal = upstreamRefusal(error, { factor, nowMs });
      if (error instanceof TransportError) this.#tell("service", OUTAGE);
      if (!(error instanceof Refusal)) this.#probeAtMs = isAway ? nowMs + PROBE_AFTER_MS : null;
      // A refusal of the key before the present one says nothing about this one.
      if (renewals === this.#renewals) this.lease.learn(error, refusal, factor);
      if (this.lease.refusal !== null) this.#tell("account", this.lease.refusal.message);
      throw refusal;
    } finally {
      const { trouble } = this.disk;
      this.#tell("disk", trouble === null ? WRITABLE : `the disk cannot be written: ${trouble}`);
      this.clock.forget();
      this.#account = null;
    }
  }

  #tell(topic: "account" | "key" | "service" | "disk", state: string): void {
    if (this.#states.get(topic) === state) return;
    this.#states.set(topic, state);
    this.#parts.onState(state);
  }
}
