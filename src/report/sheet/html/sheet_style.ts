import { groundStyle } from "../../chart/ground_style.ts";
import { TEXT_COLOR } from "../../chart/palette.ts";

/**
 * Style of a sheet: light and dark, for the screen and A4, limited to the sheet. Two columns if there is room; charts shrink to the
 * width of a telephone, and only tables scroll. JupyterLab floats the terms of lists in an output, which this style reverts.
 */
export const SHEET_STYLE = `
.scoreframe-sheet { max-width: 84rem; line-height: 1.45; overflow-wrap: break-word; }
.scoreframe-sheet h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
.scoreframe-sheet h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; border-bottom: 1px solid #8886; padding-bottom: .2rem; }
.scoreframe-sheet p { margin: .4rem 0; max-width: 60rem; }
.scoreframe-sheet dl { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .35rem 1rem; margin: .5rem 0; max-width: 60rem; }
.scoreframe-sheet dl > dt, .scoreframe-sheet dl > dd { display: block; float: none; width: auto; min-width: 0; margin: 0; padding: 0; }
.scoreframe-sheet dt { font-weight: 600; }
.scoreframe-sheet .summary h2 { display: none; }
.scoreframe-sheet .summary dl { grid-template-columns: 6.5rem 1fr; margin: 1rem 0 .75rem; }
.scoreframe-sheet ul.numbers { list-style: none; display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0 1.25rem; margin: .75rem 0; padding: 0; font-size: .78rem; line-height: 1.35; }
.scoreframe-sheet ul.numbers li { border-top: 1px solid #8886; margin: 0; padding: .35rem 0 .5rem; }
.scoreframe-sheet ul.numbers strong { display: block; font-size: 1.3rem; font-weight: 600; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.scoreframe-sheet ul.numbers small { display: block; font-size: .75rem; }
.scoreframe-sheet nav { font-size: .9rem; margin: .5rem 0; }
.scoreframe-sheet .items { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem 2.5rem; align-items: start; }
.scoreframe-sheet .items > .wide { grid-column: 1 / -1; }
.scoreframe-sheet .small { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .25rem 1.5rem; align-items: start; }
.scoreframe-sheet figure { margin: .75rem 0; break-inside: avoid; }
.scoreframe-sheet .small figure { margin: .25rem 0; }
.scoreframe-sheet .small figcaption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.scoreframe-sheet figure :is(svg, img) { width: 100%; max-width: 38rem; height: auto; display: block; }
.scoreframe-sheet figure svg text[fill="${TEXT_COLOR}"] { fill: currentColor; fill-opacity: .85; }
.scoreframe-sheet figcaption { font-size: .8rem; max-width: 38rem; margin-top: .25rem; }
.scoreframe-sheet .table { overflow-x: auto; margin: .75rem 0; contain: inline-size; }
.scoreframe-sheet table { border-collapse: collapse; font-size: .74rem; font-variant-numeric: tabular-nums; }
.scoreframe-sheet caption { text-align: left; font-weight: 600; padding-bottom: .25rem; white-space: nowrap; }
.scoreframe-sheet th, .scoreframe-sheet td { text-align: left; padding: .15rem .5rem .15rem 0; border-bottom: 1px solid #8883; vertical-align: top; }
.scoreframe-sheet th { font-weight: 600; vertical-align: bottom; }
.scoreframe-sheet .number { text-align: right; }
.scoreframe-sheet td { white-space: nowrap; }
.scoreframe-sheet td.long { white-space: normal; min-width: 18rem; }
.scoreframe-sheet td.none { font-style: italic; }
@media screen and (min-width: 1100px) {
  .scoreframe-sheet .items { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .scoreframe-sheet .items > figure:not(:has(~ figure), figure ~ *) { grid-column: 1 / -1; display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 2.5rem; align-items: center; }
  .scoreframe-sheet #judgement dl { display: block; columns: 2; column-gap: 2.5rem; max-width: none; }
  .scoreframe-sheet #judgement dt { break-after: avoid; }
  .scoreframe-sheet #judgement dd { margin-bottom: .6rem; }
  .scoreframe-sheet .summary { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 2.5rem; align-items: start; }
  .scoreframe-sheet .summary > .small { grid-column: 1 / -1; grid-template-columns: repeat(3, minmax(0, 1fr)); }
}
.scoreframe-sheet .narrow { display: none; }
@media screen and (max-width: 40rem) {
  .scoreframe-sheet .large { display: none; }
  .scoreframe-sheet .narrow { display: block; }
}
@media (max-width: 36rem) {
  .scoreframe-sheet dl, .scoreframe-sheet .summary dl { display: block; }
  .scoreframe-sheet dl > dt { margin-top: .6rem; }
  .scoreframe-sheet .small { grid-template-columns: minmax(0, 1fr); }
  .scoreframe-sheet ul.numbers { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media print {
  .scoreframe-sheet { max-width: none; line-height: 1.3; }
  .scoreframe-sheet h1 { font-size: 13pt; }
  .scoreframe-sheet nav { display: none; }
  .scoreframe-sheet h2 { break-after: avoid; font-size: 8pt; margin: .45rem 0 .15rem; }
  .scoreframe-sheet :is(p, dl) { max-width: none; }
  .scoreframe-sheet dl { font-size: 7pt; gap: .2rem .75rem; }
  .scoreframe-sheet #judgement dl { display: block; columns: 2; column-gap: 7mm; font-size: 7pt; line-height: 1.25; }
  .scoreframe-sheet #judgement dt { break-after: avoid; }
  .scoreframe-sheet #judgement dd { margin-bottom: 1.5mm; }
  .scoreframe-sheet :is(#returns, #costs, #stability, #methods) { display: inline-block; width: 48.5%; vertical-align: top; margin-right: 1%; }
  .scoreframe-sheet :is(#returns, #costs, #stability) .items { columns: 1; }
  .scoreframe-sheet .small > figure:first-child { grid-row: 1 / span 2; }
  .scoreframe-sheet .items { display: block; columns: 2; column-gap: 7mm; }
  .scoreframe-sheet .items > .wide { column-span: all; }
  .scoreframe-sheet .items.broad { columns: auto; }
  .scoreframe-sheet .items > figure.broad { column-span: all; }
  .scoreframe-sheet .items > * { break-inside: avoid; margin: 0 0 1.2mm; }
  .scoreframe-sheet figure img { max-width: 100%; }
  .scoreframe-sheet figure svg { width: var(--print); max-width: 100% !important; }
  .scoreframe-sheet figcaption { display: none; }
  .scoreframe-sheet ul.numbers { grid-template-columns: repeat(4, 1fr); font-size: 7pt; }
  .scoreframe-sheet ul.numbers strong { font-size: 10.5pt; }
  .scoreframe-sheet ul.numbers small { font-size: 7pt; }
  .scoreframe-sheet ul.numbers li { break-inside: avoid; }
  .scoreframe-sheet p { font-size: 7pt; margin: .25rem 0; }
  .scoreframe-sheet table { font-size: 7pt; line-height: 1.1; }
  .scoreframe-sheet th, .scoreframe-sheet td { padding: .05rem .4rem .05rem 0; }
  .scoreframe-sheet td:not(.number, .date), .scoreframe-sheet td.long { white-space: normal; min-width: 0; }
  .scoreframe-sheet .table { overflow: visible; contain: none; }
  .scoreframe-sheet .table.wide { break-inside: auto; }
  .scoreframe-sheet caption { white-space: normal; }
  .scoreframe-sheet tr { break-inside: avoid; }
}
`;

/** Style of a page that contains only a sheet. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 1.5rem auto; padding: 0 1rem; max-width: 84rem; font-family: system-ui, "DejaVu Sans", sans-serif; background: #fff; color: #222; }
a { color: #2f6db0; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #7fb0e6; } }
${groundStyle(".scoreframe-sheet svg")}
@page { size: A4; margin: 9mm 11mm 11mm; @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #555; } }
@media print { :root { font-size: 10.5px; } body { margin: 0; padding: 0; max-width: none; background: #fff; color: #000; } }
`;
