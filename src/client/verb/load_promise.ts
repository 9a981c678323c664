import type { Instant } from "../../contract/instant.ts";
import { DISPLAY, type MimeBundle } from "../../notebook/display.ts";
import { displayLoad } from "../../notebook/display_load.ts";

/** The answer behind a load. */
export interface ResponseInfo {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the answer. */
  readonly headers: Headers;
  /** The service's id of the request, if it sent one. */
  readonly requestId: string | null;
  /** Arrival of the answer. */
  readonly receivedAt: Instant;
  /** Number of times the request was sent; 0 if the load joined an equal one that was in flight, whose answer this is. */
  readonly attempts: number;
}

/** Outcome of a load: the value, its source, and the answer that brought it. */
export interface Loaded<Value, Raw> {
  /** Value of `await`. */
  readonly data: Value;
  /** The contract object behind it. */
  readonly raw: Raw;
  /** The last answer of the load; `null` if the store answered and nothing was sent. */
  readonly response: ResponseInfo | null;
}

/**
 * The promise of a load. `await` gives the value; `withResponse()` also gives status, headers and the contract object;
 * and in a notebook it displays its value even where `await` was forgotten.
 */
export class LoadPromise<Value, Raw> extends Promise<Value> {
  readonly #loading: Promise<Loaded<Value, Raw>>;

  /**
   * Wraps a load.
   *
   * @param loading The load
   * @ignore
   */
  constructor(loading: Promise<Loaded<Value, Raw>>) {
    super((resolve, reject) => {
      loading.then(({ data }) => resolve(data), reject);
    });
    this.#loading = loading;
  }

  /** `then` returns an ordinary promise: it has no answer behind it. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The value together with the answer that brought it. */
  withResponse(): Promise<Loaded<Value, Raw>> {
    // A failure is heard from the promise that is returned; it must not count as unhandled here as well.
    this.catch(() => {});
    return this.#loading;
  }

  /** Display of the load in a notebook. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(this);
  }
}

// Members that a researcher calls on a load whose await was forgotten. No types: an editor and a type check say it, too.
const FRAME_MEMBERS: readonly string[] = [
  ...["columns", "height", "width", "shape", "schema", "dtypes", "rows", "toRecords", "toObject"],
  ...["filter", "select", "withColumn", "withColumns", "drop", "rename", "join", "groupBy", "sort"],
  ...["head", "tail", "limit", "slice", "sample", "unique", "getColumn", "describe", "lazy"],
  ...["pivot", "explode", "vstack", "hstack", "writeCSV", "writeParquet", "collect", "0"],
];

for (const name of FRAME_MEMBERS) {
  const access = name === "0" ? "[0]" : `.${name}`;
  Object.defineProperty(LoadPromise.prototype, name, {
    configurable: true,
    get(): never {
      throw new TypeError(
        `Cannot read "${name}" of a load: expected a frame, got the promise of one; ` +
          `await it first: (await api.scores("ecpnd"))${access}`,
      );
    },
  });
}
