/**
 * Tear sheets: a factor analysis on one sheet, in a notebook or as one file that needs neither network nor script.
 *
 * @module
 */
import "../../frames/frame/polars/refuse_operators.ts";
export { compareSheets } from "./compare_sheets.ts";
export { Sheet } from "./sheet.ts";
export type { SheetContent } from "./sheet_content.ts";
export { SheetPart } from "./sheet_part.ts";
export { tearSheet, type TearSheetOptions } from "./tear_sheet.ts";
