import { hostname } from "node:os";
import process from "node:process";
import { type ExchangeRequest, isFileGet } from "../exchange.ts";
import {
  type AccountState,
  allowsLess,
  cancel,
  learn,
  type Lease,
  prune,
  type ServiceReport,
  settleClock,
  settleLease,
} from "./account_state.ts";
import {
  admit,
  isPlaceObstacle,
  isSlotObstacle,
  type Obstacle,
  type PlaceObstacle,
} from "./admission.ts";
import { type Clock, delay as platformSleep } from "../clock.ts";
import { scopesOf } from "./hold.ts";
import type { Ledger } from "./ledger.ts";
import { type HearWait, isLong, waitAloud } from "../long_wait.ts";
import { obstacleError, obstacleWords, placeWords } from "./obstacle_error.ts";
import type { WaitPatience } from "../call_patience.ts";

/** Options of passing the gate. */
export interface PassOptions {
  /** End the waiting. */
  readonly signals: readonly AbortSignal[];
  /** Waiting that the call has left. */
  readonly waits: WaitPatience;
  /** Requests of the day left for others. */
  readonly reserve: number;
  /** Time for which the request counts as in flight unless its process reports its end. */
  readonly leaseMs: number;
  /** Called while the request waits only for other requests to end. */
  readonly onFull?: (obstacle: PlaceObstacle) => void;
}

/** A request that may be sent. */
export interface Ticket {
  /**
   * Applies the headers of the answer.
   *
   * @param options `isLast`: true if the whole answer has arrived; then the lease ends in the same transaction
   */
  learn(report: ServiceReport, options?: { readonly isLast?: boolean | undefined }): void;
  /** Ends the lease; may be called more than once. */
  settle(): void;
  /** Ends the lease of a request that was never sent, and refunds it. */
  cancel(): void;
}

interface Permit {
  readonly id: string;
  readonly request: ExchangeRequest;
  readonly options: PassOptions;
}

// Another process frees a slot without a notification, so the ledger is read again.
const POLL_MS = 40;
// The service ends every answer within two minutes; an endless lease would keep the slot of a lost machine.
const LONGEST_LEASE_MS = 3_600_000;

const HOST = hostname();
const COPY = crypto.randomUUID();
const OWNER = `${HOST}:${process.pid}:${COPY}`;
// Requests in flight of all connections of this copy of the library; a worker has another one.
const FLYING = new Set<string>();

/** Delays requests until the account may send them, and counts them before they are sent. */
export class Gate {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onWait: HearWait | undefined;
  readonly #turns = { request: new Mutex(), download: new Mutex() };
  readonly #freed = new Condition();
  readonly #own = new Set<string>();
  #fullSinceMs: number | null = null;

