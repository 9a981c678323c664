import { expect, test } from "vitest";
import { sourceFiles } from "./helpers/source_files.ts";

// The value of a default as it is written: a list, an object, a text, or anything up to the next option.
const VALUE = String.raw`(\[[^\]]*\]|\{[^}]*\}|"[^"]*"|[^,}\n;)]+)`;
const LITERAL = /^(\d[\d_.]*|true|false|"[^"]*"|\[[^\]]*\]|\{[^}]*\})$/;

const texts = (await sourceFiles()).map(({ text }) => text);
const codes = texts.map((text) => text.replaceAll(/\/\*[\s\S]*?\*\//g, ""));
const constants = new Map(
  texts.flatMap((text) =>
    [...text.matchAll(/^(?:export )?const (\w+)(?:: [^=]+)? = (\[[^\]]*\]|"[^"]*"|[\d_.]+);/gm)]
      .map(([, name, value]) => [name!, value!] as const)
  ),
);

interface Documented {
  readonly of: string;
  readonly name: string;
  readonly value: string;
}

/** Each option whose documented default is a value, not a sentence. */
const documented: readonly Documented[] = texts.flatMap((text) =>
  [...text.matchAll(/export interface (\w+(?:Options|Rules))\b[^{]*\{\n([\s\S]*?)\n\}/g)].flatMap((
    [, of, body],
  ) =>
    [...body!.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)\?:/g)].flatMap(
      ([, docs, name]) => {
        const [, value = ""] =
          /@default\s+([\s\S]*?)\s*$/.exec(docs!.replaceAll(/\n\s*\* ?/g, " ")) ??
            [];
        return LITERAL.test(value) ? [{ of: of!, name: name!, value: plain(value) }] : [];
      },
    )
  )
);

/** The defaults of an option in the code of the files that name its interface. */
function written({ of, name }: Documented): readonly string[] {
  const given = new RegExp(
    String.raw`[{,]\s*${name}(?:: \w+)? = ${VALUE}(?=\s*[,}])|\.${name} \?\? ${VALUE}`,
    "g",
  );
  return codes.filter((code) => new RegExp(String.raw`\b${of}\b`).test(code)).flatMap((code) =>
    [...code.matchAll(given)].map(([, one, other]) => plain(one ?? other!))
  );
}

function plain(value: string): string {
  return value.replaceAll(/\b[A-Z][A-Z_]+\b/g, (name) => constants.get(name) ?? name)
    .replaceAll(/[\s_]/g, "");
}

// Their defaults stand in a table, or are made of parts.
const APART = ["WorldOptions.hours", "WorldOptions.factorVersions", "ReadPricesOptions.frequency"];

test("the documented default of an option is the one that its code takes", () => {
  const compared = documented.map((option) => ({ ...option, written: written(option) }))
    .filter(({ written }) => written.length > 0);
  const wrong = compared.filter(({ of, name, value, written }) =>
    !APART.includes(`${of}.${name}`) && !written.some((one) => one.includes(value))
  );
  expect(wrong).toEqual([]);
  // So many that the comparison cannot have lost them unseen.
  expect(compared.length).toBeGreaterThan(100);
});
