/** A source file with the local files that it imports, as paths from the root of the repository. */
export interface ImportingFile {
  readonly path: string;
  readonly imports: readonly string[];
}

/** A cycle of rooms: each imports the next, the last the first, by the import that stands with it. */
export interface RoomCycle {
  readonly rooms: readonly string[];
  readonly imports: readonly string[];
}

/**
 * The shortest cycles of imports between the rooms of each folder; a room is a folder, or a file beside it.
 *
 * @param root The folder whose rooms, and theirs, are looked at
 * @param files Every file below it
 */
export function roomCycles(root: string, files: readonly ImportingFile[]): readonly RoomCycle[] {
  const arrows = arrowsBetween(root, files);
  const rooms = new Set(
    files.map(({ path }) => roomOf(root, path)).filter((room) => room !== null),
  );
  const here = [...rooms].flatMap((room) => cycleThrough(room, arrows));
  const folders = [...rooms].filter((room) => !room.endsWith(".ts"));
  return [...distinct(here), ...folders.flatMap((folder) => roomCycles(folder, files))];
}

type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** From a room to each room that it imports, with the first such import. */
function arrowsBetween(root: string, files: readonly ImportingFile[]): Arrows {
  const arrows = new Map<string, Map<string, string>>();
  for (const { path, imports } of files) {
    const from = roomOf(root, path);
    if (from === null) continue;
    for (const target of imports) {
      const to = roomOf(root, target);
      if (to === null || to === from) continue;
      const targets = arrows.get(from) ?? new Map<string, string>();
      if (!targets.has(to)) targets.set(to, `${path} → ${target}`);
      arrows.set(from, targets);
    }
  }
  return arrows;
}

/** `src/server/world` has the rooms `src/server/world/market` and `src/server/world/random.ts`; `null` outside of it. */
function roomOf(root: string, path: string): string | null {
  if (!path.startsWith(`${root}/`)) return null;
  return `${root}/${path.slice(root.length + 1).split("/")[0]}`;
}

function cycleThrough(start: string, arrows: Arrows): readonly RoomCycle[] {
  const before = new Map<string, string>();
  const queue = [start];
  for (const room of queue) {
    for (const next of arrows.get(room)?.keys() ?? []) {
      if (next === start) return [walkBack(start, room, before, arrows)];
      if (before.has(next)) continue;
      before.set(next, room);
      queue.push(next);
    }
  }
  return [];
}

function walkBack(
  start: string,
  last: string,
  before: ReadonlyMap<string, string>,
  arrows: Arrows,
): RoomCycle {
  const rooms = [last];
  while (rooms[0] !== start) rooms.unshift(before.get(rooms[0]!)!);
  const imports = rooms.map((room, index) => arrows.get(room)!.get(rooms[index + 1] ?? start)!);
  return { rooms, imports };
}

/** One cycle is found from each of its rooms; the first one stays. */
function distinct(cycles: readonly RoomCycle[]): readonly RoomCycle[] {
  const byRooms = new Map<string, RoomCycle>();
  for (const cycle of cycles) {
    const key = cycle.rooms.toSorted().join(" ");
    if (!byRooms.has(key)) byRooms.set(key, cycle);
  }
  return [...byRooms.values()];
}
