import process from "node:process";
import { withFrameDisplay } from "./frame_display.ts";
import type { FrameLike } from "./frame_like.ts";
import { findKernel } from "../kernel/kernel.ts";

/** The module of nodejs-polars that makes every frame. */
export interface FrameFactory {
  /** Wraps a native frame. */
  _DataFrame: (...native: never[]) => FrameLike;
}

/** Options of {@link adoptFrames}. */
export interface AdoptOptions {
  /**
   * True if frames are adopted.
   * @default true inside a notebook's kernel, unless the environment says `SCOREFRAME_DISPLAY=polars`
   */
  readonly enabled?: boolean;
}

const ADOPTED = Symbol.for("scoreframe.adopted");

/**
 * Gives every frame that this process makes from now on the display of this library.
 *
 * nodejs-polars has no class or prototype of frames to extend, and no registry of displays: each frame is a new object
 * made by one function, which this replaces by itself plus the display. It happens only inside a notebook's kernel,
 * changes nothing but the display, and is done once however often it is called; `SCOREFRAME_DISPLAY=polars` in the
 * environment prevents it. Never throws: without it, frames show as nodejs-polars shows them.
 *
 * @param load Loads the module that makes frames
 * @param options `enabled`: false leaves frames alone
 */
export async function adoptFrames(
  load: () => Promise<FrameFactory>,
  options: AdoptOptions = {},
): Promise<void> {
  const { enabled = isWanted() } = options;
  if (!enabled) return;
  try {
    adopt(await load());
  } catch {
    return;
  }
}

function adopt(factory: FrameFactory): void {
  const make = factory._DataFrame as FrameFactory["_DataFrame"] & { [ADOPTED]?: true };
  if (make[ADOPTED] === true) return;
  const adopted = (...native: never[]): FrameLike => withFrameDisplay(make(...native));
  factory._DataFrame = Object.assign(adopted, { [ADOPTED]: true as const });
}

function isWanted(): boolean {
  return findKernel() !== null && process.env["SCOREFRAME_DISPLAY"] !== "polars";
}
