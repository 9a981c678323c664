/**
 * The style of a sheet: readable on white and on dark, on a screen and on A4. Nothing of it reaches beyond the sheet. What a
 * narrow screen would make too small to read, pictures and tables, scrolls in its own place.
 */
export const SHEET_STYLE = `
.scoreframe-sheet { max-width: 60rem; line-height: 1.45; overflow-wrap: break-word; }
.scoreframe-sheet h1 { font-size: 1.5rem; margin: 0 0 .25rem; }
.scoreframe-sheet h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #8886; padding-bottom: .2rem; }
.scoreframe-sheet p { margin: .4rem 0; }
.scoreframe-sheet dl { display: grid; grid-template-columns: minmax(7rem, 11rem) 1fr; gap: .35rem 1rem; margin: .5rem 0; }
.scoreframe-sheet dt { font-weight: 600; }
.scoreframe-sheet ul.numbers { list-style: none; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 40%), 1fr)); gap: 0 1.5rem; margin: 1rem 0 1.25rem; padding: 0; font-size: .78rem; line-height: 1.35; }
.scoreframe-sheet ul.numbers li { border-top: 1px solid #8886; margin: 0; padding: .4rem 0 .7rem; }
.scoreframe-sheet ul.numbers strong { display: block; font-size: 1.35rem; font-weight: 600; letter-spacing: -.01em; font-variant-numeric: tabular-nums; }
.scoreframe-sheet ul.numbers small { display: block; font-size: .75rem; opacity: .8; }
.scoreframe-sheet dd { margin: 0; }
.scoreframe-sheet nav { font-size: .9rem; margin: .5rem 0; }
.scoreframe-sheet figure { margin: 1rem 0; break-inside: avoid; }
.scoreframe-sheet .picture { overflow-x: auto; contain: inline-size; }
.scoreframe-sheet figure :is(svg, img) { width: max(100%, 32rem); max-width: 52rem; height: auto; display: block; }
.scoreframe-sheet figure svg text[fill="#777777"] { fill: currentColor; fill-opacity: .85; }
.scoreframe-sheet figcaption { font-size: .8rem; opacity: .85; max-width: 52rem; margin-top: .25rem; }
.scoreframe-sheet .table { overflow-x: auto; margin: 1rem 0; contain: inline-size; }
.scoreframe-sheet table { border-collapse: collapse; font-size: .78rem; font-variant-numeric: tabular-nums; }
.scoreframe-sheet caption { text-align: left; font-weight: 600; padding-bottom: .25rem; white-space: nowrap; }
.scoreframe-sheet th, .scoreframe-sheet td { text-align: left; padding: .15rem .5rem .15rem 0; border-bottom: 1px solid #8883; vertical-align: top; }
.scoreframe-sheet th { font-weight: 600; }
.scoreframe-sheet .number { text-align: right; }
.scoreframe-sheet td { white-space: nowrap; }
.scoreframe-sheet td.long { white-space: normal; min-width: 18rem; }
.scoreframe-sheet td.none { opacity: .6; }
@media (max-width: 36rem) {
  .scoreframe-sheet dl { display: block; }
  .scoreframe-sheet dt { margin-top: .6rem; }
}
@media print {
  .scoreframe-sheet { max-width: none; }
  .scoreframe-sheet :is(figcaption, small, .none) { opacity: 1; }
  .scoreframe-sheet nav { display: none; }
  .scoreframe-sheet .picture { overflow: visible; contain: none; }
  .scoreframe-sheet figure :is(svg, img) { max-width: 15cm; }
  .scoreframe-sheet ul.numbers { grid-template-columns: repeat(4, 1fr); }
  .scoreframe-sheet ul.numbers li { break-inside: avoid; }
  .scoreframe-sheet h2 { break-after: avoid; }
  .scoreframe-sheet table { font-size: 7pt; }
  .scoreframe-sheet td:not(.number, .date), .scoreframe-sheet td.long { white-space: normal; min-width: 0; }
  .scoreframe-sheet .table { overflow: visible; contain: none; break-inside: avoid; }
  .scoreframe-sheet tr { break-inside: avoid; }
}
`;

/** The style of a page that holds nothing but a sheet. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; }
body { margin: 1.5rem auto; padding: 0 1rem; max-width: 60rem; font-family: system-ui, "DejaVu Sans", sans-serif; background: #fff; color: #222; }
a { color: #2f6db0; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #7fb0e6; } }
@page { size: A4; margin: 15mm; }
@media print { :root { font-size: 12px; } body { margin: 0; padding: 0; max-width: none; background: #fff; color: #000; } }
`;
