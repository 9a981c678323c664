import { hostname } from "node:os";
import process from "node:process";
import { isFileGet } from "../spends_download.ts";
import {
  type AccountState,
  allowsLess,
  type Heard,
  land,
  learn,
  prune,
  withdraw,
} from "./account_state.ts";
import { admit, isSlotObstacle, type Obstacle, type SlotObstacle } from "./admission.ts";
import { untilAborted } from "../call/body.ts";
import { type Clock, sleep as platformSleep } from "../clock.ts";
import type { ExchangeRequest } from "../exchange.ts";
import { scopesOf } from "./hold.ts";
import type { Ledger } from "./ledger.ts";
import { type LongWait, waitAloud } from "../long_wait.ts";
import { obstacleError, obstacleWords } from "./obstacle_error.ts";
import { Bell, Turnstile } from "./turnstile.ts";
import type { WaitBudget } from "../wait_budget.ts";

/** How a request may pass the gate. */
export interface PassOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Waiting that the call may still do. */
  readonly waits: WaitBudget;
  /** Requests of the day that are left to others. */
  readonly reserve: number;
  /** How long the request counts as in flight if its process never says otherwise. */
  readonly leaseMs: number;
  /** Told while nothing but a free place is missing. */
  readonly onFull?: (obstacle: SlotObstacle) => void;
}

/** Who hears of the gate. */
export interface GateOptions {
  /** Told of a long wait before it begins. */
  readonly onWait: ((wait: LongWait) => void) | undefined;
}

/** A request that may be sent. */
export interface Ticket {
  /** Learns what the answer's headers told. */
  learn(heard: Heard): void;
  /** Ends the flight; may be called more than once. */
  land(): void;
  /** Ends the flight of a request that was never sent, so that nothing is spent. */
  withdraw(): void;
}

interface Passage {
  readonly id: string;
  readonly request: ExchangeRequest;
  readonly options: PassOptions;
}

// Another process frees a slot without telling, so its ledger is looked at again.
const POLL_MS = 40;
// The service itself ends every answer within two minutes; an endless lease would keep a slot of a lost machine taken.
const LONGEST_LEASE_MS = 3_600_000;

/** Holds requests back until the account may send them, and counts them before they are sent. */
export class Gate {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onWait: GateOptions["onWait"];
  readonly #turns = { request: new Turnstile(), download: new Turnstile() };
  readonly #freed = new Bell();
  readonly #own = new Set<string>();

  /** @param ledger What the account has spent, shared with other processes */
  constructor(ledger: Ledger, clock: Clock, { onWait }: GateOptions) {
    this.#onWait = onWait;
    this.#ledger = ledger;
    this.#clock = clock;
  }

  /**
   * Waits until a request may be sent, and counts it.
   *
   * @throws {WaitError} If that takes longer than the call may wait, or a daily budget is spent
   */
  async pass(request: ExchangeRequest, options: PassOptions): Promise<Ticket> {
    const turnstile = this.#turns[isFileGet(request) ? "download" : "request"];
    const passage = { id: crypto.randomUUID(), request, options };
    for (;;) {
      const giveTurn = await takeTurn(turnstile, options.signal);
      try {
        const obstacle = await this.#enter(passage);
        if (obstacle === null) return this.#ticket(passage);
        giveTurn();
        await this.#waitFor(obstacle, request, options);
      } finally {
        giveTurn();
      }
    }
  }

  // Tries until the request is in flight, or something stands in its way that a free place does not remove.
  async #enter(passage: Passage): Promise<Obstacle | null> {
    const { signal, waits, onFull } = passage.options;
    let triedMs = this.#clock.now();
    for (;;) {
      signal.throwIfAborted();
      const freed = this.#freed.next();
      const obstacle = this.#ledger.update((known) => this.#admit(known, passage));
      if (obstacle === null || !isSlotObstacle(obstacle)) return obstacle;
      const nowMs = this.#clock.now();
      waits.spend(triedMs, nowMs);
      triedMs = nowMs;
      if (waits.leftFrom(nowMs) <= 0) return obstacle;
      onFull?.(obstacle);
      await untilFreed(freed, signal);
    }
  }

  #admit(
    known: AccountState,
    { id, request, options }: Passage,
  ): { state: AccountState; result: Obstacle | null } {
    const nowMs = this.#clock.now();
    const flight = {
      id,
      owner: OWNER,
      download: isFileGet(request),
      leaseUntilMs: nowMs + Math.min(options.leaseMs, LONGEST_LEASE_MS),
    };
    const departure = { flight, scopes: scopesOf(request), reserve: options.reserve };
    const { state, obstacle } = admit(prune(known, nowMs, isGone), departure, nowMs);
    return obstacle === null ? { state, result: null } : { state: known, result: obstacle };
  }

  // Only what would let too much be sent, were a power loss to take it back, waits for the disk: a flight that is still
  // in the ledger, or a remainder that is too low, only keeps something back for a while.
  #ticket({ id, request }: Passage): Ticket {
    let answered = false;
    this.#own.add(id);
    const end = (change: (known: AccountState) => AccountState) => {
      if (!this.#own.delete(id)) return;
      const options = { durable: isFileGet(request) };
      this.#ledger.update((known) => ({ state: change(known), result: null }), options);
      this.#freed.ring();
    };
    return {
      learn: (heard) => {
        answered = true;
        const isStricter = this.#ledger.update((known) => {
          const state = learn(known, id, heard);
          return { state, result: allowsLess(state, known) };
        }, { durable: false });
        if (isStricter) this.#ledger.update((known) => ({ state: { ...known }, result: null }));
      },
      land: () => end((known) => land(known, id, answered)),
      withdraw: () => end((known) => withdraw(known, id)),
    };
  }

  async #waitFor(
    obstacle: Obstacle,
    request: ExchangeRequest,
    options: PassOptions,
  ): Promise<void> {
    const { waits, reserve } = options;
    const nowMs = this.#clock.now();
    const isWaitable = obstacle.kind === "minute" || obstacle.kind === "hold";
    const waitMs = isWaitable ? Math.max(1, Math.ceil(obstacle.untilMs - nowMs)) : 0;
    if (!isWaitable || waitMs > waits.leftFrom(nowMs)) {
      throw obstacleError(request.action, obstacle, { maxWaitMs: waits.totalMs, reserve });
    }
    waits.spend(nowMs, nowMs + waitMs);
    const { signal } = options;
    const because = obstacleWords(obstacle, { reserve });
    await waitAloud(this.#clock, waitMs, { because, signal, onWait: this.#onWait });
  }
}

// A turn that comes when nobody waits for it any more is passed on.
async function takeTurn(turnstile: Turnstile, signal: AbortSignal): Promise<() => void> {
  const turn = turnstile.take();
  try {
    return await untilAborted(turn, signal);
  } catch (error) {
    turn.then((giveTurn) => giveTurn());
    throw error;
  }
}

async function untilFreed(freed: Promise<void>, outer: AbortSignal): Promise<void> {
  const poll = new AbortController();
  const signal = AbortSignal.any([outer, poll.signal]);
  const polled = platformSleep(POLL_MS, signal);
  // Its end is of no interest once something was freed.
  polled.catch(() => {});
  try {
    await Promise.race([freed, polled]);
  } finally {
    poll.abort();
  }
}

const HOST = hostname();
const OWNER = `${HOST}:${process.pid}`;

// Only what is known to be dead is gone: on another machine, or without the permission to ask, the lease decides.
function isGone(owner: string): boolean {
  const [host, pid] = owner.split(":");
  if (host !== HOST || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "ESRCH";
  }
}
