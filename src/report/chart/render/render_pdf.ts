import { Buffer } from "node:buffer";
import { StorageError } from "../../../base/errors.ts";
import { chartFonts } from "./chart_fonts.ts";
import { readBackground } from "./read_background.ts";
import { type Drawn, renderSvg, titleOf } from "./render_chart.ts";

// CSS has 96 pixels an inch, and PDF 72 points.
const POINTS = 0.75;
const NO_DATE = new Date(0);

/** The part of pdfkit in use; the package has no types. */
interface PdfDocument {
  readonly info: { CreationDate?: Date };
  readonly _font: {
    readonly font: { readonly familyName: string | null; readonly subfamilyName: string | null };
  };
  endMetadata: () => void;
  font(path: string): PdfDocument;
  rect(x: number, y: number, width: number, height: number): PdfDocument;
  fillColor(color: readonly number[], opacity: number): PdfDocument;
  fill(): PdfDocument;
  save(): PdfDocument;
  restore(): PdfDocument;
  struct(type: string, options: object, children: (() => void) | readonly object[]): object;
  addStructure(element: object): void;
  end(): void;
  [Symbol.asyncIterator](): AsyncIterator<Uint8Array>;
}

type MakeDocument = new (options: object) => PdfDocument;
type DrawSvg = (document: PdfDocument, svg: string, x: number, y: number, options: object) => void;

/**
 * Draws a specification as PDF: vectors, with the used glyphs of its fonts, so that its words are found and copied. Equal charts
 * give equal bytes.
 */
export async function renderPdf(
  drawn: Drawn,
  { background, fontFiles = [] }: {
    readonly background?: string | undefined;
    /** Further font files. */
    readonly fontFiles?: readonly string[];
  },
): Promise<Uint8Array> {
  const ground = background === undefined ? null : await readBackground(background);
  const [pdfkit, svgToPdf] = await loadPdf();
  const [svg, theirs] = await Promise.all([
    renderSvg(drawn, { page: background ?? "white" }),
    chartFonts(),
  ]);
  const [width, height] = sizeOf(svg);
  const Document = pdfkit.default as MakeDocument;
  const document = openDocument(Document, drawn, [width, height]);
  const fonts = new Fonts(document, [...theirs, ...fontFiles]);
  const figure = document.struct("Figure", { alt: drawn.description }, () => {
    if (ground !== null) {
      document.save().rect(0, 0, width, height).fillColor(ground.color, ground.opacity).fill()
        .restore();
    }
    (svgToPdf.default as DrawSvg)(document, svg, 0, 0, {
      width,
      height,
      fontCallback: (family: string, isBold: boolean) => fonts.fileOf(family, isBold),
      // A picture that a specification names was loaded, or refused, when the SVG was drawn; nothing is read here.
      imageCallback: (link: string) => link.startsWith("data:") ? link : "",
      warningCallback: () => {},
    });
  });
  document.addStructure(document.struct("Document", {}, [figure]));
  document.end();
  return new Uint8Array(Buffer.concat(await Array.fromAsync(document)));
}

// 30 MB that only a PDF needs: an install follows each name that an import spells out.
const PACKAGES = ["pdfkit", "svg-to-pdfkit"] as const;

interface Loaded {
  readonly default: unknown;
}

async function loadPdf(): Promise<readonly [Loaded, Loaded]> {
  const [pdfkit, svgToPdf] = PACKAGES;
  try {
    return await Promise.all([import(pdfkit), import(svgToPdf)]);
  } catch (cause) {
    throw new StorageError(
      "Cannot draw a PDF: expected the packages pdfkit and svg-to-pdfkit, got none; " +
        "deno add npm:pdfkit@0.20.2 npm:svg-to-pdfkit@0.1.8",
      { cause },
    );
  }
}

function openDocument(Document: MakeDocument, drawn: Drawn, size: readonly number[]): PdfDocument {
  const document = new Document({
    size,
    margin: 0,
    pdfVersion: "1.7",
    lang: "en",
    tagged: true,
    displayTitle: true,
    info: {
      Title: titleOf(drawn),
      Subject: drawn.description,
      Creator: "scoreframe",
      CreationDate: NO_DATE,
    },
  });
  delete document.info.CreationDate;
  // Its XMP writes titles without escaping them; the document information has the same.
  document.endMetadata = () => {};
  return document;
}

function sizeOf(svg: string): readonly [number, number] {
  // Quotes in the text before are escaped, so that this is no part of it.
  const [, width, height] = /" width="([\d.]+)" height="([\d.]+)"/.exec(svg)!;
  return [Number(width) * POINTS, Number(height) * POINTS];
}

/** Font files by the family and weight that they hold. */
class Fonts {
  readonly #files: readonly { readonly file: string; readonly name: string }[];

  constructor(document: PdfDocument, files: readonly string[]) {
    this.#files = files.map((file) => {
      const { familyName, subfamilyName } = document.font(file)._font.font;
      return { file, name: nameOf(familyName ?? "", /bold/i.test(subfamilyName ?? "")) };
    });
  }

  /** The file of the first family that is there; else that of the charts' own font, or one that every viewer has. */
  fileOf(families: string, isBold: boolean): string {
    const names = families.split(",").map((family) => family.trim().replaceAll(/^["']|["']$/g, ""));
    const found = names.flatMap((family) => [nameOf(family, isBold), nameOf(family, false)])
      .map((name) => this.#files.find((font) => font.name === name)?.file)
      .find((file) => file !== undefined);
    return found ?? this.#files[isBold ? 1 : 0]?.file ?? "Helvetica";
  }
}

function nameOf(family: string, isBold: boolean): string {
  return `${family.toLowerCase()} ${isBold ? "bold" : "regular"}`;
}
