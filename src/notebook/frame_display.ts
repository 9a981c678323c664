import process from "node:process";
import { DISPLAY, display, type MimeBundle } from "./display.ts";
import { errorBundle } from "./error_bundle.ts";
import { frameBundle } from "./frame_bundle.ts";
import { type FrameLike, isFrame } from "./frame_like.ts";
import { findKernel } from "./kernel.ts";

/**
 * Gives one frame the display of this library, as a property of its own, and returns the frame.
 *
 * Frames that Polars derives from it have the display of nodejs-polars again, which throws on 64-bit integers and is
 * blank in VS Code: see {@link adoptFrames}.
 */
export function withFrameDisplay<Frame extends FrameLike>(frame: Frame): Frame {
  Reflect.set(frame, DISPLAY, () => displayFrame(frame));
  return frame;
}

/** The module of nodejs-polars that makes every frame. */
export interface FrameFactory {
  /** Wraps a native frame. */
  _DataFrame: (...native: never[]) => FrameLike;
}

/** Options of {@link adoptFrames}. */
export interface AdoptOptions {
  /**
   * Whether frames are adopted.
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
 * @param options Whether to do it at all
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

/**
 * Displays the value of a load: a frame as a table, an error as its message, anything else as it displays itself.
 * For `Symbol.for("Jupyter.display")`; never throws.
 */
export async function displayLoad(load: PromiseLike<unknown>): Promise<MimeBundle> {
  try {
    return await displayValue(await load);
  } catch (error) {
    return await display(errorBundle(error));
  }
}

async function displayValue(value: unknown): Promise<MimeBundle> {
  if (isFrame(value)) return await displayFrame(value);
  const own = (value as { [DISPLAY]?: () => MimeBundle | Promise<MimeBundle> } | null)?.[DISPLAY];
  if (typeof own === "function") return await display(await own.call(value));
  return await display({ "text/plain": String(value) });
}

async function displayFrame(frame: FrameLike): Promise<MimeBundle> {
  try {
    return await display(frameBundle(frame));
  } catch (error) {
    return await display(errorBundle(error));
  }
}
