import { PACKED } from "../../store/layout.ts";
import type { StudyLock } from "../lock/lock.ts";
import { CELLS_FILE } from "../run/cell_record.ts";
import { studyMethods } from "../methods/study_methods.ts";
import type { StudyFile, StudyFiles } from "./study_files.ts";

/** What nobody but its author knows of a study; what is not given is left out. */
export interface CrateAuthorship {
  /** Name of the study. */
  readonly name: string;
  /** Address of its licence. */
  readonly license?: string;
  /** Who made it. */
  readonly creator?: string;
}

const METADATA = "ro-crate-metadata.json";

/** The RO-Crate metadata of a study: what each file is, and what the data rest on. */
export async function describeCrate(
  files: StudyFiles,
  lock: StudyLock,
  authorship: CrateAuthorship,
): Promise<string> {
  // The package is loaded for an export alone.
  const { ROCrate } = await import("ro-crate");
  const crate = new ROCrate({ array: false });
  const paths = [...files.keys()];
  crate.root.name = authorship.name;
  crate.root.description = studyMethods(lock).trim();
  crate.root.datePublished = lock.asOf.slice(0, 10);
  crate.root.hasPart = paths.map((path) => ({ "@id": encodeURI(path) }));
  for (const [path, file] of files) crate.addEntity(describeFile(path, file));
  if (authorship.license !== undefined) {
    const name = `Licence ${authorship.license}`;
    const description = "The licence that the author of the study named";
    crate.addEntity({ "@id": authorship.license, "@type": "CreativeWork", name, description });
    crate.root.license = { "@id": authorship.license };
  }
  if (authorship.creator !== undefined) {
    crate.addEntity({ "@id": "#creator", "@type": "Person", name: authorship.creator });
    crate.root.author = { "@id": "#creator" };
  }
  const { "@context": context, "@graph": graph } = crate.toJSON() as Record<string, unknown>;
  const json = { "@context": context, "@graph": sortedGraph(graph as Entity[]) };
  return `${JSON.stringify(json, null, 1)}\n`;
}

/** Name of the metadata in an archive. */
export { METADATA as CRATE_METADATA };

type Entity = { readonly "@id": string };

// The metadata come first, then the study, as readers expect them; the rest by name.
function sortedGraph(graph: readonly Entity[]): readonly Entity[] {
  const rank = (entity: Entity) => [METADATA, "./"].indexOf(entity["@id"]);
  return graph.toSorted((a, b) => {
    const [left, right] = [rank(a), rank(b)].map((place) => place === -1 ? 2 : place);
    return left! - right! || (a["@id"] < b["@id"] ? -1 : 1);
  });
}

function describeFile(path: string, { sizeBytes }: StudyFile) {
  const [encodingFormat, description] = formatOf(path);
  return {
    "@id": encodeURI(path),
    "@type": "File",
    name: path,
    description,
    encodingFormat,
    contentSize: String(sizeBytes),
  };
}

function formatOf(path: string): readonly [string, string] {
  if (path === "study.lock.json") return ["application/json", "What the study stands on"];
  if (path === CELLS_FILE) return ["text/plain", "Hashes of code and outputs of each cell"];
  if (path.endsWith(".ipynb")) return ["application/x-ipynb+json", "A notebook of the study"];
  if (path.endsWith(".csv.gz")) return ["application/gzip", "A history release, as received"];
  if (path.includes("/sets/")) {
    return [
      path.endsWith(PACKED) ? "application/gzip" : "application/json",
      "A published score set",
    ];
  }
  if (path.includes("/checks/")) return ["application/json", "An hourly check of a score set"];
  if (path.includes("/views/")) return ["application/json", "The check in force at an instant"];
  if (path.startsWith("store/")) return ["application/json", "Metadata of the store"];
  return ["application/json", "Versions that the project is pinned to"];
}