  /** @param ledger Spending of the account, shared with other processes */
  constructor(ledger: Ledger, clock: Clock, onWait?: HearWait) {
    this.#onWait = onWait;
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /**
   * Waits until a request may be sent, and counts it.
   *
   * @throws {WaitError} If the wait is longer than allowed, or a daily budget is spent
   */
  async pass(request: ExchangeRequest, options: PassOptions): Promise<Ticket> {
    const permit = { id: crypto.randomUUID(), request, options };
    let wait: PlaceWait | null = null;
    for (;;) {
      const giveTurn = await this.#takeTurn(permit);
      try {
        const obstacle = await this.#enter(permit);
        if (obstacle === null) return this.#ticket(permit);
        giveTurn();
        if (isPlaceObstacle(obstacle)) {
          wait ??= new PlaceWait(this.#clock, options.waits);
          this.#goOnWaiting(permit, wait, obstacle);
          await soonOf(this.#freed.next(), options.signals);
        } else {
          wait = null;
          await this.#waitFor(obstacle, permit);
        }
      } finally {
        giveTurn();
      }
    }
  }

  // Waiting in the queue is waiting for a slot as well: the first in the queue waits for nothing else.
  async #takeTurn(permit: Permit): Promise<() => void> {
    const isFile = isFileGet(permit.request);
    const turns = this.#turns[isFile ? "download" : "request"];
    // Signals and timers of a wait cost a tenth of a millisecond, and the queue is usually empty.
    const atOnce = turns.takeNow();
    if (atOnce !== null) return atOnce;
    const turn = turns.take();
    const wait = new PlaceWait(this.#clock, permit.options.waits);
    try {
      for (;;) {
        const giveTurn = await soonOf(turn, permit.options.signals);
        if (giveTurn !== undefined) return giveTurn;
        this.#goOnWaiting(permit, wait, { kind: isFile ? "download-slot" : "slot" });
      }
    } catch (error) {
      // The wait has ended, so a later turn is passed on.
      turn.then((giveTurn) => giveTurn());
      throw error;
    }
  }

  // Tries until the request is in flight, or meets an obstacle that a free slot does not remove.
  async #enter(permit: Permit): Promise<Obstacle | null> {
    const { signals, waits } = permit.options;
    const wait = new PlaceWait(this.#clock, waits);
    let ended: (() => void) | void = undefined;
    try {
      for (let isFull = false;; isFull = true) {
        for (const signal of signals) signal.throwIfAborted();
        const freed = this.#freed.next();
        const obstacle = this.#admitted(permit);
        if (obstacle === null && !isFull) this.#fullSinceMs = null;
        if (obstacle === null || !isSlotObstacle(obstacle)) return obstacle;
        ended = this.#goOnWaiting(permit, wait, obstacle) ?? ended;
        await soonOf(freed, signals);
      }
    } finally {
      ended?.();
    }
  }

  #goOnWaiting(permit: Permit, wait: PlaceWait, obstacle: PlaceObstacle): (() => void) | void {
    const { request, options: { waits, reserve, onFull } } = permit;
    this.#fullSinceMs ??= this.#clock.now();
    if (!wait.count()) {
      throw obstacleError(request.action, obstacle, { maxWaitMs: waits.totalMs, reserve });
    }
    onFull?.(obstacle);
    if (!isLong(wait.lastedMs)) return undefined;
    const because = placeWords(obstacle);
    return this.#onWait?.({ untilMs: null, sinceMs: this.#fullSinceMs, because });
  }

  // Registered before the transaction ends: another request of this process prunes a lease that is not in `FLYING`.
  #admitted(permit: Permit): Obstacle | null {
    FLYING.add(permit.id);
    let isAdmitted = false;
    try {
      const obstacle = this.#ledger.update((known) => this.#admit(known, permit));
      isAdmitted = obstacle === null;
      return obstacle;
    } finally {
      if (!isAdmitted) FLYING.delete(permit.id);
    }
  }

  #admit(
    before: AccountState,
    { id, request, options }: Permit,
  ): { state: AccountState; result: Obstacle | null } {
    const nowMs = this.#clock.now();
    const known = settleClock(before, nowMs);
    const lease = {
      id,
      owner: OWNER,
      download: isFileGet(request),
      leaseUntilMs: nowMs + Math.min(options.leaseMs, LONGEST_LEASE_MS),
    };
    const permitRequest = { lease, scopes: scopesOf(request), reserve: options.reserve };
    const { state, obstacle } = admit(prune(known, nowMs, isGone), permitRequest, nowMs);
    return obstacle === null ? { state, result: null } : { state: known, result: obstacle };
  }

  // Only changes whose loss in a power failure would admit too much wait for the disk: an old lease in the ledger, or a low
  // remainder, only delays requests for a while.
  #ticket({ id, request }: Permit): Ticket {
    let answered = false;
    this.#own.add(id);
    const end = (change: (known: AccountState) => AccountState) => {
      if (!this.#own.delete(id)) return;
      FLYING.delete(id);
      const options = { durable: isFileGet(request) };
      try {
        this.#ledger.update((known) => ({ state: change(known), result: null }), options);
      } catch {
        // The request's own error counts. The next request of this process sees that the lease has ended.
      }
      this.#freed.notifyAll();
    };
    return {
      learn: (report, { isLast = false } = {}) => {
        answered = true;
        const isEnded = isLast && !isFileGet(request) && this.#own.has(id);
        const isStricter = this.#ledger.update((known) => {
          const learned = learn(known, id, report);
          const state = isEnded ? settleLease(learned, id, answered) : learned;
          return { state, result: allowsLess(learned, known) };
        }, { durable: false });
        if (isEnded && this.#own.delete(id)) FLYING.delete(id);
        if (isStricter) this.#ledger.update((known) => ({ state: { ...known }, result: null }));
        // Other requests may wait for this answer, which shows that the service can be asked again.
        this.#freed.notifyAll();
      },
      settle: () => end((known) => settleLease(known, id, answered)),
      cancel: () => end((known) => cancel(known, id)),
    };
  }

  async #waitFor(obstacle: Obstacle, permit: Permit): Promise<void> {
    const { request, options: { waits, reserve, signals } } = permit;
    const nowMs = this.#clock.now();
    const isStopped = this.#ledger.read().isClockStopped === true && isOfMinute(obstacle);
    const isWaitable = (obstacle.kind === "minute" || obstacle.kind === "hold") && !isStopped;
    const waitMs = isWaitable ? Math.max(1, Math.ceil(obstacle.untilMs - nowMs)) : 0;
    if (!isWaitable || waitMs > waits.leftFrom(nowMs)) {
      const allowed = { maxWaitMs: waits.totalMs, reserve, isStopped };
      throw obstacleError(request.action, obstacle, allowed);
    }
    waits.spend(nowMs, nowMs + waitMs);
    const because = obstacleWords(obstacle, { reserve });
    const signal = AbortSignal.any([...signals]);
    await waitAloud(this.#clock, waitMs, { because, signal, onWait: this.#onWait });
  }
}

