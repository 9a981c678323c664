const FIRST_CAPACITY = 4096;
const MAX_FAST_LENGTH = 7;

/**
 * Distinct tickers of a file, numbered from 0, laid out so that the expected next ticker is recognised by comparing two words:
 * tickers have almost the same order in each session.
 */
export class TickerTable {
  /** Ticker by number. */
  readonly names: string[] = [];
  /** First four bytes of a ticker and its comma. */
  text0: Int32Array = new Int32Array(FIRST_CAPACITY);
  /** Mask of the first four bytes. */
  mask0: Int32Array = new Int32Array(FIRST_CAPACITY);
  /** Next four bytes of a ticker and its comma. */
  text1: Int32Array = new Int32Array(FIRST_CAPACITY);
  /** Mask of the next four bytes. */
  mask1: Int32Array = new Int32Array(FIRST_CAPACITY);
  /** Length of a ticker with its comma, or 0 if it is too long to be compared by words. */
  lengths: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** The ticker that followed in the previous session. */
  successors: Int32Array = new Int32Array(FIRST_CAPACITY);
  /** Epoch day of the ticker's last session. */
  lastDays: Int32Array = new Int32Array(FIRST_CAPACITY).fill(NEVER);
  readonly #numbers = new Map<string, number>();

  /** Number of a ticker, or `undefined` if it is new. */
  find(ticker: string): number | undefined {
    return this.#numbers.get(ticker);
  }

  /** Gives a new ticker its number. */
  add(ticker: string): number {
    const number = this.names.length;
    if (number === this.lengths.length) this.#grow();
    this.names.push(ticker);
    this.#numbers.set(ticker, number);
    if (ticker.length > MAX_FAST_LENGTH) return number;
    const text = new DataView(new ArrayBuffer(8));
    const mask = new DataView(new ArrayBuffer(8));
    for (const [i, character] of [...ticker, ","].entries()) {
      text.setUint8(i, character.charCodeAt(0));
      mask.setUint8(i, 0xff);
    }
    this.text0[number] = text.getInt32(0, true);
    this.mask0[number] = mask.getInt32(0, true);
    this.text1[number] = text.getInt32(4, true);
    this.mask1[number] = mask.getInt32(4, true);
    this.lengths[number] = ticker.length + 1;
    return number;
  }

  #grow(): void {
    const enlarge = <T extends Int32Array | Uint8Array>(old: T, wider: T): T => {
      wider.set(old);
      return wider;
    };
    const capacity = this.lengths.length * 2;
    this.text0 = enlarge(this.text0, new Int32Array(capacity));
    this.mask0 = enlarge(this.mask0, new Int32Array(capacity));
    this.text1 = enlarge(this.text1, new Int32Array(capacity));
    this.mask1 = enlarge(this.mask1, new Int32Array(capacity));
    this.lengths = enlarge(this.lengths, new Uint8Array(capacity));
    this.successors = enlarge(this.successors, new Int32Array(capacity));
    this.lastDays = enlarge(this.lastDays, new Int32Array(capacity).fill(NEVER));
  }
}

/** A day before every session. */
export const NEVER = -0x80000000;
