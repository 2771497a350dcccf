// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace zoo::apps {

// The style sheet of the page of `demo vision`.
inline constexpr std::string_view kDemoStyle = R"css(
:root{--ground:#f5f4f1;--card:#fff;--ink:#1b1f24;--soft:#6a717b;--line:#e4e2dc;--track:#eceae5;
--golden:#b58a12;--functional:#2f6fd0;--optimized:#0f8a6a;--bad:#c0392b}
@media (prefers-color-scheme:dark){:root{--ground:#14171b;--card:#1d2126;--ink:#e8eaed;--soft:#9aa2ad;--line:#2c3138;
--track:#2a2f36;--golden:#e0b43c;--functional:#6ea4f5;--optimized:#3fc79f;--bad:#ff7b6b}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
header,main,footer{max-width:1180px;margin:0 auto;padding:0 28px}
header{padding-top:56px}
.brand{margin:0;font-weight:700;letter-spacing:.08em;color:var(--optimized)}
h1{margin:.1em 0 .3em;font-size:38px;line-height:1.15;letter-spacing:-.02em}
.lead{max-width:74ch;color:var(--soft);margin:0 0 12px}
.lead b{color:var(--ink)}
.model{margin-top:56px}
h2{margin:0;font-size:26px;letter-spacing:-.01em}
.summary{margin:.2em 0 1em;color:var(--soft)}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:12px;border-spacing:0;
overflow:hidden;margin-bottom:20px;font-variant-numeric:tabular-nums}
th,td{padding:9px 16px;text-align:right;font-weight:400;white-space:nowrap}
tbody tr{border-top:1px solid var(--line)}
thead th{font-size:13px;color:var(--soft)}
th:first-child{text-align:left}
tbody th{font-weight:600}
small{font-weight:400;color:var(--soft);margin-left:6px}
td.time{width:38%}
td.time .track{display:inline-block;width:calc(100% - 100px);vertical-align:middle}
td.time .value{display:inline-block;width:92px}
.dot{display:inline-block;width:10px;height:10px;border-radius:50%;margin-right:8px;background:var(--soft)}
.dot.golden,.golden .fill{background:var(--golden)}
.dot.functional,.functional .fill{background:var(--functional)}
.dot.optimized,.optimized .fill{background:var(--optimized)}
.track{display:block;height:8px;border-radius:4px;background:var(--track);overflow:hidden}
.fill{display:block;height:100%;border-radius:4px;min-width:2px}
.cards{display:grid;gap:20px}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
.photo{display:grid;grid-template-columns:300px 1fr}
figure{margin:0;position:relative;background:var(--track);min-height:230px}
figure img{position:absolute;inset:0;width:100%;height:100%;object-fit:cover}
figcaption{position:absolute;left:10px;bottom:10px;padding:2px 9px;border-radius:6px;background:rgba(0,0,0,.62);color:#fff;font-size:13px}
.answers{display:grid;grid-template-columns:repeat(3,1fr);gap:26px;padding:16px 22px 20px}
h4{margin:0 0 10px;font-size:14px;display:flex;align-items:center}
.pcc{margin-left:auto;font-weight:400;font-size:12px;color:var(--soft);font-variant-numeric:tabular-nums}
.bars{list-style:none;margin:0;padding:0}
.bars li{display:grid;grid-template-columns:1fr auto;gap:0 8px;margin-top:7px;font-size:13px}
.bars .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.bars .track{grid-column:1/3}
.bars li:first-child .name{font-weight:600}
.value{color:var(--soft);font-variant-numeric:tabular-nums}
.panels{display:grid;grid-template-columns:repeat(3,1fr);gap:20px;padding:16px 20px 4px}
.canvas{position:relative;border-radius:8px;overflow:hidden;margin-bottom:10px}
.canvas img{display:block;width:100%}
.canvas svg{position:absolute;inset:0;width:100%;height:100%}
.canvas text{fill:#fff;font-weight:600;font-family:inherit}
.caption,.none{margin:6px 20px 16px;color:var(--soft);font-size:13px}
.none{margin:0}
.thumbs{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:14px}
.thumb{padding:14px 14px 12px}
.thumb img{display:block;width:100%;image-rendering:pixelated;border-radius:6px;background:#000}
.truth{margin:8px 0 6px;font-weight:600}
.guess{margin:2px 0;font-size:13px;display:flex;align-items:center}
.guess .dot{flex:none}
.guess .name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.guess .value{margin-left:auto;padding-left:8px;font-size:12px;white-space:nowrap}
.guess.wrong{color:var(--bad);font-weight:600}
.missing{margin-top:56px;color:var(--soft)}
.missing h2{color:var(--ink);font-size:20px}
footer{margin-top:56px;padding-bottom:48px;color:var(--soft);font-size:13px}
@media (max-width:860px){.photo{grid-template-columns:1fr}.answers,.panels{grid-template-columns:1fr}td.time{width:auto}
td.time .track,small{display:none}}
)css";

}  // namespace zoo::apps
