import { DISPLAY, type MimeBundle } from "../../src/frames/notebook/display.ts";
import type { DisplayMethods } from "../../src/frames/notebook/display_as.ts";

/** Display of a value in a notebook, which the types of results leave out. */
export function shownBundle(value: object): Promise<MimeBundle> {
  return (value as DisplayMethods)[DISPLAY]();
}
