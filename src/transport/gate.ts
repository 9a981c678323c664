import { hostname } from "node:os";
import process from "node:process";
import { isFileGet } from "./_spending.ts";
import { type AccountState, type Heard, land, learn, prune, withdraw } from "./account_state.ts";
import { admit, isSlotObstacle, type Obstacle } from "./admission.ts";
import { type Clock, sleep as platformSleep } from "./clock.ts";
import type { ExchangeRequest } from "./exchange.ts";
import { scopesOf } from "./hold.ts";
import type { Ledger } from "./ledger.ts";
import { obstacleError } from "./obstacle_error.ts";
import { Bell, Turnstile } from "./turnstile.ts";
import type { WaitBudget } from "./wait_budget.ts";

/** How a request may pass the gate. */
export interface PassOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Waiting that the call may still do. */
  readonly budget: WaitBudget;
  /** Requests of the day that are left to others. */
  readonly reserve: number;
  /** How long the request counts as in flight if its process never says otherwise. */
  readonly leaseMs: number;
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

// Another process frees a slot without telling, so its ledger is looked at again.
const POLL_MS = 40;

/** Holds requests back until the account may send them, and counts them before they are sent. */
export class Gate {
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #turns = { request: new Turnstile(), download: new Turnstile() };
  readonly #freed = new Bell();
  readonly #own = new Set<string>();

  /** @param ledger What the account has spent, shared with other processes */
  constructor(ledger: Ledger, clock: Clock) {
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
    for (;;) {
      const giveTurn = await turnstile.take();
      try {
        const { id, obstacle } = await this.#enter(request, options);
        if (obstacle === null) return this.#ticket(id);
        giveTurn();
        await this.#waitFor(obstacle, request, options);
      } finally {
        giveTurn();
      }
    }
  }

  // Tries until the request is in flight or something other than a slot stands in its way.
  async #enter(request: ExchangeRequest, options: PassOptions) {
    const id = crypto.randomUUID();
    for (;;) {
      options.signal.throwIfAborted();
      const freed = this.#freed.next();
      const obstacle = this.#ledger.update((known) => this.#admit(known, { id, request, options }));
      if (obstacle === null || !isSlotObstacle(obstacle)) return { id, obstacle };
      const poll = new AbortController();
      const signal = AbortSignal.any([options.signal, poll.signal]);
      try {
        await Promise.race([freed, platformSleep(POLL_MS, signal)]);
      } finally {
        poll.abort();
      }
    }
  }

  #admit(
    known: AccountState,
    entry: {
      readonly id: string;
      readonly request: ExchangeRequest;
      readonly options: PassOptions;
    },
  ): { state: AccountState; result: Obstacle | null } {
    const { id, request, options } = entry;
    const nowMs = this.#clock.now();
    const flight = {
      id,
      owner: OWNER,
      download: isFileGet(request),
      leaseUntilMs: nowMs + options.leaseMs,
    };
    const departure = { flight, scopes: scopesOf(request), reserve: options.reserve };
    const { state, obstacle } = admit(prune(known, nowMs, isGone), departure, nowMs);
    return obstacle === null ? { state, result: null } : { state: known, result: obstacle };
  }

  #ticket(id: string): Ticket {
    let answered = false;
    this.#own.add(id);
    const end = (change: (known: AccountState) => AccountState) => {
      if (!this.#own.delete(id)) return;
      this.#ledger.update((known) => ({ state: change(known), result: null }));
      this.#freed.ring();
    };
    return {
      learn: (heard) => {
        answered = true;
        this.#ledger.update((known) => ({ state: learn(known, id, heard), result: null }));
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
    if (isSlotObstacle(obstacle)) return;
    const waitMs = Math.max(1, Math.ceil(obstacle.untilMs - this.#clock.now()));
    const isWaitable = obstacle.kind === "minute" || obstacle.kind === "hold";
    if (!isWaitable || waitMs > options.budget.leftMs) {
      const { budget, reserve } = options;
      throw obstacleError(request.action, obstacle, { maxWaitMs: budget.totalMs, reserve });
    }
    options.budget.spend(waitMs);
    await this.#clock.sleep(waitMs, options.signal);
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
