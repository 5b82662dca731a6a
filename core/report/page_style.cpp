#include "report/page_style.hpp"

namespace sculpt::core {

// Colours of curves: c0 to c6, after Okabe and Ito; the darker ones first on light pages.
std::string_view page_style() {
  return R"css(:root{
--page:#fbfbfa;--card:#fff;--ink:#1b1d21;--soft:#565b63;--line:#dddfe2;--grid:#eceded;--shade:#0072b2;
--wrong:#b04300;--good:#00694c;--busy:#0060a0;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b0568f;--c4:#c28100;--c5:#3a9bd0;--c6:#555b66;
--pixel0:#eef0f2;--pixel1:#23272d;--pixel2:#0072b2;--pixel3:#e69f00;--pixel4:#009e73;--pixel5:#cc79a7;--pixel6:#56b4e9;--pixel7:#d55e00}
@media (prefers-color-scheme:dark){:root{
--page:#14161a;--card:#1b1e23;--ink:#eceef1;--soft:#a7adb7;--line:#363b43;--grid:#282c33;--shade:#56b4e9;
--wrong:#ff9a62;--good:#4cd3a9;--busy:#7cc6f2;
--c0:#56b4e9;--c1:#e69f00;--c2:#2cc197;--c3:#d98fb9;--c4:#f0e442;--c5:#ee7a31;--c6:#b6bcc6;
--pixel0:#2b3037;--pixel1:#e8eaed}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;font-variant-numeric:tabular-nums}
header,main,footer{max-width:1120px;margin:0 auto;padding:0 28px}
header{padding-top:44px}
.kind{margin:0;color:var(--soft);font-size:14px;letter-spacing:.04em}
h1{margin:2px 0 14px;font-size:32px;line-height:1.2;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{margin:0 0 18px;font-size:21px;font-weight:650;letter-spacing:-.005em;overflow-wrap:anywhere}
h3{margin:26px 0 4px;font-size:17px;font-weight:600;overflow-wrap:anywhere}
h4{margin:0 0 8px;font-size:15px;font-weight:600;overflow-wrap:anywhere}
small{font-size:13px;font-weight:400;color:var(--soft)}
nav{display:flex;flex-wrap:wrap;gap:4px 20px;padding-bottom:14px;border-bottom:1px solid var(--line)}
nav a{color:var(--soft);text-decoration:none;font-size:15px;padding:3px 0}
nav a:hover,nav a:focus-visible{color:var(--ink);text-decoration:underline;text-underline-offset:4px}
section{padding:36px 0 0}
footer{padding-top:48px;padding-bottom:36px;color:var(--soft);font-size:13px}
.note{margin:6px 0 0;color:var(--soft);font-size:14px;overflow-wrap:anywhere}
.note a{color:inherit}
.runs,.figures{display:grid;gap:20px;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
.run,figure,.example{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:18px 20px;margin:0;min-width:0}
.figures figure{max-width:640px}
.note+.figures,.meaning+.figures{margin-top:18px}
.figures+.scroll{margin-top:20px}
.run h3{margin:0 0 2px;display:flex;align-items:center;gap:8px}
.state{margin:0;font-size:14px;color:var(--soft)}
.state::before{content:"";display:inline-block;width:8px;height:8px;border-radius:50%;margin-right:8px;background:currentColor}
.state.done{color:var(--good)}.state.running{color:var(--busy)}.state.dead{color:var(--wrong)}
.failure{margin:8px 0 0;color:var(--wrong);overflow-wrap:anywhere}
.numbers{display:flex;flex-wrap:wrap;gap:12px 30px;margin:14px 0 0}
.numbers dt{font-size:13px;color:var(--soft);line-height:1.3}
.numbers dd{margin:0;font-size:20px;font-weight:600;letter-spacing:-.005em}
.example .numbers{margin:0 0 10px;gap:4px 24px}
.example .numbers dd{font-size:15px}
.meaning{margin:14px 0 0;max-width:68ch}
figcaption{font-size:15px;font-weight:600;margin-bottom:8px}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 18px;margin:0 0 6px;padding:0;font-size:14px;color:var(--soft)}
.legend li{display:flex;align-items:center;gap:7px;min-width:0;overflow-wrap:anywhere}
.swatch{width:30px;height:12px;flex:none;overflow:visible}
.chart{display:block;width:100%;height:auto;overflow:visible;touch-action:pan-y}
svg text{font-size:12px;fill:var(--ink);font-family:inherit}
svg .ticks text,svg .label{fill:var(--soft)}
svg .grid path{stroke:var(--grid);fill:none}
svg .axis path{stroke:var(--soft);fill:none}
svg .axis .break{stroke:var(--line);stroke-dasharray:2 3}
.c0{--c:var(--c0)}.c1{--c:var(--c1)}.c2{--c:var(--c2)}.c3{--c:var(--c3)}.c4{--c:var(--c4)}.c5{--c:var(--c5)}.c6{--c:var(--c6)}
svg .line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:butt}
svg .mark{fill:var(--c);stroke:var(--card);stroke-width:1}
svg .mark .cross{stroke:var(--c);stroke-width:2}
svg .bar{fill:var(--c)}
svg .error{stroke:var(--c);stroke-width:2}
svg .part{fill:none;stroke:var(--c);stroke-width:1.2}
svg .best{font-weight:700}
svg .cell{fill:var(--shade)}
svg rect.best{stroke:var(--ink);stroke-width:2}
svg .cursor{stroke:var(--soft);stroke-dasharray:3 3;pointer-events:none}
svg .dot{fill:none;stroke:var(--ink);stroke-width:1.6;pointer-events:none}
.reading{min-height:21px;margin:0;font-size:14px;color:var(--soft);white-space:pre-wrap}
details{margin-top:10px;font-size:14px}
summary{cursor:pointer;color:var(--soft);width:max-content;max-width:100%}
summary:hover{color:var(--ink)}
.scroll{overflow:auto;max-height:420px;margin-top:8px}
.scroll:focus-visible,summary:focus-visible,a:focus-visible{outline:2px solid var(--busy);outline-offset:2px;border-radius:3px}
table{border-collapse:collapse;font-size:14px;min-width:min(100%,260px)}
th,td{padding:5px 18px 5px 0;text-align:right;font-weight:400;border-bottom:1px solid var(--grid);vertical-align:top;white-space:nowrap}
thead th{color:var(--soft);border-bottom-color:var(--line)}
th:first-child,.text{text-align:left}
td.text,tbody th{white-space:normal;overflow-wrap:anywhere}
td.text,tbody th{min-width:9ch}
tbody.head th{padding-top:12px;font-weight:600}
.settings td{text-align:left;font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:13px}
.settings thead th{text-align:left}
.differs th,.differs td{font-weight:600}
.examples{display:grid;gap:16px;margin-top:12px;grid-template-columns:repeat(auto-fit,minmax(min(100%,440px),1fr))}
.example.wide{grid-column:1/-1}
.example figure.plain{border:0;padding:0;margin:6px 0 0;background:none}
.plain figcaption{font-weight:400;font-size:13px;color:var(--soft);margin-bottom:4px}
.pair{display:flex;flex-wrap:wrap;gap:24px}
.outputs{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 14px;margin:0}
.outputs dt{color:var(--soft);font-size:14px}
.outputs dd{margin:0;overflow-wrap:anywhere}
pre{margin:0;font:13px/1.5 ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace}
.marks{color:var(--soft)}
.tags{margin:0;display:flex;flex-wrap:wrap;gap:8px 6px}
.tag{display:inline-flex;flex-direction:column;align-items:center;padding:0 5px 1px;border-bottom:3px solid var(--c,var(--line));font-size:14px;line-height:1.4}
.tag b{font-weight:600;font-size:15px}
.tag em{font-style:normal;color:var(--wrong);font-weight:600}
.tag.wrong{background:color-mix(in srgb,var(--wrong) 9%,transparent);border-radius:4px 4px 0 0}
.tree text.symbol,.tree text.wrong{font-weight:600}
.tree text.word{font-style:italic}
.tree text.wrong{fill:var(--wrong);text-decoration:underline}
.tree .edges{stroke:var(--line);fill:none;stroke-width:1.2}
.tree .arc{fill:none;stroke:var(--c0);stroke-width:1.3}
.tree .arc.wrong{stroke:var(--c1);stroke-dasharray:4 3}
.tree .letters text{font-size:10px}
.picture{max-width:100%;height:auto;border:1px solid var(--line)}
.swatch.picture{width:14px;border:1px solid var(--line)}
.picture .wrong{stroke:var(--c1);stroke-width:.22;fill:none}
.shade0{fill:var(--pixel0)}.shade1{fill:var(--pixel1)}.shade2{fill:var(--pixel2)}.shade3{fill:var(--pixel3)}.shade4{fill:var(--pixel4)}.shade5{fill:var(--pixel5)}.shade6{fill:var(--pixel6)}.shade7{fill:var(--pixel7)}
@media (max-width:560px){
header,main,footer{padding-left:16px;padding-right:16px}
header{padding-top:26px}
h1{font-size:26px}
section{padding-top:28px}
.run,figure,.example{padding:14px}
.chart text{font-size:17px}
.row-chart text{font-size:13px}
.numbers{gap:10px 22px}
.numbers dd{font-size:18px}}
@media print{
:root{--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--grid:#e4e4e4;--shade:#0072b2;--wrong:#a03c00;--good:#005a41;--busy:#00538a;
--c0:#0072b2;--c1:#d55e00;--c2:#009e73;--c3:#b0568f;--c4:#c28100;--c5:#3a9bd0;--c6:#555b66;--pixel0:#eef0f2;--pixel1:#23272d}
body{font-size:11pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
header,main,footer{max-width:none;padding-left:0;padding-right:0}
header{padding-top:0}
nav,details,.reading{display:none}
section{padding-top:18pt}
.figures{grid-template-columns:1fr 1fr;gap:12pt}
.run,figure,.example{break-inside:avoid;border-radius:0;padding:10pt}
h2,h3,h4{break-after:avoid}
.scroll{overflow:visible;max-height:none}
table{font-size:9pt}
th,td{padding-right:9pt}
svg.tree{max-width:100%;height:auto}}
)css";
}

// For each curve of a figure: `data-g` is the body of the table, `data-c` the column of its values.
std::string_view page_script() {
  return R"js(//<![CDATA[
"use strict";
for (const svg of document.querySelectorAll("svg.chart")) {
  const lines = [...svg.querySelectorAll("path[data-g]")];
  if (lines.length === 0) continue;
  const figure = svg.closest("figure");
  const bodies = figure.querySelectorAll("tbody.data");
  const heads = [...figure.querySelectorAll("thead th")].map(cell => cell.textContent);
  const names = [...figure.querySelectorAll("tbody.head th")].map(cell => cell.textContent);
  const points = [];
  for (const line of lines) {
    const column = Number(line.dataset.c), group = Number(line.dataset.g);
    const rows = [...bodies[group].rows].filter(row => row.cells[column].textContent !== "–");
    const places = line.getAttribute("d").match(/-?[\d.]+(e-?\d+)?/g).map(Number);
    rows.forEach((row, k) => points.push({x: places[2 * k], y: places[2 * k + 1], row, column, group}));
  }
  const reading = document.createElement("p");
  reading.className = "reading";
  svg.after(reading);
  const make = (tag, name) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    element.setAttribute("class", name);
    return element;
  };
  const cursor = make("path", "cursor"), dot = make("circle", "dot");
  dot.setAttribute("r", "5");
  const show = event => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    let best = null, least = Infinity;
    for (const point of points) {
      const distance = Math.hypot(point.x - at.x, (point.y - at.y) / 3);
      if (distance < least) { least = distance; best = point; }
    }
    if (best === null) return;
    cursor.setAttribute("d", "M" + best.x + " 26V256");
    dot.setAttribute("cx", best.x);
    dot.setAttribute("cy", best.y);
    svg.append(cursor, dot);
    const cells = [...best.row.cells].map(cell => cell.textContent);
    const text = heads.map((head, k) => head + " " + cells[k]).join("   ");
    reading.textContent = (names.length ? names[best.group] + ":   " : "") + text;
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => { cursor.remove(); dot.remove(); reading.textContent = ""; });
}
//]]>
)js";
}

}  // namespace sculpt::core
