"""The style sheet of a report's page: paper and grey, one accent, and the same in the dark."""

from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--window:#f5f5f3;--base:#fff;--text:#1d2023;--quiet:#5f6469;--hairline:#deded9;
--accent:#5a3fc8;--line:#5f7386;--fill:#a9b6c3;--notice:#fdf1dc;--warning:#9a4a00}
@media(prefers-color-scheme:dark){:root{--window:#1c1d1f;--base:#242628;--text:#e6e6e3;--quiet:#a8acb0;
--hairline:#37393c;--accent:#b3a1ff;--line:#8ea3b5;--fill:#566674;--notice:#3b3020;--warning:#f0b063}}
*{box-sizing:border-box}
body{margin:0;background:var(--window);color:var(--text);
font:15px/1.55 system-ui,"Segoe UI","Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
main{max-width:1080px;margin:0 auto;padding:32px 24px 64px}
h1{font-size:24px;font-weight:600;margin:0;overflow-wrap:anywhere}
h2{font-size:17px;font-weight:600;margin:0 0 12px}
header p{color:var(--quiet);margin:4px 0 0}
section{background:var(--base);border:1px solid var(--hairline);border-radius:8px;padding:20px 24px;margin-top:20px}
p{margin:0 0 12px}
.quiet{color:var(--quiet)}
.notice{background:var(--notice);color:var(--warning);border-radius:8px;padding:10px 16px;margin:20px 0 0}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(140px,1fr));gap:12px;margin:20px 0 0}
.tiles div{background:var(--base);border:1px solid var(--hairline);border-radius:8px;padding:12px 16px;
display:flex;flex-direction:column-reverse;justify-content:flex-end}
.tiles dt{color:var(--quiet);font-size:13px;line-height:1.35}
.tiles dd{margin:0;font-size:22px;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums;font-size:14px}
th,td{padding:5px 10px;text-align:right;border-bottom:1px solid var(--hairline);white-space:nowrap}
thead th{color:var(--quiet);font-weight:400;font-size:13px;white-space:normal;vertical-align:bottom}
th:first-child,td:first-child{text-align:left;padding-left:0}
tbody th{font-weight:400}
tr.total>*{font-weight:600}
table+p,.wide+p{margin-top:12px}
details{border-top:1px solid var(--hairline);padding:8px 0}
section>details:first-of-type{margin-top:8px}
details.notice{border:0;padding:10px 16px}
summary{cursor:pointer}
summary b{color:var(--quiet);font-weight:400;margin-left:6px}
details p,details .wide{margin-top:8px}
.tokens{line-height:2}
.group{display:inline-block;margin:0 24px 0 0}
code{background:var(--window);border:1px solid var(--hairline);border-radius:4px;padding:1px 5px;white-space:pre;
font:13px ui-monospace,"Cascadia Mono","DejaVu Sans Mono","Noto Sans Mono CJK SC",monospace}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:20px}
figure{margin:0;max-width:760px}
figcaption{font-size:14px;margin-bottom:4px}
svg{width:100%;height:auto;display:block}
svg text{font-size:11px;fill:var(--quiet)}
svg .grid{stroke:var(--hairline)}
svg .tick{stroke:var(--quiet)}
svg .line{fill:none;stroke-width:2;stroke-linejoin:round}
svg .line.first{stroke:var(--line)}
svg .line.second{stroke:var(--accent)}
svg .bar.first{fill:var(--fill)}
svg .bar.second{fill:var(--accent)}
svg .hit{pointer-events:all}
svg .hit:hover{fill:var(--text)}
svg .mark{fill:var(--text)}
svg text.mark{font-size:12px}
.key{color:var(--quiet);margin-left:14px;white-space:nowrap}
.key::before{content:"";display:inline-block;width:14px;height:4px;border-radius:2px;margin-right:5px;
vertical-align:middle;background:var(--line)}
.key.second::before{background:var(--accent)}
ul{margin:0;padding-left:20px}
@media print{body{background:none}section,.tiles div{break-inside:avoid}}
"""
