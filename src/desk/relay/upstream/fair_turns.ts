interface Waiting {
  readonly user: string;
  readonly begin: () => void;
}

/**
 * Limits concurrent requests to the service, and shares turns fairly.
 *
 * The next turn goes to the waiting user whose last one was the longest ago; the requests of one user keep their order.
 */
export class FairTurns {
  readonly #places: number;
  readonly #waiting: Waiting[] = [];
  readonly #lastTurn = new Map<string, number>();
  #taken = 0;
  #turns = 0;

  /** @param places Largest number of concurrent turns */
  constructor(places: number) {
    this.#places = places;
  }

  /** Number of requests that wait for a turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Runs work when it is the user's turn. */
  async run<Result>(user: string, work: () => Promise<Result>): Promise<Result> {
    await this.#turnOf(user);
    try {
      return await work();
    } finally {
      this.#taken--;
      this.#next();
    }
  }

  #turnOf(user: string): Promise<void> {
    return new Promise((begin) => {
      this.#waiting.push({ user, begin });
      this.#next();
    });
  }

  #next(): void {
    if (this.#taken >= this.#places || this.#waiting.length === 0) return;
    const lastOf = ({ user }: Waiting) => this.#lastTurn.get(user) ?? -1;
    const chosen = this.#waiting.reduce((a, b) => lastOf(b) < lastOf(a) ? b : a);
    this.#waiting.splice(this.#waiting.indexOf(chosen), 1);
    this.#lastTurn.set(chosen.user, this.#turns++);
    this.#taken++;
    chosen.begin();
  }
}
