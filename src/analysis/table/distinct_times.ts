/** The distinct values, ascending, and which of them each row has. */
export function distinctTimes(
  values: Int32Array | Float64Array,
): { times: Float64Array; timeOf: Int32Array } {
  const seen = new Map<number, number>();
  const timeOf = new Int32Array(values.length);
  let [before, place] = [NaN, -1];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value !== before) {
      before = value;
      place = seen.get(value) ?? seen.size;
      if (place === seen.size) seen.set(value, place);
    }
    timeOf[i] = place;
  }
  const times = Float64Array.from(seen.keys()).sort();
  const ranks = new Map([...times].map((time, rank) => [time, rank]));
  const rankOf = Int32Array.from(seen.keys(), (time) => ranks.get(time)!);
  if (rankOf.some((rank, i) => rank !== i)) {
    for (let i = 0; i < timeOf.length; i++) timeOf[i] = rankOf[timeOf[i]!]!;
  }
  return { times, timeOf };
}
