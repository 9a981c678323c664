import { type PriceWatcher, priceWatchers } from "../../frames/prices/price_watchers.ts";
import type { StudyPlace } from "../study_place.ts";

/** Makes `readPrices()` pin each file that it reads in the folder of a study, and omit held-out sessions, until disposed of. */
export function watchPrices(place: StudyPlace): Disposable {
  const pin: PriceWatcher = async (path) => {
    const { inputNameIn, pinInput } = await import("./pin_input.ts");
    if (await inputNameIn(place.folder, path) === null) return null;
    await pinInput(place, path, false);
    return (await place.limit()).heldOut;
  };
  priceWatchers.set(place.folder, pin);
  const stop = () => {
    if (priceWatchers.get(place.folder) === pin) priceWatchers.delete(place.folder);
  };
  return { [Symbol.dispose]: stop };
}
