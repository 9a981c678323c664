import { randomUUID } from "node:crypto";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { ByteWriter } from "./byte_writer.ts";
import { CLOSES_FILE, CLOSES_HEADER } from "../market/closes.ts";
import { FileSink } from "./file_sink.ts";
import type { PricePath } from "../market/price_path.ts";
import type { WorldModel } from "../world_model.ts";

const NEW_LINE = 10;

/** Writes the daily closes of a world, session by session, with bounded memory. */
export class ClosesWriter {
  readonly #model: WorldModel;
  readonly #folder: string;
  readonly #temporary: string;
  readonly #file: FileSink;
  readonly #writer = new ByteWriter();
  readonly #tickers: readonly Uint8Array[];

  private constructor(
    model: WorldModel,
    place: { readonly folder: string; readonly temporary: string; readonly file: FileSink },
  ) {
    this.#model = model;
    this.#folder = place.folder;
    this.#temporary = place.temporary;
    this.#file = place.file;
    this.#tickers = model.members.map(({ ticker }) => new TextEncoder().encode(`,${ticker},`));
    this.#writer.bytes(new TextEncoder().encode(`${CLOSES_HEADER}\n`));
  }

  /** Opens the file of closes in a world's folder. */
  static async open(model: WorldModel, folder: string): Promise<ClosesWriter> {
    const temporary = join(folder, `.tmp-${randomUUID()}`);
    return new ClosesWriter(model, { folder, temporary, file: await FileSink.open(temporary) });
  }

  /** Appends the closes of a session. */
  async writeSession(session: number, prices: PricePath): Promise<void> {
    const date = new TextEncoder().encode(this.#model.calendar.dateOf(session));
    for (let i = 0; i < this.#tickers.length; i++) {
      const close = prices.closeOf(i, session);
      if (close === null) continue;
      this.#writer.bytes(date);
      this.#writer.bytes(this.#tickers[i]!);
      this.#writer.decimal(close);
      this.#writer.code(NEW_LINE);
      if (this.#writer.isFull) await this.#file.write(this.#writer.take());
    }
  }

  /** Finishes the file and gives it its name. */
  async finish(): Promise<void> {
    await this.#file.write(this.#writer.take());
    await this.#file.close();
    await rename(this.#temporary, join(this.#folder, CLOSES_FILE));
  }

  /** Removes an unfinished file. */
  async discard(): Promise<void> {
    await this.#file.abandon();
    await rm(this.#temporary, { force: true });
  }
}
