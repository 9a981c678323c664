import { adoptCells } from "./adopt_cells.ts";
import { isAdopted } from "./kernel/kernel.ts";
import type { FrameLike } from "./frame/frame_like.ts";
import { DISPLAY, display } from "./display.ts";
import { errorBundle } from "./value_bundle.ts";
import { frameBundle } from "./frame/frame_bundle.ts";

const ADOPTED = Symbol.for("scoreframe.adopted");

/**
 * Prepares the current notebook: frames are shown with their provenance, cells wait until their output is sent, and failures of
 * promises that were not awaited are shown. Does nothing outside a kernel or with `SCOREFRAME_DISPLAY=polars`. Never throws.
 *
 * @param load Loads the module that creates frames
 */
export async function adoptNotebook(load: () => Promise<FrameFactory>): Promise<void> {
  if (!isAdopted()) return;
  adoptCells();
  await adoptFrames(load);
}

/** Module of nodejs-polars that creates every frame. */
interface FrameFactory {
  /** Wraps a native frame. */
  _DataFrame: (...native: never[]) => FrameLike;
}

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
  options: { readonly enabled?: boolean } = {},
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

/**
 * Gives one frame the display of this library, as an own property, and returns the frame.
 *
 * Frames that Polars derives from it have the display of nodejs-polars, which throws on 64-bit integers and is blank in VS
 * Code: see `adoptFrames()`.
 */
export function withFrameDisplay<Frame extends FrameLike>(frame: Frame): Frame {
  Reflect.set(frame, DISPLAY, async () => {
    try {
      return await display(frameBundle(frame));
    } catch (error) {
      return await display(errorBundle(error));
    }
  });
  return frame;
}
