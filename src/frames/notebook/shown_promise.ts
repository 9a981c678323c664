import { DISPLAY, display, type MimeBundle } from "./display.ts";
import { type DisplayOptions, findKernel } from "./kernel/kernel.ts";
import { sendError } from "./kernel/settle.ts";
import { errorBundle, terminalText, valueBundle } from "./value_bundle.ts";

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

/**
 * Displays the value of a load, for `Symbol.for("Jupyter.display")`: a frame as a table, an error as the kernel shows one,
 * anything else by its own display. Never throws.
 */
export async function displayLoad(
  load: PromiseLike<unknown>,
  options: DisplayOptions = {},
): Promise<MimeBundle> {
  const { kernel = findKernel() } = options;
  try {
    const value = await load;
    const bundle = await valueBundle(value) ?? { "text/plain": terminalText(value) };
    return await display(bundle, { kernel });
  } catch (error) {
    if (kernel === null) return errorBundle(error);
    await sendError(error, kernel).catch(() => {});
    return {};
  }
}
