/** An exported name and its kind. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
}

const EXPORT =
  /^export (?:declare )?(?:abstract )?(?:async )?(function\*?|class|const|interface|type) (\w+)/gm;

/** The names that a file defines and exports, each once; re-exports are none. */
export function exportedNames(text: string): readonly ExportedName[] {
  const names = new Map<string, boolean>();
  for (const [, kind, name] of text.matchAll(EXPORT)) {
    names.set(name!, kind === "interface" || kind === "type");
  }
  return [...names].map(([name, isType]) => ({ name, isType }));
}
