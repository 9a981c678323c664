import { DISPLAY, display, type MimeBundle } from "../display.ts";
import { errorBundle } from "../error_bundle.ts";
import { frameBundle } from "./frame_bundle.ts";
import type { FrameLike } from "./frame_like.ts";

/**
 * Gives one frame the display of this library, as an own property, and returns the frame.
 *
 * Frames that Polars derives from it have the display of nodejs-polars, which throws on 64-bit integers and is blank in VS
 * Code: see `adoptFrames()`.
 */
export function withFrameDisplay<Frame extends FrameLike>(frame: Frame): Frame {
  Reflect.set(frame, DISPLAY, () => displayFrame(frame));
  return frame;
}

/** Displays a frame as a table, or the message of an error. */
async function displayFrame(frame: FrameLike): Promise<MimeBundle> {
  try {
    return await display(frameBundle(frame));
  } catch (error) {
    return await display(errorBundle(error));
  }
}
