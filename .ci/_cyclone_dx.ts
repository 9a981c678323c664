import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";

/** A package in a lock file of Deno, as far as it is read here. */
export interface LockedPackage {
  readonly integrity: string;
  readonly dependencies?: readonly string[];
  readonly optionalDependencies?: readonly string[];
}

/** What a bill of materials is made of. */
export interface Materials {
  /** Name, version and licence of the package that the bill is about. */
  readonly subject: { readonly name: string; readonly version: string; readonly license: string };
  /** Its packages, as the lock file names them: `name@version`, with peers behind `_`. */
  readonly packages: Readonly<Record<string, LockedPackage>>;
  /** Versions of the packages that it asks for itself. */
  readonly dependencies: Readonly<Record<string, string>>;
  /** The licence that a package states, where it is known. */
  readonly licenceOf: (id: string) => string | undefined;
}

/** A bill of materials in the form of CycloneDX 1.6: equal materials give equal text. */
export function cycloneDx(materials: Materials): string {
  const { subject, packages, dependencies, licenceOf } = materials;
  const ids = Object.keys(packages).sort();
  const root = `pkg:npm/${subject.name}@${subject.version}`;
  const bill = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": root,
        name: subject.name,
        version: subject.version,
        licenses: [{ license: { id: subject.license } }],
        purl: root,
      },
    },
    components: ids.map((id) => componentOf(id, packages[id]!, licenceOf(id))),
    dependencies: [
      { ref: root, dependsOn: refsOf(Object.entries(dependencies).map((it) => it.join("@")), ids) },
      ...ids.map((id) => ({ ref: purlOf(id), dependsOn: refsOf(needsOf(packages[id]!), ids) })),
    ],
  };
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`;
  return `${JSON.stringify({ serialNumber, ...bill }, null, 1)}\n`;
}

function componentOf(id: string, { integrity }: LockedPackage, licence: string | undefined) {
  const [name, version] = splitId(id);
  const [group, short] = name.startsWith("@") ? name.split("/") : [undefined, name];
  const [algorithm, base64] = integrity.split(/-(.*)/s);
  if (algorithm !== "sha512") {
    throw new Error(`Cannot list ${id}: expected SHA-512, got ${integrity}`);
  }
  return {
    type: "library",
    "bom-ref": purlOf(id),
    ...(group !== undefined && { group }),
    name: short!,
    version,
    hashes: [{ alg: "SHA-512", content: Buffer.from(base64!, "base64").toString("hex") }],
    ...(licence !== undefined && { licenses: [licenceEntry(licence)] }),
    purl: purlOf(id),
  };
}

function licenceEntry(licence: string) {
  if (/ (AND|OR|WITH) /.test(licence)) return { expression: licence };
  return { license: licence.includes(" ") ? { name: licence } : { id: licence } };
}

function needsOf({ dependencies = [], optionalDependencies = [] }: LockedPackage) {
  return [...dependencies, ...optionalDependencies];
}

/** A lock file names a dependency without its version where there is one version, and without its peers. */
function refsOf(wanted: readonly string[], ids: readonly string[]): readonly string[] {
  return wanted.flatMap((it) =>
    ids.filter((id) => id === it || splitId(id)[0] === it || id.startsWith(`${it}_`)).map(purlOf)
  ).toSorted();
}

function purlOf(id: string): string {
  const [name, version] = splitId(id);
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

function splitId(id: string): readonly [string, string] {
  const at = id.indexOf("@", 1);
  return [id.slice(0, at), id.slice(at + 1).replace(/_.*$/, "")];
}

// Version 8 of RFC 9562: bits of one's own making, here those of the content.
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ]
    .join("-");
}
