/**
 * Index of the last item whose time is not after an instant, or -1: the selection rule of section 4.3.
 *
 * @param items Items, ascending by time
 * @param at The instant
 * @param timeOf Time of an item, comparable with the instant
 */
export function lastNotAfter<Item, Time extends string | number>(
  items: readonly Item[],
  at: Time,
  timeOf: (item: Item) => Time,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (timeOf(items[middle]!) <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
