/** Style of the page, for light and dark mode and narrow screens. */
export const STATUS_PAGE_STYLE = `
:root{color-scheme:light dark;--ink:#1a1f24;--quiet:#5a6572;--paper:#fff;--line:#d7dde3;--tile:#f3f5f7;
--answered:#9db8d2;--asked:#b3541e;--warn:#8a4b00;--warn-paper:#fff3e0}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--quiet:#9aa5b1;--paper:#14181c;--line:#333b44;
--tile:#1e242a;--answered:#4d7399;--asked:#f0995c;--warn:#ffcf8f;--warn-paper:#3a2a10}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.45 system-ui,sans-serif}
main{max-width:960px;margin:0 auto;padding:16px}
h1{font-size:1.3rem;margin:0;overflow-wrap:anywhere}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}
.quiet{color:var(--quiet);margin:.2rem 0}
.warning{color:var(--warn);background:var(--warn-paper);padding:.5rem .8rem;border-radius:4px}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(130px,1fr));gap:8px;margin-top:12px}
.tiles div{background:var(--tile);border-radius:4px;padding:.6rem .8rem}
.tiles b{display:block;font-size:1.25rem;font-variant-numeric:tabular-nums}.tiles span{color:var(--quiet)}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;margin-bottom:.6rem}
ul{list-style:none;margin:0;padding:0}li{padding:.4rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
a{color:inherit}
th,td{text-align:left;padding:.3rem .7rem .3rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th{color:var(--quiet);font-weight:500;white-space:nowrap}td{white-space:nowrap}
td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:8rem}
svg{width:100%;max-width:560px;height:auto;display:block}svg text{fill:var(--quiet);font:11px system-ui,sans-serif}
.answered{fill:var(--answered)}.asked{fill:var(--asked)}.axis{stroke:var(--line)}
`.replaceAll("\n", "");