/**
 * A wait for a slot that other requests hold; its end is unknown, so it is checked repeatedly.
 *
 * It is measured by the connection's clock, or by the platform's if that one stands still, as in a demo.
 */
class PlaceWait {
  readonly #clock: Pick<Clock, "now">;
  readonly #waits: WaitPatience;
  readonly #beganMs: number;
  readonly #platformBeganMs = performance.now();
  #countedMs: number;

  /**
   * @param clock The connection's clock
   * @param waits Waiting that the call has left
   */
  constructor(clock: Pick<Clock, "now">, waits: WaitPatience) {
    this.#clock = clock;
    this.#waits = waits;
    this.#beganMs = clock.now();
    this.#countedMs = this.#beganMs;
  }

  /** Duration so far. */
  get lastedMs(): number {
    const platformMs = Math.floor(performance.now() - this.#platformBeganMs);
    return Math.max(this.#clock.now() - this.#beganMs, platformMs);
  }

  /** Counts the time since the last call; returns true if the call may continue to wait. */
  count(): boolean {
    const nowMs = this.#beganMs + this.lastedMs;
    this.#waits.spend(this.#countedMs, nowMs);
    this.#countedMs = Math.max(this.#countedMs, nowMs);
    return this.#waits.leftFrom(nowMs) > 0;
  }
}

/** True if an obstacle ends with the service's minute. */
function isOfMinute(obstacle: Obstacle): boolean {
  return obstacle.kind === "minute" ||
    obstacle.kind === "hold" && obstacle.hold.code === "rate_limit_exceeded";
}

// Value of a promise, or `undefined` if it is time to read the ledger again.
async function soonOf<T>(promise: Promise<T>, outers: readonly AbortSignal[]) {
  const poll = new AbortController();
  const signal = AbortSignal.any([...outers, poll.signal]);
  const polled = platformSleep(POLL_MS, signal).then(() => undefined);
  // Its end does not matter once the promise has settled.
  polled.catch(() => {});
  try {
    return await Promise.race([promise, polled]);
  } finally {
    poll.abort();
  }
}

// A process counts as ended only if that is known; on another machine, or without permission, the lease decides.
function isGone({ id, owner }: Lease): boolean {
  const [host, pid, copy] = owner.split(":");
  if (copy === COPY) return !FLYING.has(id);
  if (host !== HOST || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "ESRCH";
  }
}

/** Wakes all callers that wait for a slot. */
export class Condition {
  #change = Promise.withResolvers<void>();

  /** Resolves with the next notification. */
  next(): Promise<void> {
    return this.#change.promise;
  }

  /** Wakes all waiting callers. */
  notifyAll(): void {
    const changed = this.#change;
    this.#change = Promise.withResolvers<void>();
    changed.resolve();
  }
}

/** Admits callers one at a time, in order of arrival. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();
  // Number of callers that have the turn or wait for it.
  #callers = 0;

  /** Waits for the turn; the returned function ends it, and may be called more than once. */
  async take(): Promise<() => void> {
    const previous = this.#last;
    const pass = this.#stand();
    await previous;
    return pass;
  }

  /** Takes the turn without waiting; `null` if it is taken. */
  takeNow(): (() => void) | null {
    return this.#callers === 0 ? this.#stand() : null;
  }

  #stand(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    this.#callers++;
    let isPassed = false;
    return () => {
      if (isPassed) return;
      isPassed = true;
      this.#callers--;
      resolve();
    };
  }
}
