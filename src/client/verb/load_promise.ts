import type { DataFrame } from "nodejs-polars";
import type { Instant } from "../../base/contract/instant.ts";
import { DISPLAY, type MimeBundle } from "../../frames/notebook/display.ts";
import { displayLoad } from "../../frames/notebook/shown_promise.ts";
import type { Schema } from "../../frames/frame/typed/columns.ts";
import type { TypedFrame } from "../../frames/frame/typed/typed_frame.ts";

/** Result of a load: the value, its source, and the answer. */
export interface Loaded<Value, Raw> {
  /** Value of `await`. */
  readonly data: Value;
  /** The contract object behind it. */
  readonly raw: Raw;
  /** The last answer of the load; `null` if the store answered and nothing was sent. */
  readonly response: {
    /** HTTP status. */
    readonly status: number;
    /** Headers of the answer. */
    readonly headers: Headers;
    /** The service's id of the request, if it sent one. */
    readonly requestId: string | null;
    /** Time of arrival of the answer. */
    readonly receivedAt: Instant;
    /** Number of times the request was sent; 0 if the load joined an equal one in flight. */
    readonly attempts: number;
  } | null;
}

/** The answer behind a load. */
export type ResponseInfo = NonNullable<Loaded<unknown, unknown>["response"]>;

/**
 * Promise of a load. `await` returns the value, and `withResponse()` also status, headers and the contract object. A notebook
 * displays the value even if `await` was forgotten.
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

  /** Makes `then` return an ordinary promise, which has no answer. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** The value together with its answer. */
  withResponse(): Promise<Loaded<Value, Raw>> {
    // The returned promise reports a failure; it must not count as unhandled here as well.
    this.catch(() => {});
    return this.#loading;
  }

  /** Display of the load in a notebook. */
  [DISPLAY](): Promise<MimeBundle> {
    return displayLoad(this);
  }
}

// Members often called on a load that was not awaited. They have no types, so that editors and type checks report it, too.
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

/** Promise of a load whose frame has the columns of the options. */
export function typedLoad<Columns extends Schema, Raw>(
  loading: Promise<Loaded<DataFrame, Raw>>,
): LoadPromise<TypedFrame<Columns>, Raw> {
  return new LoadPromise(loading as unknown as Promise<Loaded<TypedFrame<Columns>, Raw>>);
}
