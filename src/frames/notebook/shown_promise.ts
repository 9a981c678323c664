import { DISPLAY, type MimeBundle } from "./display.ts";
import { displayLoad } from "./display_load.ts";

/** Texts of a {@link ShownPromise} for users who forget to await it. */
export interface Promised {
  /** Noun for its result, such as `an analysis`. */
  readonly what: string;
  /** Example with `await`, such as `const api = await demo()`. */
  readonly write: string;
  /** Members of its result; reading one of them on the promise throws an error that says to await it. */
  readonly members: readonly string[];
}

/**
 * Promise of a result that a notebook displays even if `await` was forgotten. Members of the result that are read too early
 * throw an error instead of being undefined.
 */
export class ShownPromise<Value> extends Promise<Value> {
  /**
   * Wraps a promise.
   *
   * @param promise The promise
   * @param promised Description of the result
   */
  constructor(promise: Promise<Value>, promised: Promised) {
    super((resolve, reject) => {
      promise.then(resolve, reject);
    });
    refuseMembers(this, promised);
  }

  /** Makes `then` return an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Notebook display. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(this);
  }
}

function refuseMembers(promise: object, { what, write, members }: Promised): void {
  for (const name of members) {
    Object.defineProperty(promise, name, {
      configurable: true,
      get(): never {
        throw new TypeError(
          `Cannot read "${name}" of ${what}: expected ${what}, got the promise of one; await it first: ${write}`,
        );
      },
    });
  }
}
