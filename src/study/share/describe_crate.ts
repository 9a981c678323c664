import { PACKED } from "../../base/store/layout.ts";
import type { StudyLock } from "../lock/lock.ts";
import { studyMethods } from "../methods/study_methods.ts";
import type { StudyFile } from "./study_file.ts";
import type { StudyFiles } from "./study_files.ts";

/** Facts about a study that only its author knows; all are optional but the name. */
export interface CrateAuthorship {
  /** Name of the study. */
  readonly name: string;
  /** Address of its licence. */
  readonly license?: string;
  /** Its author. */
  readonly creator?: string;
}

const METADATA = "ro-crate-metadata.json";
const STANDARD = "https://w3id.org/ro/crate/1.2";
const CREATOR = "#creator";
const CONTEXT = [`${STANDARD}/context`, { "@vocab": "http://schema.org/" }];

type Entity = { readonly "@id": string; readonly [property: string]: unknown };

/**
 * The RO-Crate metadata of a study: the kind of each file, and the sources of the data.
 *
 * @param files The exported files
 * @param lock The lock of the study
 * @param authorship Facts that only the author knows
 */
export function describeCrate(
  files: StudyFiles,
  lock: StudyLock,
  authorship: CrateAuthorship,
): string {
  const described = [...files].map(([path, file]) => describeFile(path, file));
  const rest = [...described, ...describeAuthorship(authorship)]
    .toSorted((a, b) => a["@id"] < b["@id"] ? -1 : 1);
  // The metadata come first, then the study, as readers expect them; the rest by name.
  const graph = [describeMetadata(), describeStudy(described, lock, authorship), ...rest];
  return `${JSON.stringify({ "@context": CONTEXT, "@graph": graph }, null, 1)}\n`;
}

/** Name of the metadata in an archive. */
export { METADATA as CRATE_METADATA };

function describeMetadata(): Entity {
  return {
    "@id": METADATA,
    "@type": "CreativeWork",
    identifier: METADATA,
    about: { "@id": "./" },
    conformsTo: { "@id": STANDARD },
  };
}

function describeStudy(
  files: readonly Entity[],
  lock: StudyLock,
  { name, license, creator }: CrateAuthorship,
): Entity {
  return {
    "@id": "./",
    "@type": "Dataset",
    name,
    description: studyMethods(lock).trim(),
    datePublished: lock.asOf.slice(0, 10),
    hasPart: files.map((file) => ({ "@id": file["@id"] })),
    ...(license !== undefined && { license: { "@id": license } }),
    ...(creator !== undefined && { author: { "@id": CREATOR } }),
  };
}

function describeAuthorship({ license, creator }: CrateAuthorship): readonly Entity[] {
  const entities: Entity[] = [];
  if (license !== undefined) {
    const name = `Licence ${license}`;
    const description = "The licence that the author of the study named";
    entities.push({ "@id": license, "@type": "CreativeWork", name, description });
  }
  if (creator !== undefined) {
    entities.push({ "@id": CREATOR, "@type": "Person", name: creator });
  }
  return entities;
}

function describeFile(path: string, { sizeBytes }: StudyFile): Entity {
  const [encodingFormat, description] = formatOf(path);
  return {
    // `#` and `?` are part of the name here.
    "@id": encodeURI(path).replaceAll("#", "%23").replaceAll("?", "%3F"),
    "@type": "File",
    name: path,
    description,
    encodingFormat,
    contentSize: String(sizeBytes),
  };
}

function formatOf(path: string): readonly [string, string] {
  if (path === "study.lock.json") {
    return ["application/json", "The sets, views and releases of the study"];
  }
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
