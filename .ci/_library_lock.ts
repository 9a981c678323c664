/** A package in a lock file of Deno, as far as it is read here. */
interface LockedPackage {
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
}

/** A lock file of Deno, version 5. */
export interface Lock {
  readonly specifiers: Readonly<Record<string, string>>;
  readonly npm: Readonly<Record<string, LockedPackage>>;
}

/**
 * The part of a lock file that the dependencies of a package need, without what only its tests need.
 *
 * Binaries for musl are left out: Deno cannot tell them from those for glibc and fetches both, 130 MB more.
 */
export function libraryLock<T extends Lock>(lock: T, dependencies: Record<string, string>): T {
  const named = new Set(Object.entries(dependencies).map(([name, at]) => `npm:${name}@${at}`));
  const specifiers = entriesOf(lock.specifiers, (specifier) => named.has(specifier));
  const npm: Record<string, LockedPackage> = {};
  const waiting = Object.entries(specifiers)
    .map(([specifier, version]) => `${nameOf(specifier.slice("npm:".length))}@${version}`);
  for (const wanted of waiting) {
    const id = findId(lock, wanted);
    if (id in npm) continue;
    npm[id] = withoutMusl(lock.npm[id]!);
    waiting.push(...npm[id].dependencies ?? [], ...npm[id].optionalDependencies ?? []);
  }
  return { ...lock, specifiers, npm: entriesOf(lock.npm, (id) => id in npm, npm) };
}

function withoutMusl(entry: LockedPackage): LockedPackage {
  if (entry.optionalDependencies === undefined) return entry;
  const optional = entry.optionalDependencies.filter((name) => !name.endsWith("-musl"));
  return { ...entry, optionalDependencies: optional };
}

/** A lock file names a dependency without its version where there is one version, and without its peers. */
function findId(lock: Lock, wanted: string): string {
  if (wanted in lock.npm) return wanted;
  const ids = Object.keys(lock.npm)
    .filter((id) => nameOf(id) === wanted || id.startsWith(`${wanted}_`));
  if (ids.length !== 1) {
    throw new Error(`Cannot lock ${wanted}: expected one version in deno.lock, got ${ids.length}`);
  }
  return ids[0]!;
}

function nameOf(id: string): string {
  return id.slice(0, id.indexOf("@", 1));
}

/** The entries of a record whose names are wanted, in its order. */
function entriesOf<V>(
  all: Readonly<Record<string, V>>,
  isWanted: (name: string) => boolean,
  values: Readonly<Record<string, V>> = all,
): Record<string, V> {
  return Object.fromEntries(
    Object.keys(all).filter(isWanted).map((name) => [name, values[name]!]),
  );
}
