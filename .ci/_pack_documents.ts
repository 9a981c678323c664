import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

// Links of Markdown and of the HTML in it: what stands before an address, the address, what stands behind.
const LINKS = /(\[[^\]]*\]\(|(?:src|srcset|href)=")([^)"\s]+)([)"])/g;
const OUTSIDE = /^(#|[a-z]+:)/;
const DOCUMENT = /\.(md|png|svg|txt)$|^LICENSE$/;

/**
 * Copies a README and all documents and pictures that its links lead to into a package. A link to anything else, such as a
 * source or a test, becomes its text, because no package has it.
 *
 * @param root Folder of the repository
 * @param folder Folder of the package
 */
export async function packDocuments(root: string, folder: string): Promise<void> {
  const waiting = ["README.md"];
  const seen = new Set(waiting);
  for (const path of waiting) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    if (!path.endsWith(".md")) {
      await copyFile(join(root, path), join(folder, path));
      continue;
    }
    const text = await readFile(join(root, path), "utf8");
    const targets = [...text.matchAll(LINKS)].map(([, , address]) => targetOf(path, address!));
    for (const target of targets) {
      if (target === null || seen.has(target) || !isPacked(root, target)) continue;
      seen.add(target);
      waiting.push(target);
    }
    await writeFile(join(folder, path), withoutDeadLinks(root, { path, text }));
  }
}

function isPacked(root: string, path: string): boolean {
  return DOCUMENT.test(path) && !/^(\.\.|test)\//.test(path) && existsSync(join(root, path));
}

/** The path in the repository that a link of a document leads to, or `null` if it leads elsewhere. */
function targetOf(from: string, address: string): string | null {
  if (OUTSIDE.test(address)) return null;
  return relative("", join(dirname(from), address.replace(/#.*$/, "")));
}

function withoutDeadLinks(
  root: string,
  { path, text }: { readonly path: string; readonly text: string },
): string {
  return text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, address: string) => {
    const target = targetOf(path, address);
    return target === null || isPacked(root, target) ? link : words;
  });
}
