/* The report: how it looks.  Ink and paper have a contrast of at least 7, all
 * else that is read of 4.5, in both schemes. */
#include "bot/report/report_inner.h"

const char *const report_style[] = {
    ":root{color-scheme:light dark;--paper:#fbf8f1;--sheet:#fff;--ink:#1b2130;"
    "--faint:#505a6b;--line:#d5cfc0;--lib:#17539b;--fas:#a93512;"
    "--on:#fff;--wash:#f1ecdf;--focus:#7a4bd0;--shade:#1b213055}\n",
    "@media (prefers-color-scheme:dark){:root{--paper:#12161f;--sheet:#1a202c;"
    "--ink:#f1ebdd;--faint:#aeb8c8;--line:#3a4352;--lib:#7fbcff;"
    "--fas:#ff9d73;--on:#12161f;--wash:#232a38;--focus:#c3a6ff;--shade:#000c}}\n",
    "*{box-sizing:border-box}\n",
    "html{scroll-behavior:smooth}\n",
    "@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}\n",
    "body{margin:0 auto;padding:1rem;max-width:62rem;background:var(--paper);"
    "color:var(--ink);font:1rem/1.55 system-ui,sans-serif;"
    "overflow-wrap:break-word}\n",
    "h1,h2,h3{line-height:1.2;text-wrap:balance}\n",
    "h1{font-size:1.9rem;margin:.5rem 0}\n",
    "h2{font-size:1.4rem;margin:0 0 .75rem}\n",
    "h3{font-size:1.1rem;margin:0 0 .25rem}\n",
    "p{margin:0 0 .75rem}\n",
    "a{color:inherit;text-underline-offset:.2em}\n",
    ":focus-visible{outline:3px solid var(--focus);outline-offset:2px}\n",
    "header{padding:.5rem 0 1rem}\n",
    ".end{font-size:1.25rem;font-weight:600}\n",
    ".lead,.when,.key,small{color:var(--faint)}\n",
    ".when,.key,small{font-size:.875rem}\n",
    "nav ul{list-style:none;margin:0 0 1.5rem;padding:0;display:flex;"
    "flex-wrap:wrap;gap:.5rem}\n",
    "nav h2{font-size:1rem;margin-bottom:.5rem;color:var(--faint)}\n",
    "nav a{display:block;padding:.4rem .8rem;border:1px solid var(--line);"
    "border-radius:2rem;background:var(--sheet);text-decoration:none}\n",
    "nav a:hover{border-color:var(--ink)}\n",
    "section{margin:0 0 1.5rem;padding:1.25rem;background:var(--sheet);"
    "border:1px solid var(--line);border-radius:.75rem;"
    "scroll-margin-top:.5rem}\n",
    /* A shade at the side where a table goes on: covers lie over it at its
     * ends, which are scrolled along. */
    ".scroll{overflow-x:auto;background:"
    "linear-gradient(to right,var(--sheet) 40%,transparent) 0/3rem 100% local,"
    "linear-gradient(to left,var(--sheet) 40%,transparent) 100%/3rem 100% "
    "local,"
    "linear-gradient(to right,var(--shade),transparent) 0/.8rem 100%,"
    "linear-gradient(to left,var(--shade),transparent) 100%/.8rem 100%;"
    "background-repeat:no-repeat}\n",
    "table{border-collapse:collapse;width:100%}\n",
    "th,td{padding:.4rem .6rem;text-align:start;vertical-align:top;"
    "border-bottom:1px solid var(--line)}\n",
    "thead th{color:var(--faint);font-size:.875rem;font-weight:600}\n",
    "tbody th{font-weight:600}\n",
    ".seat{display:inline-block;min-width:1.6em;color:var(--faint);"
    "font-weight:400}\n",
    ".role{font-weight:600}\n",
    ".role::before{content:\"\";display:inline-block;width:.7em;height:.7em;"
    "margin-inline-end:.45em;background:currentColor}\n",
    ".role.lib{color:var(--lib)}\n",
    ".role.lib::before{border-radius:50%}\n",
    ".role.fas{color:var(--fas)}\n",
    ".role.fas::before{clip-path:polygon(50% 0,100% 100%,0 100%)}\n",
    ".who small{display:block}\n",
    ".who bdi,h1,h3,li,td bdi{overflow-wrap:anywhere}\n",
    ".who th[scope=row]{padding-inline-start:2.4em;text-indent:-1.8em}\n",
    ".who .seat{text-indent:0}\n",
    /* Tiles: liberal ones are round, fascist ones square. */
    ".tiles{white-space:nowrap}\n",
    ".tile{display:inline-block;min-width:1.55em;height:1.55em;"
    "line-height:1.55em;padding:0 .2em;margin:0 .1em;text-align:center;"
    "font-size:.875rem;color:var(--on)}\n",
    ".tile.lib{background:var(--lib);border-radius:1em}\n",
    ".tile.fas{background:var(--fas);border-radius:.15em}\n",
    ".track{list-style:none;display:grid;gap:.4rem;padding:0;"
    "margin:.25rem 0 1rem;"
    "grid-template-columns:repeat(auto-fit,minmax(6.2rem,1fr))}\n",
    ".track.lib{grid-template-columns:repeat(5,1fr)}\n",
    ".track li{display:flex;flex-direction:column;align-items:center;"
    "gap:.3rem;padding:.5rem .25rem;border:1px dashed var(--faint);"
    "border-radius:.5rem;text-align:center;line-height:1.25}\n",
    ".track .full{border:2px solid var(--ink);background:var(--wash)}\n",
    "article{padding:.9rem 0;border-top:1px solid var(--line);"
    "scroll-margin-top:.5rem}\n",
    "article:first-of-type{border-top:0;padding-top:0}\n",
    "article:target{background:var(--wash)}\n",
    "article .when{margin-bottom:.4rem}\n",
    "article ul{margin:0;padding-inline-start:1.2rem}\n",
    "article li{margin:.15rem 0}\n",
    ".votes{width:auto}\n",
    ".votes td,.votes thead th+th{text-align:center;padding:.3rem .35rem;"
    "min-width:2.3em}\n",
    ".votes th:first-child{position:sticky;inset-inline-start:0;"
    "background:var(--sheet);max-width:10.5rem;overflow:hidden;"
    "text-overflow:ellipsis;white-space:nowrap;z-index:1}\n",
    ".votes .ja{background:var(--ink);color:var(--sheet);font-weight:700}\n",
    ".votes .nein{font-weight:700}\n",
    ".votes .none,.votes .gone{color:var(--faint)}\n",
    ".votes td{border:1px solid var(--line)}\n",
    ".heard{position:absolute;width:1px;height:1px;overflow:hidden;"
    "clip-path:inset(50%);white-space:nowrap}\n",
    "td{position:relative}\n",
    "em{font-style:normal;font-weight:600;color:var(--fas)}\n",
    ".hands td:nth-child(n+4){white-space:nowrap}\n",
    ".hands td,.hands th{min-width:4.5em}\n",
    ".draws{list-style:none;margin:0 0 1rem;padding:0;display:flex;"
    "flex-wrap:wrap;gap:.75rem}\n",
    ".draws li{display:flex;flex-direction:column;gap:.15rem}\n",
    ".draws .left .tiles{white-space:normal}\n",
    ".times{list-style:none;margin:0;padding:0}\n",
    ".times li{display:grid;grid-template-columns:17rem 1fr;gap:0 1rem;"
    "padding:.3rem 0;border-bottom:1px solid var(--line)}\n",
    ".times time{color:var(--faint)}\n",
    "dt{font-weight:600}\n",
    "dd{margin:0 0 .75rem}\n",
    "pre{margin:.25rem 0 .75rem;padding:.6rem .75rem;background:var(--wash);"
    "border-radius:.4rem;font:.85rem/1.45 ui-monospace,monospace;"
    "overflow-x:auto;overflow-wrap:normal}\n",
    "footer{color:var(--faint);font-size:.875rem}\n",
    "@media (max-width:36rem){section{padding:1rem .85rem;margin-inline:-.5rem}"
    "h1{font-size:1.6rem}.times li{display:block}"
    ".times time{display:block;font-size:.875rem}}\n",
    "@media print{:root{color-scheme:light;--paper:#fff;--sheet:#fff;"
    "--ink:#000;--faint:#444;--line:#bbb;--lib:#17539b;--fas:#a93512;"
    "--on:#fff;--wash:#f3f3f3}"
    "body{max-width:none;padding:0;font-size:10pt}nav{display:none}"
    "section{border:0;padding:0;margin-bottom:1.2em}"
    "article,tr,.track,.draws li,pre{break-inside:avoid}"
    "h2,h3{break-after:avoid}.when,.key,small,footer,thead th{font-size:8pt}"
    ".scroll{overflow:visible;background:none}"
    ".votes{font-size:7.5pt}.votes td,.votes thead th+th{padding:.15em;"
    "min-width:0}.hands td,.hands th{min-width:0;padding:.25em}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere}"
    ".tile,.votes .ja{print-color-adjust:exact;"
    "-webkit-print-color-adjust:exact}}\n",
    NULL,
};
