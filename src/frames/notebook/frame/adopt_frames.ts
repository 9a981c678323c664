import { withFrameDisplay } from "./frame_display.ts";
import type { FrameLike } from "./frame_like.ts";
import { isAdopted } from "../kernel/kernel.ts";

/** Module of nodejs-polars that creates every frame. */
export interface FrameFactory {
  /** Wraps a native frame. */
  _DataFrame: (...native: never[]) => FrameLike;
}

/** Options of {@link adoptFrames}. */
export interface AdoptOptions {
  /**
   * Enables the display.
   * @default true inside a notebook's kernel, unless the environment says `SCOREFRAME_DISPLAY=polars`
   */
  readonly enabled?: boolean;
}

const ADOPTED = Symbol.for("scoreframe.adopted");

/**
 * Gives every frame that this process creates from now on the display of this library.
 *
 * nodejs-polars has no class or prototype of frames to extend, and no registry of displays: each frame is a new object from one
 * function, which is replaced by one that adds the display. This happens only in a notebook's kernel, changes only the display,
 * and is done once; `SCOREFRAME_DISPLAY=polars` in the environment prevents it. Never throws; on failure, frames keep the
 * display of nodejs-polars.
 *
 * @param load Loads the module that creates frames
 * @param options `enabled`: false leaves frames alone
 */
export async function adoptFrames(
  load: () => Promise<FrameFactory>,
  options: AdoptOptions = {},
): Promise<void> {
  const { enabled = isAdopted() } = options;
  if (!enabled) return;
  await load().then(adopt).catch(() => {});
}

function adopt(factory: FrameFactory): void {
  const make = factory._DataFrame as FrameFactory["_DataFrame"] & { [ADOPTED]?: true };
  if (make[ADOPTED] === true) return;
  const adopted = (...native: never[]): FrameLike => withFrameDisplay(make(...native));
  factory._DataFrame = Object.assign(adopted, { [ADOPTED]: true as const });
}
