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
  const graph = [OWN, describeStudy(described, lock, authorship), ...rest];
  return `${JSON.stringify({ "@context": CONTEXT, "@graph": graph }, null, 1)}\n`;
}

/** Name of the metadata in an archive. */
export { METADATA as CRATE_METADATA };

const OWN: Entity = {
  "@id": METADATA,
  "@type": "CreativeWork",
  identifier: METADATA,
  about: { "@id": "./" },
  conformsTo: { "@id": STANDARD },
};

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
  const description = "The licence that the author of the study named";
  const licence = { "@type": "CreativeWork", name: `Licence ${license}`, description };
  return [
    ...license === undefined ? [] : [{ "@id": license, ...licence }],
    ...creator === undefined ? [] : [{ "@id": CREATOR, "@type": "Person", name: creator }],
  ];
}

function describeFile(path: string, { sizeBytes }: StudyFile): Entity {
  const [, type, description] = FORMATS.find(([form]) => form.test(path))!;
  return {
    // `#` and `?` are part of the name here.
    "@id": encodeURI(path).replaceAll("#", "%23").replaceAll("?", "%3F"),
    "@type": "File",
    name: path,
    description,
    encodingFormat: `application/${type}`,
    contentSize: String(sizeBytes),
  };
}

const FORMATS: readonly (readonly [path: RegExp, type: string, description: string])[] = [
  [/^study\.lock\.json$/, "json", "The sets, views and releases of the study"],
  [/\.ipynb$/, "x-ipynb+json", "A notebook of the study"],
  [/\.csv\.gz$/, "gzip", "A history release, as received"],
  [/\/sets\/.*\.gz$/, "gzip", "A published score set"],
  [/\/sets\//, "json", "A published score set"],
  [/\/checks\//, "json", "An hourly check of a score set"],
  [/\/views\//, "json", "The check in force at an instant"],
  [/^store\//, "json", "Metadata of the store"],
  [/^/, "json", "Versions that the project is pinned to"],
];
