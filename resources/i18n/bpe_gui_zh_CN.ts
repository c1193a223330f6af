<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>Open &amp;folder or pattern…</source>
        <translation>打开文件夹或匹配模式(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Open corpus…</source>
        <translation>打开语料(&amp;O)…</translation>
    </message>
    <message>
        <source>Open text files in place of the corpus</source>
        <translation>打开文本文件，替换当前语料</translation>
    </message>
    <message>
        <source>A&amp;dd files…</source>
        <translation>添加文件(&amp;D)…</translation>
    </message>
    <message>
        <source>Add text files to the corpus</source>
        <translation>把文本文件添加到语料</translation>
    </message>
    <message>
        <source>Open all files of a folder that match a pattern in place of the corpus</source>
        <translation>打开文件夹中匹配模式的所有文件，替换当前语料</translation>
    </message>
    <message>
        <source>&amp;New text</source>
        <translation>新建文本(&amp;N)</translation>
    </message>
    <message>
        <source>Add an empty document to the corpus</source>
        <translation>在语料中添加一个空文档</translation>
    </message>
    <message>
        <source>New &amp;project</source>
        <translation>新建项目(&amp;P)</translation>
    </message>
    <message>
        <source>Begin with an empty corpus and the usual recipe</source>
        <translation>从空语料和常用配方开始</translation>
    </message>
    <message>
        <source>Open pro&amp;ject…</source>
        <translation>打开项目(&amp;J)…</translation>
    </message>
    <message>
        <source>Open corpus, recipe, merges and text as they were saved</source>
        <translation>按保存时的样子打开语料、配方、合并和文本</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>保存项目(&amp;S)</translation>
    </message>
    <message>
        <source>Save corpus, recipe, merges and text in one file</source>
        <translation>把语料、配方、合并和文本保存到一个文件</translation>
    </message>
    <message>
        <source>Save project &amp;as…</source>
        <translation>项目另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save the project to another file</source>
        <translation>把项目保存到另一个文件</translation>
    </message>
    <message>
        <source>Open &amp;tokenizer…</source>
        <translation>打开分词器(&amp;T)…</translation>
    </message>
    <message>
        <source>Look at a tokenizer: its vocabulary and merges, and what it makes of a text</source>
        <translation>查看分词器：词表、合并，以及它如何切分文本</translation>
    </message>
    <message>
        <source>&amp;Export tokenizer…</source>
        <translation>导出分词器(&amp;E)…</translation>
    </message>
    <message>
        <source>Save vocabulary and merges as of the current step</source>
        <translation>保存当前步的词表和合并</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Recipe…</source>
        <translation>配方(&amp;R)…</translation>
    </message>
    <message>
        <source>Set every switch in which BPE trainers differ</source>
        <translation>设置各 BPE 训练器互不相同的每个开关</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>Train in the background until the vocabulary has its size</source>
        <translation>在后台训练，直到词表达到设定大小</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Stop; the steps done so far are kept</source>
        <translation>停止；已完成的步会保留</translation>
    </message>
    <message>
        <source>To the &amp;start</source>
        <translation>到开头(&amp;H)</translation>
    </message>
    <message>
        <source>Go to step 0, the bare alphabet</source>
        <translation>回到第 0 步，此时只有字母表</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>后退一步(&amp;B)</translation>
    </message>
    <message>
        <source>Undo the last merge</source>
        <translation>撤销最近一次合并</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>播放(&amp;P)</translation>
    </message>
    <message>
        <source>Step forward by itself, or pause</source>
        <translation>自动逐步前进，或暂停</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>前进一步(&amp;S)</translation>
    </message>
    <message>
        <source>Merge the next pair</source>
        <translation>合并下一个符号对</translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation>到结尾(&amp;E)</translation>
    </message>
    <message>
        <source>Go to the last step, or on to the vocabulary size</source>
        <translation>前进到最后一步，或直到词表达到设定大小</translation>
    </message>
    <message>
        <source>&amp;Go to step</source>
        <translation>跳到指定步(&amp;G)</translation>
    </message>
    <message>
        <source>Type the number of a step</source>
        <translation>输入步数</translation>
    </message>
    <message>
        <source>Start &amp;over</source>
        <translation>重新开始(&amp;O)</translation>
    </message>
    <message>
        <source>Drop the run and begin again from the present corpus and recipe</source>
        <translation>放弃本次训练，用当前的语料和配方重新开始</translation>
    </message>
    <message>
        <source>&amp;Larger tokens</source>
        <translation>放大词元(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Smaller tokens</source>
        <translation>缩小词元(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Usual size</source>
        <translation>默认大小(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
    </message>
    <message>
        <source>Copy versions, the system and the end of the log, to report a problem</source>
        <translation>复制版本、系统信息和日志结尾，以便报告问题</translation>
    </message>
    <message>
        <source>&amp;About bpe-gui</source>
        <translation>关于 bpe-gui(&amp;A)</translation>
    </message>
</context>
<context>
    <name>ActivityBar</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Training…</source>
        <translation>正在训练…</translation>
    </message>
    <message>
        <source>On the way…</source>
        <translation>正在前往…</translation>
    </message>
    <message>
        <source>Opening a tokenizer…</source>
        <translation>正在打开分词器…</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
    </message>
    <message>
        <source>{size} a second</source>
        <translation>每秒 {size}</translation>
    </message>
    <message>
        <source>{steps} steps a second</source>
        <translation>每秒 {steps} 步</translation>
    </message>
    <message>
        <source>Counted {done} of {total}</source>
        <translation>已统计 {done}，共 {total}</translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation>第 {done} 步，共 {total} 步</translation>
    </message>
</context>
<context>
    <name>CopyMenu</name>
    <message>
        <source>Copy as &amp;list</source>
        <translation>复制为列表(&amp;L)</translation>
    </message>
    <message>
        <source>Copy as &amp;JSON</source>
        <translation>复制为 JSON(&amp;J)</translation>
    </message>
    <message>
        <source>Copy as &amp;Python</source>
        <translation>复制为 Python(&amp;P)</translation>
    </message>
    <message>
        <source>Copy as &amp;NumPy</source>
        <translation>复制为 NumPy(&amp;N)</translation>
    </message>
    <message>
        <source>1 selected id</source>
        <translation>选中的 1 个 ID</translation>
    </message>
    <message>
        <source>{count} selected ids</source>
        <translation>选中的 {count} 个 ID</translation>
    </message>
    <message>
        <source>All ids: {count}</source>
        <translation>全部 ID：{count} 个</translation>
    </message>
    <message>
        <source>The ids known so far: {count}</source>
        <translation>目前已知的 ID：{count} 个</translation>
    </message>
</context>
<context>
    <name>CorpusPanel</name>
    <message>
        <source>Corpus</source>
        <translation>语料</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Add an empty document</source>
        <translation>添加空文档</translation>
    </message>
    <message>
        <source>Remove the selected document</source>
        <translation>移除所选文档</translation>
    </message>
    <message>
        <source>Documents of the corpus</source>
        <translation>语料中的文档</translation>
    </message>
    <message>
        <source>Text of the corpus</source>
        <translation>语料文本</translation>
    </message>
    <message>
        <source>Write or paste the text to train on, or drop files here.</source>
        <translation>在此输入或粘贴训练文本，也可以把文件拖到这里。</translation>
    </message>
    <message>
        <source>Recipe…</source>
        <translation>配方…</translation>
    </message>
    <message>
        <source>Change the recipe</source>
        <translation>修改配方</translation>
    </message>
    <message>
        <source>Corpus of the run</source>
        <translation>本次训练的语料</translation>
    </message>
    <message>
        <source>Text {number}</source>
        <translation>文本 {number}</translation>
    </message>
    <message>
        <source>{name} · {size} · preview of the first {part}; the file is read when it is counted</source>
        <translation>{name} · {size} · 仅预览开头 {part}；统计时才读取整个文件</translation>
    </message>
    <message>
        <source>{name} · {size} · preview of the first {part}; it has lines too long to be edited here</source>
        <translation>{name} · {size} · 仅预览开头 {part}；有的行太长，无法在此编辑</translation>
    </message>
    <message>
        <source>Open corpus…</source>
        <translation>打开语料…</translation>
    </message>
    <message>
        <source>{name} · {size} · the file is read when it is counted</source>
        <translation>{name} · {size} · 统计时才读取此文件</translation>
    </message>
    <message>
        <source>{preset}: {summary}</source>
        <translation>{preset}：{summary}</translation>
    </message>
</context>
<context>
    <name>CorpusStatistics</name>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>Unicode code points in the whole corpus</source>
        <translation>整个语料的 Unicode 码点数</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Bytes of the whole corpus in UTF-8</source>
        <translation>整个语料的 UTF-8 字节数</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>The pieces that the splitter cuts the corpus into; nothing merges across two</source>
        <translation>分词规则从语料中切出的片段；合并不会跨词</translation>
    </message>
    <message>
        <source>unique words</source>
        <translation>不重复词</translation>
    </message>
    <message>
        <source>Different words; training looks at each of them once, with its count</source>
        <translation>去重后的词；训练时每个只处理一次，并计入次数</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
</context>
<context>
    <name>CorpusWordModel</name>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
</context>
<context>
    <name>DecodeDialog</name>
    <message>
        <source>Decode ids</source>
        <translation>解码 ID</translation>
    </message>
    <message>
        <source>Ids to decode</source>
        <translation>要解码的 ID</translation>
    </message>
    <message>
        <source>Paste ids: 1 2 3, or [1, 2, 3], or a list from Python, NumPy or PyTorch</source>
        <translation>粘贴 ID：1 2 3 或 [1, 2, 3]，也可以是 Python、NumPy 或 PyTorch 的列表</translation>
    </message>
    <message>
        <source>Text of the ids</source>
        <translation>ID 对应的文本</translation>
    </message>
    <message>
        <source>Use as text</source>
        <translation>用作文本</translation>
    </message>
    <message>
        <source>Copy text</source>
        <translation>复制文本</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Ids</source>
        <translation>ID(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>Encoding this text gives the same ids.</source>
        <translation>重新编码这段文本会得到相同的 ID。</translation>
    </message>
    <message>
        <source>1 id</source>
        <translation>1 个 ID</translation>
    </message>
    <message>
        <source>{count} ids</source>
        <translation>{count} 个 ID</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 个字符</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} 个字符</translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation>1 字节</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} 字节</translation>
    </message>
    <message>
        <source>the first {count} characters are shown</source>
        <translation>只显示前 {count} 个字符</translation>
    </message>
    <message>
        <source>1 more place has no whole character.</source>
        <translation>另有 1 处不是完整的字符。</translation>
    </message>
    <message>
        <source>{count} more places have no whole character.</source>
        <translation>另有 {count} 处不是完整的字符。</translation>
    </message>
    <message>
        <source>{id} at place {place}</source>
        <translation>第 {place} 个 {id}</translation>
    </message>
    <message>
        <source>{some} and {count} more</source>
        <translation>{some}，另有 {count} 个</translation>
    </message>
    <message>
        <source>This id does not exist: {ids}. Ids go from {low} to {high}.</source>
        <translation>这个 ID 不存在：{ids}。ID 的范围是 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>These ids do not exist: {ids}. Ids go from {low} to {high}.</source>
        <translation>这些 ID 不存在：{ids}。ID 的范围是 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>The id at place {first} makes no whole character: bytes {bytes}</source>
        <translation>第 {first} 个 ID 不构成完整的字符：字节 {bytes}</translation>
    </message>
    <message>
        <source>The ids at places {first} to {last} make no whole character: bytes {bytes}</source>
        <translation>第 {first} 到第 {last} 个 ID 不构成完整的字符：字节 {bytes}</translation>
    </message>
    <message>
        <source>Encoding this text gives other ids: at place {place} you have {given}, encoding gives {encoded}.</source>
        <translation>重新编码这段文本会得到不同的 ID：从第 {place} 个起，给出的是 {given}，编码得到 {encoded}。</translation>
    </message>
</context>
<context>
    <name>DocumentModel</name>
    <message>
        <source>Document</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>EditMenu</name>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>剪切(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
</context>
<context>
    <name>EncodePanel</name>
    <message>
        <source>Show white space</source>
        <translation>显示空白字符</translation>
    </message>
    <message>
        <source>Mark where words (pre-tokens) begin</source>
        <translation>标出词（预词元）的起点</translation>
    </message>
    <message>
        <source>Decode ids…</source>
        <translation>解码 ID…</translation>
    </message>
    <message>
        <source>Picture…</source>
        <translation>图片…</translation>
    </message>
    <message>
        <source>Save the text with its colours as a picture, or copy it as HTML</source>
        <translation>把带颜色的文本存为图片，或复制为 HTML</translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Copy all ids as a list of numbers; the arrow has other ways. Ctrl+C copies the chosen ids.</source>
        <translation>把全部 ID 复制为数字列表；箭头中有其他形式。Ctrl+C 复制选中的 ID。</translation>
    </message>
    <message>
        <source>Paste ids and see the text that they make</source>
        <translation>粘贴 ID，查看它们对应的文本</translation>
    </message>
    <message>
        <source>Colour equal tokens alike, but for neighbours</source>
        <translation>相同词元用同一颜色（相邻的除外）</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Encode</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>unknown symbol</source>
        <translation>未知符号</translation>
    </message>
</context>
<context>
    <name>EncodeSummary</name>
    <message>
        <source>Nothing to encode with yet: the corpus has nothing to train on.</source>
        <translation>还没有可用的编码：语料中没有可训练的内容。</translation>
    </message>
    <message>
        <source>encoding…</source>
        <translation>正在编码…</translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation>1 字节</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} 字节</translation>
    </message>
    <message>
        <source>{ratio} bytes per token</source>
        <translation>每词元 {ratio} 字节</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} 个词元</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1 个字符</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count} 个字符</translation>
    </message>
    <message>
        <source>selected: {tokens}, {characters}</source>
        <translation>已选：{tokens}，{characters}</translation>
    </message>
    <message>
        <source>once in this text</source>
        <translation>在此文本中出现 1 次</translation>
    </message>
    <message>
        <source>{count} times in this text</source>
        <translation>在此文本中出现 {count} 次</translation>
    </message>
    <message>
        <source>1 symbol is not in the vocabulary and has no id.</source>
        <translation>有 1 个符号不在词表中，没有编号。</translation>
    </message>
    <message>
        <source>{count} symbols are not in the vocabulary and have no id.</source>
        <translation>有 {count} 个符号不在词表中，没有编号。</translation>
    </message>
</context>
<context>
    <name>EngineError</name>
    <message>
        <source>There is no encoding named {encoding!r}; utf-8, gb18030 and cp1252 are examples.</source>
        <translation>没有名为 {encoding!r} 的字符编码；可用的例如 utf-8、gb18030、cp1252。</translation>
    </message>
    <message>
        <source>{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be read. Choose another encoding, or have invalid bytes replaced.</source>
        <translation>{path} 不是有效的 {encoding} 文本：偏移 {offset:,} 处的字节 (0x{byte:02X}) 无法解码。请选择其他字符编码，或替换无效字节。</translation>
    </message>
    <message>
        <source>{path} cannot be read as {encoding}: {reason}. Choose another encoding.</source>
        <translation>无法按 {encoding} 读取 {path}：{reason}。请选择其他字符编码。</translation>
    </message>
    <message>
        <source>{path} begins like {encoding} text; choose that encoding to read it.</source>
        <translation>从开头看，{path} 像是 {encoding} 文本；请选择该字符编码来读取。</translation>
    </message>
    <message>
        <source>{path} looks like a binary file: there is a zero byte at offset {offset:,}. If it is text, choose its encoding.</source>
        <translation>{path} 像是二进制文件：偏移 {offset:,} 处有零字节。如果它是文本，请选择它的字符编码。</translation>
    </message>
    <message>
        <source>{path} changed while it was read: it had {before:,} bytes and then {after:,}. Read it again.</source>
        <translation>读取时 {path} 发生了变化：原有 {before:,} 字节，现为 {after:,} 字节。请重新读取。</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>无法读取 {path}：{reason}。</translation>
    </message>
    <message>
        <source>There is not enough memory to count the words of this corpus. Train on a part of it.</source>
        <translation>内存不足，无法统计该语料的词。请只用其中一部分训练。</translation>
    </message>
    <message>
        <source>The corpus is empty: there are no words to train on. Write or open some text.</source>
        <translation>语料为空：没有可供训练的词。请输入或打开一些文本。</translation>
    </message>
    <message>
        <source>The word {word!r} is counted {count} times; words have letters, and counts start at 1.</source>
        <translation>词 {word!r} 的次数是 {count}；词不能为空，次数至少为 1。</translation>
    </message>
    <message>
        <source>The counts are too large: all words together may have up to {most:,} bytes.</source>
        <translation>计数过大：所有词合计最多 {most:,} 字节。</translation>
    </message>
    <message>
        <source>{path}, line {line} is not UTF-8 text: the byte at offset {offset} cannot be read.</source>
        <translation>{path} 第 {line} 行不是 UTF-8 文本：偏移 {offset} 处的字节无法解码。</translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: this is not JSON ({reason}).</source>
        <translation>{path} 第 {line} 行第 {column} 列：不是 JSON（{reason}）。</translation>
    </message>
    <message>
        <source>{path} is not valid JSON: {reason}.</source>
        <translation>{path} 不是可读取的 JSON：{reason}。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the key {key!r} is there twice.</source>
        <translation>{path} 第 {line} 行：键 {key!r} 重复。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}. Nothing was changed.</source>
        <translation>无法写入 {path}：{reason}。未作任何更改。</translation>
    </message>
    <message>
        <source>{path} is a device or a pipe; write to a file in a folder.</source>
        <translation>{path} 是设备或管道；请写入文件夹中的文件。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {nearest} is a file, not a folder.</source>
        <translation>无法写入 {path}：{nearest} 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>{path} would be a folder: the format {format} is a file that ends in {suffix}, or a folder without an ending.</source>
        <translation>{path} 会成为文件夹：格式 {format} 是以 {suffix} 结尾的文件，或没有扩展名的文件夹。</translation>
    </message>
    <message>
        <source>{path} would be a folder: the format {format} is written to a folder, which has no such ending.</source>
        <translation>{path} 会成为文件夹：格式 {format} 写入文件夹，而文件夹没有这样的扩展名。</translation>
    </message>
    <message>
        <source>Files of the format {name} can be read, but not written.</source>
        <translation>{name} 格式的文件只能读取，不能写入。</translation>
    </message>
    <message>
        <source>{path}: tables ({name}) are for spreadsheets and cannot be opened as a tokenizer.</source>
        <translation>{path}：表格（{name}）供电子表格使用，不能作为分词器打开。</translation>
    </message>
    <message>
        <source>{path} is of the format {format}, which has a pattern and special tokens of its own; leave out pattern= and special_tokens=.</source>
        <translation>{path} 的格式是 {format}，它自带切分模式和特殊词元；请去掉 pattern= 和 special_tokens=。</translation>
    </message>
    <message>
        <source>There is no tokenizer format named {name!r}; there is {names}.</source>
        <translation>没有名为 {name!r} 的分词器格式；可用的有 {names}。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer: there is no such file or folder.</source>
        <translation>{path} 不是分词器：没有这个文件或文件夹。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer but a device or a pipe.</source>
        <translation>{path} 不是分词器，而是设备或管道。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer but a project of bpe-gui: open it in the window.</source>
        <translation>{path} 不是分词器，而是 bpe-gui 的项目：请在窗口中打开它。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer: a folder of one has {files}; name the file itself where it has another name.</source>
        <translation>{path} 不是分词器：分词器文件夹中应有 {files} 之一；文件若用别的名字，请直接指定该文件。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer: a file of one is vocab.json with merges.txt beside it, or {files}.</source>
        <translation>{path} 不是分词器：分词器文件是旁边有 merges.txt 的 vocab.json，或 {files}。</translation>
    </message>
    <message>
        <source>vocab.json cannot hold two tokens written {token!r} (ids {first} and {second}).</source>
        <translation>vocab.json 中不能有两个写法同为 {token!r} 的词元（ID {first} 和 {second}）。</translation>
    </message>
    <message>
        <source>The token {token!r} is not text; a recipe with the units bytes can hold it.</source>
        <translation>词元 {token!r} 不是文本；以字节为单位的配方才能容纳它。</translation>
    </message>
    <message>
        <source>merges.txt cannot hold the token {token!r}: it separates tokens by spaces and merges by lines. Train with a splitter that drops white space, or choose the token spelling gpt2-printable.</source>
        <translation>merges.txt 无法写入词元 {token!r}：该文件用空格分隔词元，用换行分隔合并。请改用丢弃空白的分词规则，或将词元写法设为 gpt2-printable。</translation>
    </message>
    <message>
        <source>{path} is not a vocabulary: it must be a JSON object of tokens and ids.</source>
        <translation>{path} 不是词表：它必须是由词元和 ID 组成的 JSON 对象。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the id of {token!r} is {id!r}; it must be a whole number.</source>
        <translation>{path} 第 {line} 行：{token!r} 的 ID 是 {id!r}；ID 必须是整数。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the token with the id {id} is empty.</source>
        <translation>{path} 第 {line} 行：ID 为 {id} 的词元是空的。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {token!r} has the id {id}, as {other!r} has already.</source>
        <translation>{path} 第 {line} 行：{token!r} 的 ID {id} 已被 {other!r} 占用。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {token!r} holds {character!r}, which stands for no byte.</source>
        <translation>{path} 第 {line} 行：{token!r} 含有 {character!r}，它不对应任何字节。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the token {token!r} of this merge is not in vocab.json.</source>
        <translation>{path} 第 {line} 行：这条合并中的词元 {token!r} 不在 vocab.json 中。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {text!r} is not a merge; a merge is two tokens and one space.</source>
        <translation>{path} 第 {line} 行：{text!r} 不是合并；一条合并由两个词元和一个空格组成。</translation>
    </message>
    <message>
        <source>{path} is damaged: it must be a JSON object.</source>
        <translation>{path} 已损坏：它必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation>{path}：{reason}</translation>
    </message>
    <message>
        <source>{path}: its special tokens are not those of the vocabulary beside it.</source>
        <translation>{path}：其中的特殊词元与同一文件夹中的词表不一致。</translation>
    </message>
    <message>
        <source>{path}: the id for unknown symbols, {id!r}, is not in the vocabulary.</source>
        <translation>{path}：用于未知符号的 ID {id!r} 不在词表中。</translation>
    </message>
    <message>
        <source>{path}: it does not hold one count for each of the {merges} merges.</source>
        <translation>{path}：没有为全部 {merges} 条合并逐一给出次数。</translation>
    </message>
    <message>
        <source>The recipe&apos;s min_count is {value!r}; it must be a whole number from 1 to {most:,}.</source>
        <translation>配方的 min_count 为 {value!r}；它必须是 1 到 {most:,} 之间的整数。</translation>
    </message>
    <message>
        <source>The recipe&apos;s merges_header is {value!r}; it must be true or false.</source>
        <translation>配方的 merges_header 是 {value!r}；它必须是 true 或 false。</translation>
    </message>
    <message>
        <source>The alphabet latin-1 goes with the units characters, not with bytes.</source>
        <translation>字母表“前 256 个字符”(latin-1) 要求以字符为单位，不能以字节为单位。</translation>
    </message>
    <message>
        <source>The alphabet gpt2-printable goes with the units bytes, not with characters.</source>
        <translation>字母表“GPT-2 的顺序”(gpt2-printable) 要求以字节为单位，不能以字符为单位。</translation>
    </message>
    <message>
        <source>The recipe&apos;s splitter is {value!r}; it must be a name or a regular expression.</source>
        <translation>配方的分词规则是 {value!r}；它必须是规则名称或正则表达式。</translation>
    </message>
    <message>
        <source>There is no recipe named {name!r}; the presets are {presets}.</source>
        <translation>没有名为 {name!r} 的配方；预设有 {presets}。</translation>
    </message>
    <message>
        <source>A recipe is a JSON object of switches and their values.</source>
        <translation>配方必须是由选项及其值组成的 JSON 对象。</translation>
    </message>
    <message>
        <source>A recipe has no switch named {name!r}; its switches are {switches}.</source>
        <translation>配方中没有名为 {name!r} 的选项；可用的选项有 {switches}。</translation>
    </message>
    <message>
        <source>The recipe&apos;s {field} is {value!r}; it must be one of {choices}.</source>
        <translation>配方的 {field} 是 {value!r}；它必须是 {choices} 之一。</translation>
    </message>
    <message>
        <source>The special tokens have more than {most:,} characters together.</source>
        <translation>所有特殊词元合计超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>Special token number {number} is empty; it needs at least one character.</source>
        <translation>第 {number} 个特殊词元是空的；至少要有一个字符。</translation>
    </message>
    <message>
        <source>The special token {token!r} is given twice; once is enough.</source>
        <translation>特殊词元 {token!r} 重复了；写一次即可。</translation>
    </message>
    <message>
        <source>The special token {token!r} holds half a surrogate pair, which is not a character.</source>
        <translation>特殊词元 {token!r} 含有半个代理对，它不是字符。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression is wrong at position {position}: {reason}.</source>
        <translation>分词规则的正则表达式在位置 {position} 处有误：{reason}。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression cannot be used: {reason}.</source>
        <translation>分词规则的正则表达式无法使用：{reason}。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression searches backwards, by (?r); words come forwards.</source>
        <translation>分词规则的正则表达式用 (?r) 反向搜索；词只能从前往后切分。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression is too long, or repeats its parts too many times.</source>
        <translation>分词规则的正则表达式太长，或其中的重复次数太多。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression has {part!r} at position {position}: what calls a part of itself, or matches inexactly, may never end. Write \{{ for a brace.</source>
        <translation>分词规则的正则表达式在位置 {position} 处有 {part!r}：调用自身的一部分或近似匹配可能永远不会结束。若要匹配花括号，请写 \{{。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression took too much memory at character {position:,}. A repetition inside a repetition, such as (a+)+, is the usual reason.</source>
        <translation>分词规则的正则表达式在第 {position:,} 个字符处占用内存过多。通常是因为重复里又套了重复，例如 (a+)+。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression took more than {seconds:g} seconds at character {position:,}. A repetition inside a repetition, such as (a+)+, is the usual reason.</source>
        <translation>分词规则的正则表达式在第 {position:,} 个字符处用时超过 {seconds:g} 秒。通常是因为重复里又套了重复，例如 (a+)+。</translation>
    </message>
    <message>
        <source>The text holds a lone surrogate (U+{code:04X}) at index {index:,}. Half a surrogate pair is not a character and has no UTF-8; remove it.</source>
        <translation>文本在索引 {index:,} 处有一个孤立的代理码点 (U+{code:04X})。半个代理对不是字符，也没有 UTF-8 编码；请将其删除。</translation>
    </message>
    <message>
        <source>The bytes are not valid UTF-8: 0x{byte:02X} at byte {place:,} belongs to no character. Decode them by their own encoding, and give the string.</source>
        <translation>这些字节不是 UTF-8 文本：位于第 {place:,} 字节的 0x{byte:02X} 不属于任何字符。请用其本来的编码解码，并传入字符串。</translation>
    </message>
    <message>
        <source>Merge {position} does not exist; this tokenizer has {merges}.</source>
        <translation>合并 {position} 不存在；这个分词器共有 {merges} 条合并。</translation>
    </message>
    <message>
        <source>The symbol {symbol!r}, number {index} of the word {word!r} at character {start:,}, has no id in this vocabulary. Train on text that holds it, or set the id for unknown symbols.</source>
        <translation>符号 {symbol!r}（第 {start:,} 个字符处，词 {word!r} 的第 {index} 个符号）在词表中没有 ID。请用含有它的文本训练，或设置未知符号的 ID。</translation>
    </message>
    <message>
        <source>The ids make bytes that are not UTF-8 text, at byte {offset:,}.</source>
        <translation>这些 ID 解码出的字节不是 UTF-8 文本，出错位置是字节 {offset:,}。</translation>
    </message>
    <message>
        <source>There is no token with the id {id!r}; the vocabulary&apos;s ids go from {low} to {high}.</source>
        <translation>没有 ID 为 {id!r} 的词元；词表的 ID 范围是 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>The token with the id {id} is {token!r}; a token is at least one byte.</source>
        <translation>ID 为 {id} 的词元是 {token!r}；词元至少有一个字节。</translation>
    </message>
    <message>
        <source>The vocabulary has the id {id!r}; ids are whole numbers from 0 to {most}.</source>
        <translation>词表中有编号 {id!r}；编号是 0 到 {most} 的整数。</translation>
    </message>
    <message>
        <source>The merge of rank {rank} has an empty part; both parts are at least one byte.</source>
        <translation>序号为 {rank} 的合并有一部分是空的；两部分都至少有一个字节。</translation>
    </message>
    <message>
        <source>The id for unknown symbols, {id!r}, is not in the vocabulary.</source>
        <translation>用于未知符号的 ID {id!r} 不在词表中。</translation>
    </message>
    <message>
        <source>The special token {token!r} has the id {id}, which {other!r} has already.</source>
        <translation>特殊词元 {token!r} 的 ID {id} 已被 {other!r} 占用。</translation>
    </message>
    <message>
        <source>Two special tokens have the same id.</source>
        <translation>有两个特殊词元的 ID 相同。</translation>
    </message>
    <message>
        <source>The words were counted with the splitter {splitter!r}; count them for this recipe.</source>
        <translation>这些词是按分词规则 {splitter!r} 统计的；请按此配方重新统计。</translation>
    </message>
    <message>
        <source>There is not enough memory to train on {words:,} different words: {reason}.</source>
        <translation>内存不足，无法用 {words:,} 个不同的词训练：{reason}。</translation>
    </message>
    <message>
        <source>Step {step} does not exist; the first is step 0.</source>
        <translation>第 {step} 步不存在；最早是第 0 步。</translation>
    </message>
    <message>
        <source>Step {step} is not in the run, which has {steps} steps so far.</source>
        <translation>第 {step} 步不在本次训练中；目前共有 {steps} 步。</translation>
    </message>
    <message>
        <source>The words were counted with the special tokens {counted}, not {asked}; count them again.</source>
        <translation>这些词是按特殊词元 {counted} 统计的，而不是 {asked}；请重新统计。</translation>
    </message>
    <message>
        <source>The number of merges is {merges}; it must be 0 or more.</source>
        <translation>合并次数是 {merges}；它不能小于 0。</translation>
    </message>
    <message>
        <source>The vocabulary size {size:,} is too small: the alphabet has {alphabet:,} symbols and there are {specials:,} special tokens, so it must be at least {least:,}.</source>
        <translation>词表大小 {size:,} 太小：字母表有 {alphabet:,} 个符号，另有 {specials:,} 个特殊词元，因此至少要有 {least:,}。</translation>
    </message>
    <message>
        <source>Counting was cancelled. Training, or starting over, counts again.</source>
        <translation>统计已取消。训练或重新开始会再次统计。</translation>
    </message>
    <message>
        <source>This corpus has {size:,} MB, and training on it would take at least {needed:,} MB of memory; {available:,} MB are free. Train on a part of it.</source>
        <translation>该语料有 {size:,} MB，训练至少需要 {needed:,} MB 内存，而可用内存只有 {available:,} MB。请只用其中一部分训练。</translation>
    </message>
    <message>
        <source>Memory is running out: only {available:,} MB are free after {done:,} MB of text, because of the many different words in it. Train on a part of the corpus, or split it into shorter words.</source>
        <translation>内存即将耗尽：读完 {done:,} MB 文本后可用内存只剩 {available:,} MB，因为其中不同的词太多。请只用语料的一部分训练，或将其切分为更短的词。</translation>
    </message>
    <message>
        <source>The unique words of this corpus have {places:,} symbols; up to {most:,} can be trained on. Train on a part of it, or split it into more and shorter words.</source>
        <translation>该语料的不同词共有 {places:,} 个符号，最多可训练 {most:,} 个。请只用其中一部分训练，或将其切分为更多、更短的词。</translation>
    </message>
    <message>
        <source>{path} is larger than {most:,} bytes; no file of ranks is that large.</source>
        <translation>{path} 超过 {most:,} 字节；秩文件不会这么大。</translation>
    </message>
    <message>
        <source>{path}: the byte {byte!r} has no rank; each of the 256 bytes needs one.</source>
        <translation>{path}：字节 {byte!r} 没有秩；256 个字节各需一个。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {text!r} is not a rank; a line is a token in base64, a space, a whole number.</source>
        <translation>{path} 第 {line} 行：{text!r} 不是秩；每行应为 base64 写的词元、一个空格和一个整数。</translation>
    </message>
    <message>
        <source>{path} has no merges.</source>
        <translation>{path} 中没有合并。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {part!r} is not a character, and no merge before this one makes it.</source>
        <translation>{path} 第 {line} 行：{part!r} 不是单个字符，前面也没有合并生成它。</translation>
    </message>
    <message>
        <source>{path}, line 1: {text!r} is not a version of subword-nmt&apos;s codes; there are 0.1 and 0.2.</source>
        <translation>{path} 第 1 行：{text!r} 不是 subword-nmt 编码文件的版本；只有 0.1 和 0.2。</translation>
    </message>
    <message>
        <source>{path}, line {line}: a token of {length:,} bytes is too long; {most:,} is the most.</source>
        <translation>{path} 第 {line} 行：词元有 {length:,} 字节，太长；最多 {most:,} 字节。</translation>
    </message>
    <message>
        <source>Codes of subword-nmt merge characters; this tokenizer begins with bytes. Train with characters.</source>
        <translation>subword-nmt 编码文件合并的是字符，而此分词器从字节开始。请用单位“字符”训练。</translation>
    </message>
    <message>
        <source>Codes of subword-nmt have end-of-word markers glued to the last character. Train with the boundary suffix-attached.</source>
        <translation>subword-nmt 编码文件的词尾标记附在最后一个字符上。请用边界 suffix-attached 训练。</translation>
    </message>
    <message>
        <source>Codes of subword-nmt are for text split at spaces. Train with the splitter {splitters}.</source>
        <translation>subword-nmt 编码文件用于按空格切分的文本。请用分词规则 {splitters} 训练。</translation>
    </message>
    <message>
        <source>This tokenizer has no merges; subword-nmt reads no codes without one.</source>
        <translation>此分词器没有合并；subword-nmt 不读没有合并的编码文件。</translation>
    </message>
    <message>
        <source>Codes cannot hold the token {token!r}: they separate tokens by spaces, merges by lines.</source>
        <translation>编码文件无法写入词元 {token!r}：该文件用空格分隔词元，用换行分隔合并。</translation>
    </message>
    <message>
        <source>The token {token!r} has {length:,} bytes; a file of codes can hold {most:,}.</source>
        <translation>词元 {token!r} 有 {length:,} 字节；编码文件最多容纳 {most:,} 字节。</translation>
    </message>
    <message>
        <source>The part {part!r} of the merge of rank {rank} is made by no merge before it.</source>
        <translation>秩为 {rank} 的合并的部分 {part!r} 没有被它之前的任何合并生成。</translation>
    </message>
    <message>
        <source>{path} is not a model of minbpe: its first line is {text!r} instead of {version!r}.</source>
        <translation>{path} 不是 minbpe 模型：第一行是 {text!r}，而不是 {version!r}。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {reason}</source>
        <translation>{path} 第 {line} 行：{reason}</translation>
    </message>
    <message>
        <source>{path}, line {line}: {text!r} is not the number of special tokens, which have a line each below.</source>
        <translation>{path} 第 {line} 行：{text!r} 不是特殊词元的数目；下面应每行一个特殊词元。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {text!r} is not a special token, a space and its id.</source>
        <translation>{path} 第 {line} 行：{text!r} 不是“特殊词元、空格、ID”的形式。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the special token {token!r} or its id {id} is there already.</source>
        <translation>{path} 第 {line} 行：特殊词元 {token!r} 或它的 ID {id} 已经存在。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the special tokens up to here have more than {most:,} characters.</source>
        <translation>{path} 第 {line} 行：到这里为止，特殊词元已超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}, line {line}: minbpe never finds the special token {token!r}, because {other!r}, with which it begins, stands before it.</source>
        <translation>{path} 第 {line} 行：minbpe 永远找不到特殊词元 {token!r}，因为它的开头 {other!r} 排在它前面。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the tokens up to here have more than {most:,} bytes.</source>
        <translation>{path} 第 {line} 行：到这里为止，词元已超过 {most:,} 字节。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the token {token!r} is there already, in line {other}.</source>
        <translation>{path} 第 {line} 行：词元 {token!r} 已在第 {other} 行出现。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {text!r} is not a merge; a merge is two ids, both below the {limit} it makes.</source>
        <translation>{path} 第 {line} 行：{text!r} 不是合并；一条合并是两个 ID，都小于它生成的 {limit}。</translation>
    </message>
    <message>
        <source>Groups ( ) in a regular expression change what minbpe splits by; write (?: ) instead.</source>
        <translation>正则表达式中的分组 ( ) 会改变 minbpe 的切分结果；请改写为 (?: )。</translation>
    </message>
    <message>
        <source>A model of minbpe cannot hold the splitter {pattern!r}: it must be one line, no space at its ends.</source>
        <translation>minbpe 模型无法保存分词规则 {pattern!r}：它必须是一行，且首尾没有空白。</translation>
    </message>
    <message>
        <source>A model of minbpe merges bytes; this tokenizer begins with characters. Train with the units bytes.</source>
        <translation>minbpe 模型合并的是字节，而此分词器从字符开始。请用单位“字节”训练。</translation>
    </message>
    <message>
        <source>A model of minbpe knows no end-of-word markers. Train with a recipe that has the boundary none.</source>
        <translation>minbpe 模型没有词尾标记。请用边界为“无”的配方训练。</translation>
    </message>
    <message>
        <source>A model of minbpe cannot hold the special token {token!r}: it has white space in it, or more than {most:,} characters.</source>
        <translation>minbpe 模型无法保存特殊词元 {token!r}：其中有空白，或超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>The special tokens have more than {most:,} characters, too many to be read again.</source>
        <translation>特殊词元合计超过 {most:,} 个字符，太多，无法再读回。</translation>
    </message>
    <message>
        <source>A model of minbpe cannot hold the merge {left!r} {right!r}, of rank {rank}: a merge makes a new token of two that are there before it.</source>
        <translation>minbpe 模型无法保存秩为 {rank} 的合并 {left!r} {right!r}：合并须由两个已有的词元生成一个新词元。</translation>
    </message>
    <message>
        <source>The ids are not those of a model of minbpe, 0 to 255 for bytes, from 256 on for merges: they differ at {id}, {token!r}. Train with the recipe minbpe.</source>
        <translation>ID 与 minbpe 模型不符（字节为 0 到 255，合并从 256 开始）：在 {id}（{token!r}）处不同。请用配方 minbpe 训练。</translation>
    </message>
    <message>
        <source>The tokens have more than {most:,} bytes together, too many to be read again.</source>
        <translation>词元合计超过 {most:,} 字节，太多，无法再读回。</translation>
    </message>
    <message>
        <source>{path} has only ranks, which do not say how text is split. Give pattern=, the name of a splitter ({names}) or a regular expression.</source>
        <translation>{path} 只有秩，没有说明文本如何切分。请用 pattern= 给出分词规则的名称（{names}）或正则表达式。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the rank {rank} is there already, in line {other}.</source>
        <translation>{path} 第 {line} 行：秩 {rank} 已在第 {other} 行出现。</translation>
    </message>
    <message>
        <source>Ranks are of bytes; this tokenizer begins with characters. Train with the units bytes.</source>
        <translation>秩属于字节，而此分词器从字符开始。请用单位“字节”训练。</translation>
    </message>
    <message>
        <source>Ranks know no end-of-word markers. Train with a recipe that has the boundary none.</source>
        <translation>秩文件没有词尾标记。请用边界为“无”的配方训练。</translation>
    </message>
    <message>
        <source>The token {token!r} has two ids, {first} and {second}; it can have one rank only.</source>
        <translation>词元 {token!r} 有两个编号：{first} 和 {second}；它只能有一个秩。</translation>
    </message>
    <message>
        <source>The token {token!r} has {length:,} bytes; a file of ranks can hold {most:,}.</source>
        <translation>词元 {token!r} 有 {length:,} 字节；秩文件最多容纳 {most:,} 字节。</translation>
    </message>
    <message>
        <source>The byte {byte!r} has no id of its own; a file of ranks needs all 256 bytes.</source>
        <translation>字节 {byte!r} 没有自己的编号；秩文件需要全部 256 个字节。</translation>
    </message>
    <message>
        <source>No merge makes the token {token!r}, so that ranks would give it for whole words only.</source>
        <translation>没有合并产生词元 {token!r}，因此秩文件只会在它是整个词时给出它。</translation>
    </message>
    <message>
        <source>The merge {left!r} {right!r}, of rank {rank}, would not be found again: in a file of ranks, ids are the order of the merges, and each merge makes a new token.</source>
        <translation>秩为 {rank} 的合并 {left!r} {right!r} 将无法还原：在秩文件中，编号就是合并的顺序，且每次合并都产生新词元。</translation>
    </message>
    <message>
        <source>“{part}” at place {place:,} is not an id.</source>
        <translation>第 {place:,} 个“{part}”不是 ID。</translation>
    </message>
    <message>
        <source>{path} has more than {most:,} lines; no tokenizer file of this kind is that long.</source>
        <translation>{path} 超过 {most:,} 行；这种分词器文件不会这么长。</translation>
    </message>
    <message>
        <source>{path} is larger than {most:,} bytes; no tokenizer file of this kind is that large.</source>
        <translation>{path} 超过 {most:,} 字节；这种分词器文件不会这么大。</translation>
    </message>
    <message>
        <source>{path}: its table of characters is damaged: its trie has no such size.</source>
        <translation>{path}：字符替换表已损坏：字典树的大小不对。</translation>
    </message>
    <message>
        <source>{path}: its table of characters is damaged: a text in it has no end.</source>
        <translation>{path}：字符替换表已损坏：其中一段文本没有结尾。</translation>
    </message>
    <message>
        <source>{path}: its table of characters is damaged: its texts are too long.</source>
        <translation>{path}：字符替换表已损坏：其中的文本过长。</translation>
    </message>
    <message>
        <source>{path}: its table of characters is damaged: a text in it is not UTF-8.</source>
        <translation>{path}：字符替换表已损坏：其中一段文本不是 UTF-8。</translation>
    </message>
    <message>
        <source>{path}: its table of characters is damaged: its trie leads out of itself, or back into itself.</source>
        <translation>{path}：字符替换表已损坏：字典树指向自身之外，或绕回自身。</translation>
    </message>
    <message>
        <source>{path}: its table of characters is damaged: its trie has too many keys.</source>
        <translation>{path}：字符替换表已损坏：字典树的键过多。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a table of characters, written in Base64.</source>
        <translation>{path}：{place} 必须是以 Base64 写成的字符表。</translation>
    </message>
    <message>
        <source>{path}: {key} is {kind!r}; only gpt2 and llama are byte-pair encodings.</source>
        <translation>{path}：{key} 为 {kind!r}；只有 gpt2 和 llama 是字节对编码。</translation>
    </message>
    <message>
        <source>{path}: {key} has {token!r} twice, as {first} and as {second}.</source>
        <translation>{path}：{key} 中 {token!r} 出现两次，编号为 {first} 和 {second}。</translation>
    </message>
    <message>
        <source>{path}: {key} is {name!r}; how that splits text is not known here.</source>
        <translation>{path}：{key} 为 {name!r}；这里不知道它如何切分文本。</translation>
    </message>
    <message>
        <source>{path}: token {id} of {key}, {token!r}, has {character}, which stands for no byte.</source>
        <translation>{path}：{key} 的第 {id} 个词元 {token!r} 含有 {character}，它不代表任何字节。</translation>
    </message>
    <message>
        <source>{path}: merge {rank} of {key}, {text!r}, is not two tokens with a space between.</source>
        <translation>{path}：{key} 的第 {rank} 个合并 {text!r} 不是以空格隔开的两个词元。</translation>
    </message>
    <message>
        <source>{path}: {key} must be numbers.</source>
        <translation>{path}：{key} 必须是数。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a text.</source>
        <translation>{path}：{key} 必须是文本。</translation>
    </message>
    <message>
        <source>{path}: {key} must be true or false.</source>
        <translation>{path}：{key} 必须是 true 或 false。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a whole number below {limit}.</source>
        <translation>{path}：{key} 必须是小于 {limit} 的整数。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a list of texts.</source>
        <translation>{path}：{key} 必须是文本列表。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a list of {count:,} numbers.</source>
        <translation>{path}：{key} 必须是含 {count:,} 个数的列表。</translation>
    </message>
    <message>
        <source>{path}: {key} holds {value!r}, which is not UTF-8.</source>
        <translation>{path}：{key} 含有 {value!r}，它不是 UTF-8。</translation>
    </message>
    <message>
        <source>{path} is not a GGUF file: it does not begin with GGUF.</source>
        <translation>{path} 不是 GGUF 文件：它不以 GGUF 开头。</translation>
    </message>
    <message>
        <source>{path} is GGUF of version {version}; 2 and 3 can be read, of little-endian machines.</source>
        <translation>{path} 是 GGUF 第 {version} 版；只能读取小端序的第 2 版和第 3 版。</translation>
    </message>
    <message>
        <source>{path}: the key {key!r} is there twice.</source>
        <translation>{path}：键 {key!r} 出现了两次。</translation>
    </message>
    <message>
        <source>{path}: {key!r} is of the type {type}, which is not known.</source>
        <translation>{path}：{key!r} 的类型 {type} 未知。</translation>
    </message>
    <message>
        <source>{path}: at {key!r}, {size:,} are said to follow; up to {most:,} can be read.</source>
        <translation>{path}：{key!r} 处声称后面有 {size:,} 个；最多能读取 {most:,} 个。</translation>
    </message>
    <message>
        <source>{path}: at {key!r}, the keys and values have more than {most:,} bytes.</source>
        <translation>{path}：读到 {key!r} 时，键和值已超过 {most:,} 字节。</translation>
    </message>
    <message>
        <source>{path}: the file ends in the value of {key!r}.</source>
        <translation>{path}：文件在 {key!r} 的值中间结束了。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer.json: it has no model.</source>
        <translation>{path} 不是 tokenizer.json：其中没有 model。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}; only {known} is known.</source>
        <translation>{path}：{place} 是 {value!r}；只认识 {known}。</translation>
    </message>
    <message>
        <source>{path}: {place} is set, which changes ids; it must be null.</source>
        <translation>{path}：设置了 {place}，这会改变 id；它必须为 null。</translation>
    </message>
    <message>
        <source>{path} holds half a surrogate pair, which is not a character.</source>
        <translation>{path} 含有半个代理对，那不是字符。</translation>
    </message>
    <message>
        <source>{path}: {place} puts the id {id} around texts, which no token has.</source>
        <translation>{path}：{place} 在文本前后加上 id {id}，但没有词元具有该 id。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} is nothing once it is normalized.</source>
        <translation>{path}：{place} 中的 {token!r} 规范化之后什么也不剩。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} and {other!r} are the same once they are normalized.</source>
        <translation>{path}：{place} 中的 {token!r} 与 {other!r} 规范化之后相同。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}, which is not in model.vocab.</source>
        <translation>{path}：{place} 是 {value!r}，而它不在 model.vocab 中。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold the merge {left!r} {right!r}: another has the same rank, and which of them comes first in a text depends on the text.</source>
        <translation>tokenizer.json 无法保存合并 {left!r} {right!r}：另一个合并的优先级与它相同，哪个先发生取决于文本。</translation>
    </message>
    <message>
        <source>{path}: {place} has the key {key!r}, which is not known here and might change ids.</source>
        <translation>{path}：{place} 含有键 {key!r}，这里不认识它，而它可能改变 id。</translation>
    </message>
    <message>
        <source>{path}: {place} replaces where nothing stands, which `tokenizers` may garble.</source>
        <translation>{path}：{place} 在没有字符的位置做替换，`tokenizers` 可能会弄乱文本。</translation>
    </message>
    <message>
        <source>{path}: {place} must have one key, String or Regex.</source>
        <translation>{path}：{place} 必须只有一个键：String 或 Regex。</translation>
    </message>
    <message>
        <source>{path}: {place} has {length:,} characters; there may be {least:,} to {most:,}.</source>
        <translation>{path}：{place} 有 {length:,} 个字符；允许 {least:,} 到 {most:,} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}; it must be one of {choices}.</source>
        <translation>{path}：{place} 是 {value!r}；它必须是以下之一：{choices}。</translation>
    </message>
    <message>
        <source>{path}: {place} does not fit prepend_scheme, which says otherwise.</source>
        <translation>{path}：{place} 与 prepend_scheme 不一致。</translation>
    </message>
    <message>
        <source>{path}: {place} has a str_rep that is not its replacement.</source>
        <translation>{path}：{place} 的 str_rep 与其 replacement 不同。</translation>
    </message>
    <message>
        <source>{path}: {place} has more than one TemplateProcessing, which cannot be had.</source>
        <translation>{path}：{place} 含有不止一个 TemplateProcessing，不支持这样做。</translation>
    </message>
    <message>
        <source>{path}: {place}: the template for a single text must have it once.</source>
        <translation>{path}：{place}：单个文本的模板必须恰好含有该文本一次。</translation>
    </message>
    <message>
        <source>{path}: {place}: the template for a single text does not have the text.</source>
        <translation>{path}：{place}：单个文本的模板中没有文本。</translation>
    </message>
    <message>
        <source>{path}: {place} is of the type {kind}, which cannot be had here; there is {kinds}.</source>
        <translation>{path}：{place} 的类型是 {kind}，这里不支持；支持的有 {kinds}。</translation>
    </message>
    <message>
        <source>{path}: {place} has more than {most} steps.</source>
        <translation>{path}：{place} 的步骤超过 {most} 个。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold a step of the kind {kind}.</source>
        <translation>tokenizer.json 无法保存 {kind} 这种步骤。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}; of the models of tokenizers, only BPE can be opened.</source>
        <translation>{path}：{place} 是 {value!r}；tokenizers 的模型中只能打开 BPE。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}, which leaves ids to chance; it must be null.</source>
        <translation>{path}：{place} 是 {value!r}，这会使 id 随机；它必须为 null。</translation>
    </message>
    <message>
        <source>{path}: {place} is longer than {most:,} characters.</source>
        <translation>{path}：{place} 超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: in {place}, the token with the id {id} is empty.</source>
        <translation>{path}：{place} 中 id 为 {id} 的词元是空的。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} has the id {id}, as {other!r} has already.</source>
        <translation>{path}：{place} 中 {token!r} 的 id 是 {id}，而 {other!r} 已经用了这个 id。</translation>
    </message>
    <message>
        <source>{path}: {place}[{rank}] needs the token {token!r}, which is not in model.vocab.</source>
        <translation>{path}：{place}[{rank}] 需要词元 {token!r}，而它不在 model.vocab 中。</translation>
    </message>
    <message>
        <source>{path}: {place}[{rank}] must be a pair of tokens, as the others are.</source>
        <translation>{path}：{place}[{rank}] 必须像其他项一样是一对词元。</translation>
    </message>
    <message>
        <source>{path}: {place}[{rank}] must be two tokens with a space between.</source>
        <translation>{path}：{place}[{rank}] 必须是以空格分隔的两个词元。</translation>
    </message>
    <message>
        <source>{path}: {place}.content must have from 1 to {most:,} characters.</source>
        <translation>{path}：{place}.content 必须有 1 到 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: {place}: {token!r} is there twice.</source>
        <translation>{path}：{place}：{token!r} 出现了两次。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} has the id {id}, but `tokenizers` would give it the id {number}.</source>
        <translation>{path}：{place} 中 {token!r} 的 id 是 {id}，但 `tokenizers` 会给它 id {number}。</translation>
    </message>
    <message>
        <source>{path}: the tokens have more than {most:,} bytes together.</source>
        <translation>{path}：所有词元合计超过 {most:,} 字节。</translation>
    </message>
    <message>
        <source>By {item!r}, a regular expression of tiktoken means something else; leave it out.</source>
        <translation>tiktoken 的正则表达式中 {item!r} 的含义不同；请去掉它。</translation>
    </message>
    <message>
        <source>A set [ ] inside a set cannot be read in a regular expression of tiktoken.</source>
        <translation>无法读取 tiktoken 正则表达式中套在字符集 [ ] 里的字符集。</translation>
    </message>
    <message>
        <source>{path}: the pieces have more than {most:,} characters together.</source>
        <translation>{path}：所有单元合计超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: the piece {piece!r} has the character {character!r}, which is not a piece itself.</source>
        <translation>{path}：单元 {piece!r} 含有字符 {character!r}，而该字符本身不是单元。</translation>
    </message>
    <message>
        <source>{path} is a model of SentencePiece of the type {kind}; only those of the type bpe merge.</source>
        <translation>{path} 是 {kind} 类型的 SentencePiece 模型；只有 bpe 类型才有合并。</translation>
    </message>
    <message>
        <source>{path}: to open models of SentencePiece, install what reads them: pip install &quot;bpe-gui[sentencepiece]&quot;. ({reason})</source>
        <translation>{path}：要打开 SentencePiece 模型，请先安装读取它们的包：pip install &quot;bpe-gui[sentencepiece]&quot;。（{reason}）</translation>
    </message>
    <message>
        <source>{path} is not a model of SentencePiece.</source>
        <translation>{path} 不是 SentencePiece 模型。</translation>
    </message>
    <message>
        <source>{path} has more than {most:,} pieces.</source>
        <translation>{path} 含有超过 {most:,} 个子词单元。</translation>
    </message>
    <message>
        <source>{path}: piece {number}, {piece!r}, is marked as not used, which is not supported.</source>
        <translation>{path}：第 {number} 个单元 {piece!r} 被标为不使用，这不受支持。</translation>
    </message>
    <message>
        <source>{path}: piece {number} is not UTF-8.</source>
        <translation>{path}：第 {number} 个单元不是 UTF-8。</translation>
    </message>
    <message>
        <source>{path}: piece {number} must have 1 to {most:,} characters, none of them zero.</source>
        <translation>{path}：第 {number} 个单元必须有 1 到 {most:,} 个字符，且不含零字符。</translation>
    </message>
    <message>
        <source>{path}: piece {number}, {piece!r}, is there already, as piece {other}.</source>
        <translation>{path}：第 {number} 个单元 {piece!r} 已经存在，即第 {other} 个单元。</translation>
    </message>
    <message>
        <source>{path}: piece {number}, {piece!r}, has no score.</source>
        <translation>{path}：第 {number} 个单元 {piece!r} 没有分数。</translation>
    </message>
    <message>
        <source>{path} has {count} pieces for what is unknown; there must be one.</source>
        <translation>{path} 有 {count} 个未知单元；必须恰好有一个。</translation>
    </message>
    <message>
        <source>{path} has {count} pieces for bytes; there must be one for each of 256, or none.</source>
        <translation>{path} 有 {count} 个字节单元；必须为 256 个字节各有一个，或者一个也没有。</translation>
    </message>
    <message>
        <source>{path}: there are {names:,} special tokens, but only {count:,} places for them.</source>
        <translation>{path}：有 {names:,} 个特殊词元，却只有 {count:,} 个位置。</translation>
    </message>
    <message>
        <source>{path}: two special tokens are the same.</source>
        <translation>{path}：有两个特殊词元相同。</translation>
    </message>
    <message>
        <source>{path}: a file of version {value!r} needs special_tokens; they are not there.</source>
        <translation>{path}：版本为 {value!r} 的文件需要 special_tokens，但其中没有。</translation>
    </message>
    <message>
        <source>{path}: the special tokens have more than {most:,} characters.</source>
        <translation>{path}：特殊词元超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: {place} has {length:,} tokens; its sizes ask for {count:,}.</source>
        <translation>{path}：{place} 有 {length:,} 个词元；按其大小设置需要 {count:,} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} is {token!r}; the first tokens are the bytes in their order.</source>
        <translation>{path}：{place} 是 {token!r}；最前面的词元应是按顺序排列的各个字节。</translation>
    </message>
    <message>
        <source>{path}: {place} is {token!r}, which has the rank {other} already.</source>
        <translation>{path}：{place} 是 {token!r}，它的秩已经是 {other}。</translation>
    </message>
    <message>
        <source>{path}: {place}, {value!r}, is not a token of up to {most:,} bytes in base64.</source>
        <translation>{path}：{place} 的 {value!r} 不是以 base64 编码、不超过 {most:,} 字节的词元。</translation>
    </message>
    <message>
        <source>{path} holds no JSON object.</source>
        <translation>{path} 中不是 JSON 对象。</translation>
    </message>
    <message>
        <source>{path}: the token {token!r} is not among the added tokens of {file}, where transformers would add it. Save the tokenizer with transformers, which writes it there.</source>
        <translation>{path}：词元 {token!r} 不在 {file} 的附加词元中，transformers 会把它加进去。请用 transformers 保存一次分词器，它会写入该词元。</translation>
    </message>
    <message>
        <source>{path}: for the token {token!r}, {flag} is not as {file} has it.</source>
        <translation>{path}：词元 {token!r} 的 {flag} 与 {file} 中的不一致。</translation>
    </message>
    <message>
        <source>{path} holds more than {most:,} values; no file of this kind does.</source>
        <translation>{path} 含有超过 {most:,} 个值；这类文件不会有这么多。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a JSON object, not {value!r}.</source>
        <translation>{path}：{place} 必须是 JSON 对象，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a list, not {value!r}.</source>
        <translation>{path}：{place} 必须是列表，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} has {length:,} values; there may be up to {most:,}.</source>
        <translation>{path}：{place} 有 {length:,} 个值；最多可有 {most:,} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a text, not {value!r}.</source>
        <translation>{path}：{place} 必须是文本，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be true or false, not {value!r}.</source>
        <translation>{path}：{place} 必须是 true 或 false，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a whole number from {low} to {high}, not {value!r}.</source>
        <translation>{path}：{place} 必须是 {low} 到 {high} 之间的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place}: {reason}</source>
        <translation>{path}：{place}：{reason}</translation>
    </message>
    <message>
        <source>Normalizing makes the text more than {most} times as long.</source>
        <translation>规范化使文本变长到 {most} 倍以上。</translation>
    </message>
    <message>
        <source>The regular expression has {part!r} at position {position}, of which is not known here what it means to Oniguruma.</source>
        <translation>正则表达式在位置 {position} 处有 {part!r}，这里不知道 Oniguruma 会如何理解它。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression can match without any character; `tokenizers` would then cut words elsewhere.</source>
        <translation>切分用的正则表达式可以匹配空串；`tokenizers` 会因此在别处切分。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression has {part!r} at position {position}, where `tokenizers` may read something else than `regex` does. Write it in another way, or train with a named splitter.</source>
        <translation>切分用的正则表达式在位置 {position} 处有 {part!r}，`tokenizers` 对它的理解可能与 `regex` 不同。请换一种写法，或使用有名称的切分方式训练。</translation>
    </message>
    <message>
        <source>tokenizer.json puts an attached end-of-word marker after every word, the splitter zh-en only after words of letters. Train with another boundary or splitter.</source>
        <translation>tokenizer.json 会在每个词后附上词尾标记，而切分方式 zh-en 只在字母组成的词后附上。请换一种边界或切分方式训练。</translation>
    </message>
    <message>
        <source>In tokenizer.json, bytes cannot have end-of-word markers of their own. Train with characters, or with the boundary none or suffix-attached.</source>
        <translation>在 tokenizer.json 中，字节不能有独立的词尾标记。请用字符训练，或把边界设为 none 或 suffix-attached。</translation>
    </message>
    <message>
        <source>In tokenizer.json, end-of-word markers of their own are spelled as spaces, so words must have none. Train with the splitter {splitters}, or with the boundary none or suffix-attached.</source>
        <translation>在 tokenizer.json 中，独立的词尾标记写作空格，因此词内不能有空格。请用切分方式 {splitters} 训练，或把边界设为 none 或 suffix-attached。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold two tokens written {token!r} (ids {first} and {second}).</source>
        <translation>tokenizer.json 无法保存两个都写作 {token!r} 的词元（编号 {first} 和 {second}）。</translation>
    </message>
    <message>
        <source>The merge {left!r} {right!r}, of rank {rank}, needs the token {token!r}, which the vocabulary does not have; tokenizer.json cannot hold that. Train with a vocabulary that grows.</source>
        <translation>第 {rank} 级合并 {left!r} {right!r} 需要词元 {token!r}，但词表中没有；tokenizer.json 无法保存这种情况。请用只增不减的词表（grow）训练。</translation>
    </message>
    <message>
        <source>The merge {left!r} {right!r}, of rank {rank}, would be another in tokenizer.json: it is there twice, joins the token for unknown symbols, or makes an end-of-word marker out of text.</source>
        <translation>第 {rank} 级合并 {left!r} {right!r} 在 tokenizer.json 中会变成另一个合并：它出现了两次，或用到了未知符号的词元，或由正文拼出了词尾标记。</translation>
    </message>
    <message>
        <source>The project would take {size:,} bytes; up to {most:,} can be opened again. Save large texts as files, and open these.</source>
        <translation>这个项目将占 {size:,} 字节；最多 {most:,} 字节才能再次打开。请把大的文本存为文件，再打开这些文件。</translation>
    </message>
    <message>
        <source>{path} is not a file that can be read.</source>
        <translation>{path} 不是可以读取的文件。</translation>
    </message>
    <message>
        <source>{path} is not a project of bpe-gui.</source>
        <translation>{path} 不是 bpe-gui 项目。</translation>
    </message>
    <message>
        <source>{path} was saved by a newer bpe-gui (version {version} of the format); this one is older.</source>
        <translation>{path} 是由更新的 bpe-gui 保存的（格式版本 {version}）；当前的程序较旧。</translation>
    </message>
    <message>
        <source>{path}: {place} must be 64 hexadecimal digits, not {value!r}.</source>
        <translation>{path}：{place} 必须是 64 位十六进制数字，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be an id that is there once, and a token, not {value!r}.</source>
        <translation>{path}：{place} 必须是一个不重复的 ID 和一个词元，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be two tokens with a space between, not {value!r}.</source>
        <translation>{path}：{place} 必须是以一个空格隔开的两个词元，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place}: the token {token!r} is not in the vocabulary.</source>
        <translation>{path}：{place}：词元 {token!r} 不在词表中。</translation>
    </message>
    <message>
        <source>{path}: {place} holds {character!r}, which stands for no byte.</source>
        <translation>{path}：{place} 含有 {character!r}，它不代表任何字节。</translation>
    </message>
    <message>
        <source>{path}: {place} must have one count for each of the {merges:,} merges.</source>
        <translation>{path}：{place} 必须为 {merges:,} 个合并各有一个次数。</translation>
    </message>
    <message>
        <source>None of the strings can be encoded on both sides.</source>
        <translation>没有一个字符串能在两边都编码。</translation>
    </message>
    <message>
        <source>It is not installed here; `pip install {package}` would let it be asked.</source>
        <translation>此处没有安装；运行 `pip install {package}` 之后就可以让它比对。</translation>
    </message>
    <message>
        <source>It cannot be used here: {reason}.</source>
        <translation>此处无法使用：{reason}。</translation>
    </message>
    <message>
        <source>It refuses this: {reason}</source>
        <translation>它拒绝接受：{reason}</translation>
    </message>
    <message>
        <source>The package takes such files for bytes split as GPT-2 splits; this tokenizer is of another kind.</source>
        <translation>该软件包把这类文件当作按 GPT-2 方式切分的字节；此分词器不属于这一类。</translation>
    </message>
    <message>
        <source>Line {line} has the token {token!r} and the id {id}; one of them is there already.</source>
        <translation>第 {line} 行的词元 {token!r} 和编号 {id} 中有一个已经存在。</translation>
    </message>
    <message>
        <source>{path} cannot be written.</source>
        <translation>无法写入 {path}。</translation>
    </message>
    <message>
        <source>{path}: {file} is not a file: it may never end. Put a text file in its place.</source>
        <translation>{path}：{file} 不是文件，可能永远读不完。请在该处放一个文本文件。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold the table of characters ({name}) that this SentencePiece model changes text by: `tokenizers` would look other characters up in it. It can hold models that were trained with the rule identity.</source>
        <translation>tokenizer.json 无法容纳此 SentencePiece 模型用来改写文本的字符表（{name}）：`tokenizers` 会在其中查找不同的字符。它可以容纳以规则 identity 训练的模型。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold a SentencePiece model that puts white space after words (treat_whitespace_as_suffix).</source>
        <translation>tokenizer.json 无法保存把空白放在词后的 SentencePiece 模型（treat_whitespace_as_suffix）。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold pieces that share a score, as {piece!r} and {other!r} do in this SentencePiece model: which of them is merged first depends on the text.</source>
        <translation>tokenizer.json 无法保存分数相同的片段，而此 SentencePiece 模型中的 {piece!r} 和 {other!r} 正是如此：哪一个先合并取决于文本。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold the control symbol {token!r} of this SentencePiece model: being one character, it would be found in texts.</source>
        <translation>tokenizer.json 无法保存此 SentencePiece 模型的控制符号 {token!r}：它只有一个字符，会在文本中被识别出来。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold the user-defined symbol {symbol!r} of this SentencePiece model, which puts a space in front of texts (add_dummy_prefix), also of one that is a symbol.</source>
        <translation>tokenizer.json 无法保存此 SentencePiece 模型的用户自定义符号 {symbol!r}：该模型会在文本前加一个空格（add_dummy_prefix），即使文本本身就是一个符号。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold the user-defined symbol {symbol!r} of this SentencePiece model: its spaces would be removed as extra ones are (remove_extra_whitespaces).</source>
        <translation>tokenizer.json 无法保存此 SentencePiece 模型的用户自定义符号 {symbol!r}：其中的空格会像多余空格一样被删除（remove_extra_whitespaces）。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot hold the table of characters ({name}) that this SentencePiece model changes decoded text by.</source>
        <translation>tokenizer.json 无法保存此 SentencePiece 模型用来改写解码文本的字符表（{name}）。</translation>
    </message>
    <message>
        <source>This format cannot say how this tokenizer changes, splits or merges text.</source>
        <translation>这种格式无法表示此分词器如何改变、切分或合并文本。</translation>
    </message>
    <message>
        <source>A tokenizer can have {most:,} tokens and as many merges; this one has more.</source>
        <translation>一个分词器最多可以有 {most:,} 个词元和同样多的合并；此分词器超出了。</translation>
    </message>
</context>
<context>
    <name>ErrorReporter</name>
    <message>
        <source>Something went wrong that should not have. What you typed is still there.</source>
        <translation>出现了意外错误。您输入的内容仍在。</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Hugging Face tokenizer.json</source>
        <translation>Hugging Face tokenizer.json</translation>
    </message>
    <message>
        <source>Transformers folder</source>
        <translation>Transformers 文件夹</translation>
    </message>
    <message>
        <source>GPT-2 vocab.json + merges.txt</source>
        <translation>GPT-2 vocab.json + merges.txt</translation>
    </message>
    <message>
        <source>tiktoken ranks</source>
        <translation>tiktoken 秩文件</translation>
    </message>
    <message>
        <source>minbpe model</source>
        <translation>minbpe 模型</translation>
    </message>
    <message>
        <source>subword-nmt codes</source>
        <translation>subword-nmt 编码文件</translation>
    </message>
    <message>
        <source>Tables, separated by commas</source>
        <translation>表格（逗号分隔）</translation>
    </message>
    <message>
        <source>Tables, separated by tabs</source>
        <translation>表格（制表符分隔）</translation>
    </message>
    <message>
        <source>One file for the tokenizers package, which says all that encoding needs</source>
        <translation>供 tokenizers 软件包使用的单个文件，含编码所需的一切</translation>
    </message>
    <message>
        <source>For AutoTokenizer.from_pretrained of the transformers package</source>
        <translation>供 transformers 软件包的 AutoTokenizer.from_pretrained 使用</translation>
    </message>
    <message>
        <source>For older code, and to be opened here again: training.json keeps recipe and counts</source>
        <translation>供较早的代码使用，也可在此重新打开：training.json 保存配方和次数</translation>
    </message>
    <message>
        <source>For tiktoken.Encoding; the pattern and the special tokens are given in code</source>
        <translation>供 tiktoken.Encoding 使用；正则表达式和特殊词元在代码中给出</translation>
    </message>
    <message>
        <source>For RegexTokenizer.load of karpathy/minbpe</source>
        <translation>供 karpathy/minbpe 的 RegexTokenizer.load 使用</translation>
    </message>
    <message>
        <source>For apply_bpe of rsennrich/subword-nmt; ids are left out</source>
        <translation>供 rsennrich/subword-nmt 的 apply_bpe 使用；不含 ID</translation>
    </message>
    <message>
        <source>Merges and vocabulary for a spreadsheet; no tokenizer is read from them</source>
        <translation>合并和词表，供电子表格使用；不能从中读回分词器</translation>
    </message>
    <message>
        <source>Merges and vocabulary for a spreadsheet or a script</source>
        <translation>合并和词表，供电子表格或脚本使用</translation>
    </message>
    <message>
        <source>bpe-gui itself</source>
        <translation>bpe-gui 自身</translation>
    </message>
    <message>
        <source>{reader} gives other ids.</source>
        <translation>{reader} 给出了不同的 ID。</translation>
    </message>
    <message>
        <source>{reader} gives other tokens.</source>
        <translation>{reader} 给出了不同的词元。</translation>
    </message>
    <message>
        <source>Same ids on {strings} strings with {reader}.</source>
        <translation>{strings} 个字符串的 ID 与 {reader} 相同。</translation>
    </message>
    <message>
        <source>Same tokens on {strings} strings with {reader}.</source>
        <translation>{strings} 个字符串的词元与 {reader} 相同。</translation>
    </message>
    <message>
        <source>{left_out} more hold symbols without an id.</source>
        <translation>另有 {left_out} 个含有没有 ID 的符号。</translation>
    </message>
    <message>
        <source>Text: {text}</source>
        <translation>文本：{text}</translation>
    </message>
    <message>
        <source>Ours: {tokens}</source>
        <translation>我们：{tokens}</translation>
    </message>
    <message>
        <source>Theirs: {tokens}</source>
        <translation>对方：{tokens}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export tokenizer</source>
        <translation>导出分词器</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>将写入</translation>
    </message>
    <message>
        <source>The tokenizer as of step {step}: {entries} entries, {merges} merges</source>
        <translation>截至第 {step} 步的分词器：{entries} 个条目，{merges} 条合并</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>Folder to write to</source>
        <translation>目标文件夹</translation>
    </message>
    <message>
        <source>Asking {reader} for ids…</source>
        <translation>正在向 {reader} 询问 ID…</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Copy Python code</source>
        <translation>复制 Python 代码</translation>
    </message>
    <message>
        <source>Code that reads this file, with the pattern and the special tokens</source>
        <translation>读取此文件的代码，含正则表达式和特殊词元</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>{file} is in this folder already and will be replaced.</source>
        <translation>文件夹中已有 {file}，将被替换。</translation>
    </message>
    <message>
        <source>{files} are in this folder already and will be replaced.</source>
        <translation>文件夹中已有 {files}，将被替换。</translation>
    </message>
    <message>
        <source>{name} is the home folder of nobody here. Write the whole path.</source>
        <translation>{name} 不是本机任何用户的主目录。请写出完整路径。</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>Written:</source>
        <translation>已写入：</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>File to write</source>
        <translation>目标文件</translation>
    </message>
    <message>
        <source>{path} ({size})</source>
        <translation>{path}（{size}）</translation>
    </message>
</context>
<context>
    <name>FileOpener</name>
    <message>
        <source>Open text files as the corpus</source>
        <translation>打开文本文件作为语料</translation>
    </message>
    <message>
        <source>Add text files to the corpus</source>
        <translation>把文本文件添加到语料</translation>
    </message>
    <message>
        <source>Opened {files} in place of the corpus. The run starts over, with the recipe {recipe} and a vocabulary of {size}.</source>
        <translation>已打开 {files}，替换了原来的语料。训练重新开始：配方 {recipe}，词表大小 {size}。</translation>
    </message>
    <message>
        <source>Added {files} to the corpus.</source>
        <translation>已把 {files} 添加到语料。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <source>{name} is too large to be shown with its tokens; up to {limit} can be.</source>
        <translation>{name} 太大，无法连同词元一起显示；最多可显示 {limit}。</translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation>正在读取 {name}…</translation>
    </message>
    <message>
        <source>The text to encode was replaced by {name}.</source>
        <translation>要编码的文本已替换为 {name}。</translation>
    </message>
    <message>
        <source>{path} is not a file: it may never end. Open a text file.</source>
        <translation>{path} 不是文件：它可能永远读不完。请打开文本文件。</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>排除此文件</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>排除这些文件</translation>
    </message>
    <message>
        <source>Replace invalid bytes</source>
        <translation>替换无效字节</translation>
    </message>
    <message>
        <source>Choose encoding…</source>
        <translation>选择字符编码…</translation>
    </message>
    <message>
        <source>{complaint} Another file cannot be read either.</source>
        <translation>{complaint}另有一个文件也无法读取。</translation>
    </message>
    <message>
        <source>{complaint} {count} more files cannot be read either.</source>
        <translation>{complaint}另有 {count} 个文件也无法读取。</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>字符编码</translation>
    </message>
    <message>
        <source>{name} is text in</source>
        <translation>{name} 的字符编码：</translation>
    </message>
</context>
<context>
    <name>FilterField</name>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
</context>
<context>
    <name>LineMetricsModel</name>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Bytes/token</source>
        <translation>字节/词元</translation>
    </message>
    <message>
        <source>The number of the line</source>
        <translation>行号</translation>
    </message>
    <message>
        <source>What is in the line; sorts by its length in bytes</source>
        <translation>该行的内容；按字节长度排序</translation>
    </message>
    <message>
        <source>How many tokens begin in the line</source>
        <translation>有多少个词元从该行开始</translation>
    </message>
    <message>
        <source>How many bytes of the line a token covers on average, the line break included</source>
        <translation>平均每个词元覆盖该行多少字节，含换行符</translation>
    </message>
</context>
<context>
    <name>LineageModel</name>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>not made of parts</source>
        <translation>不由其他部分组成</translation>
    </message>
    <message>
        <source>at step {step} from {left} + {right}</source>
        <translation>在第 {step} 步由 {left} + {right} 得到</translation>
    </message>
    <message>
        <source>at step {step} from {left} + {right}, ×{count}</source>
        <translation>在第 {step} 步由 {left} + {right} 得到，×{count}</translation>
    </message>
</context>
<context>
    <name>LineageView</name>
    <message>
        <source>No word of the corpus holds it.</source>
        <translation>语料中没有含有它的词。</translation>
    </message>
    <message>
        <source>Only a run knows the words of its corpus.</source>
        <translation>只有训练过程才知道其语料中的词。</translation>
    </message>
    <message>
        <source>How the token was made</source>
        <translation>词元的由来</translation>
    </message>
    <message>
        <source>Point at a token to see how it was made.</source>
        <translation>指向一个词元，即可查看它的由来。</translation>
    </message>
    <message>
        <source>Words that made the token frequent</source>
        <translation>使该词元频繁出现的词</translation>
    </message>
    <message>
        <source>Words that made it frequent</source>
        <translation>使它频繁出现的词</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>The corpus was replaced by the sample.</source>
        <translation>语料已被示例替换。</translation>
    </message>
    <message>
        <source>There is nothing to export yet: write or open a corpus and train on it.</source>
        <translation>还没有可导出的内容：请先输入或打开语料并训练。</translation>
    </message>
    <message>
        <source>The diagnostics were copied. They name the files that were opened, but hold nothing of their text.</source>
        <translation>诊断信息已复制。其中有打开过的文件的名称，但没有文件中的任何文字。</translation>
    </message>
    <message>
        <source>From one part of the window to the next</source>
        <translation>从窗口的一处到下一处</translation>
    </message>
    <message>
        <source>To the next page about the token</source>
        <translation>到词元的下一页</translation>
    </message>
    <message>
        <source>Among ids, in Replay and Lineage: to the next one</source>
        <translation>在 ID、重放和由来中：到下一个</translation>
    </message>
    <message>
        <source>Among ids: select</source>
        <translation>在 ID 中：选择</translation>
    </message>
    <message>
        <source>Among ids and in Lineage: mark all equal tokens</source>
        <translation>在 ID 和由来中：标出所有相同的词元</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>A workbench to watch byte-pair encoding being trained, and to export the tokenizer.</source>
        <translation>观察字节对编码（BPE）训练过程并导出分词器的工作台。</translation>
    </message>
    <message>
        <source>About bpe-gui</source>
        <translation>关于 bpe-gui</translation>
    </message>
    <message>
        <source>Nothing was inserted: a line of {count} characters is too long to be edited here. Break it into shorter lines; or to train on it, save it as a file and open that.</source>
        <translation>未插入任何内容：一行有 {count} 个字符，太长，无法在此编辑。请把它分成较短的行；若要用它训练，请存为文件再打开。</translation>
    </message>
    <message>
        <source>{title} was removed.</source>
        <translation>已移除 {title}。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
</context>
<context>
    <name>MemoryLabel</name>
    <message>
        <source>This program uses {used} of memory now; {free} more can be had on this machine.</source>
        <translation>本程序当前占用 {used} 内存；这台机器上还可使用 {free}。</translation>
    </message>
    <message>
        <source>Memory {size}</source>
        <translation>内存 {size}</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近打开的项目(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Training</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Corpus</source>
        <translation>语料(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Vocabulary</source>
        <translation>词表(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Merges</source>
        <translation>合并(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Encode</source>
        <translation>编码(&amp;E)</translation>
    </message>
    <message>
        <source>T&amp;imeline</source>
        <translation>时间线(&amp;I)</translation>
    </message>
    <message>
        <source>{name} in {folder}</source>
        <translation>{name}（{folder}）</translation>
    </message>
    <message>
        <source>&amp;Clear the list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>Open &amp;sample</source>
        <translation>打开示例(&amp;S)</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
</context>
<context>
    <name>MergeModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Tie</source>
        <translation>并列</translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation>ID {id}</translation>
    </message>
    <message>
        <source>1 other pair occurred as often</source>
        <translation>另有 1 个符号对次数相同</translation>
    </message>
    <message>
        <source>{ties} other pairs occurred as often</source>
        <translation>另有 {ties} 个符号对次数相同</translation>
    </message>
</context>
<context>
    <name>MergesPanel</name>
    <message>
        <source>Pairs</source>
        <translation>符号对</translation>
    </message>
    <message>
        <source>Words as split now</source>
        <translation>词的当前切分</translation>
    </message>
    <message>
        <source>Merges so far</source>
        <translation>已有的合并</translation>
    </message>
    <message>
        <source>No merges yet. Step forward to make the first.</source>
        <translation>还没有合并。前进一步，完成第一次合并。</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Filter pairs</source>
        <translation>筛选符号对</translation>
    </message>
    <message>
        <source>Show only the pairs that have this text in a token (Ctrl+F)</source>
        <translation>只显示词元中含有此文本的符号对 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Filter merges</source>
        <translation>筛选合并</translation>
    </message>
    <message>
        <source>Show only the merges that have this text in a token (Ctrl+F)</source>
        <translation>只显示词元中含有此文本的合并 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Show all words</source>
        <translation>显示全部词</translation>
    </message>
    <message>
        <source>Show all words again (Esc in the pair table)</source>
        <translation>重新显示全部词（在符号对表中按 Esc）</translation>
    </message>
    <message>
        <source>Merges done, of those that are known</source>
        <translation>已完成的合并 / 已知的合并</translation>
    </message>
    <message>
        <source>The corpus or the recipe has changed: this run was made from the earlier one.</source>
        <translation>语料或配方已更改：本次训练仍基于更改前的内容。</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>重新开始</translation>
    </message>
    <message>
        <source>Start over with the present corpus and recipe</source>
        <translation>用当前的语料和配方重新开始</translation>
    </message>
    <message>
        <source>Drop this run and begin again from the present corpus and recipe</source>
        <translation>放弃本次训练，用当前的语料和配方重新开始</translation>
    </message>
    <message>
        <source>Merges</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>No pair has this text in a token.</source>
        <translation>没有词元含有此文本的符号对。</translation>
    </message>
    <message>
        <source>Words, as split now · {words}</source>
        <translation>词的当前切分 · {words}</translation>
    </message>
    <message>
        <source>Words that hold {left} + {right} · {words}</source>
        <translation>含 {left} + {right} 的词 · {words}</translation>
    </message>
    <message>
        <source>No merge has this text in a token.</source>
        <translation>没有词元含有此文本的合并。</translation>
    </message>
    <message>
        <source>{matches} of {merges} merges match</source>
        <translation>{merges} 次合并中有 {matches} 次匹配</translation>
    </message>
    <message>
        <source>{done} of {known}</source>
        <translation>{done} / {known}</translation>
    </message>
</context>
<context>
    <name>MetricsTable</name>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>final {step}</source>
        <translation>最终 {step}</translation>
    </message>
    <message>
        <source>vs. final</source>
        <translation>与最终相比</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>How many tokens the text becomes</source>
        <translation>文本被切分成多少个词元</translation>
    </message>
    <message>
        <source>bytes per token</source>
        <translation>每词元字节数</translation>
    </message>
    <message>
        <source>Compression: how many bytes of the text, in UTF-8, a token covers on average</source>
        <translation>压缩率：平均每个词元覆盖文本的多少个 UTF-8 字节</translation>
    </message>
    <message>
        <source>characters per token</source>
        <translation>每词元字符数</translation>
    </message>
    <message>
        <source>How many characters (Unicode code points) of the text a token covers on average</source>
        <translation>平均每个词元覆盖文本的多少个字符（Unicode 码点）</translation>
    </message>
    <message>
        <source>tokens per word</source>
        <translation>每词词元数</translation>
    </message>
    <message>
        <source>Fertility: how many tokens a word takes on average. Words are what white space separates; in Chinese or Japanese that may be a whole clause</source>
        <translation>繁殖率（fertility）：平均每个词需要多少个词元。词以空白分隔；在中文或日文里可能是整个分句</translation>
    </message>
    <message>
        <source>single-byte tokens</source>
        <translation>单字节词元</translation>
    </message>
    <message>
        <source>The share of tokens that cover exactly one byte: a letter, a sign or a part of a character</source>
        <translation>恰好覆盖一个字节的词元所占比例：一个字母、一个符号或字符的一部分</translation>
    </message>
    <message>
        <source>After the merges up to the step shown</source>
        <translation>执行到所示步骤的合并之后</translation>
    </message>
    <message>
        <source>After all merges of the run</source>
        <translation>执行本次训练的全部合并之后</translation>
    </message>
    <message>
        <source>How the step shown differs from the final one: in percent of it, or in percentage points (pp)</source>
        <translation>所示步骤与最终步骤之差：以最终值的百分比表示，或以百分点（pp）表示</translation>
    </message>
    <message>
        <source>{figure} %</source>
        <translation>{figure}%</translation>
    </message>
    <message>
        <source>{figure} pp</source>
        <translation>{figure} pp</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} 秒</translation>
    </message>
    <message>
        <source>{minutes} min {seconds} s</source>
        <translation>{minutes} 分 {seconds} 秒</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min</source>
        <translation>{hours} 小时 {minutes} 分</translation>
    </message>
</context>
<context>
    <name>NumbersView</name>
    <message>
        <source>Numbers of every line</source>
        <translation>各行的数据</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>文本为空。</translation>
    </message>
</context>
<context>
    <name>OpenPatternDialog</name>
    <message>
        <source>Open folder or pattern</source>
        <translation>打开文件夹或匹配模式</translation>
    </message>
    <message>
        <source>Folder to search in</source>
        <translation>要搜索的文件夹</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Patterns of file names</source>
        <translation>文件名模式</translation>
    </message>
    <message>
        <source>The first files found</source>
        <translation>最先找到的文件</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>* is any part of a name, ? one character, ** folders at any depth.</source>
        <translation>* 代表名称的任意部分，? 代表一个字符，** 代表任意层级的文件夹。</translation>
    </message>
    <message>
        <source>Put ; between several patterns. Hidden files are left out.</source>
        <translation>多个模式之间用 ; 分隔。隐藏文件不计入。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a folder to search in.</source>
        <translation>请选择要搜索的文件夹。</translation>
    </message>
    <message>
        <source>Write a pattern, such as {example}.</source>
        <translation>请输入模式，例如 {example}。</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Searching… {found} so far</source>
        <translation>正在搜索… 目前 {found}</translation>
    </message>
    <message>
        <source>{folder} is not a folder that can be read.</source>
        <translation>{folder} 不是可以读取的文件夹。</translation>
    </message>
    <message>
        <source>No file matches.</source>
        <translation>没有匹配的文件。</translation>
    </message>
    <message>
        <source>1 file, {size}</source>
        <translation>1 个文件，{size}</translation>
    </message>
    <message>
        <source>{count} files, {size}</source>
        <translation>{count} 个文件，{size}</translation>
    </message>
    <message>
        <source>there are more, but no more are opened at once</source>
        <translation>还有更多文件，但一次最多打开这些</translation>
    </message>
    <message>
        <source>1 folder cannot be read: {folder}</source>
        <translation>1 个文件夹无法读取：{folder}</translation>
    </message>
    <message>
        <source>{count} folders cannot be read</source>
        <translation>{count} 个文件夹无法读取</translation>
    </message>
</context>
<context>
    <name>OpenQuestion</name>
    <message>
        <source>Open {files} in place of the corpus, or add to it?</source>
        <translation>用 {files} 替换当前语料，还是添加到语料中？</translation>
    </message>
    <message>
        <source>Replacing the corpus drops its run.</source>
        <translation>替换语料会放弃本次训练。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
</context>
<context>
    <name>OpenedBar</name>
    <message>
        <source>opened tokenizer ({format})</source>
        <translation>打开的分词器（{format}）</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 个条目</translation>
    </message>
    <message>
        <source>{count} entries</source>
        <translation>{count} 个条目</translation>
    </message>
    <message>
        <source>1 merge</source>
        <translation>1 次合并</translation>
    </message>
    <message>
        <source>{count} merges</source>
        <translation>{count} 次合并</translation>
    </message>
    <message>
        <source>Pattern and special tokens…</source>
        <translation>模式和特殊词元…</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>1 special token</source>
        <translation>1 个特殊词元</translation>
    </message>
    <message>
        <source>{count} special tokens</source>
        <translation>{count} 个特殊词元</translation>
    </message>
    <message>
        <source>1 token that no merge makes</source>
        <translation>1 个词元不由任何合并产生</translation>
    </message>
    <message>
        <source>{count} tokens that no merge makes</source>
        <translation>{count} 个词元不由任何合并产生</translation>
    </message>
    <message>
        <source>Back to the run</source>
        <translation>回到本次训练</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Close the opened tokenizer</source>
        <translation>关闭打开的分词器</translation>
    </message>
    <message>
        <source>Close the opened tokenizer and go on where the run was</source>
        <translation>关闭打开的分词器，回到本次训练原来的位置</translation>
    </message>
</context>
<context>
    <name>PairModel</name>
    <message>
        <source>{matches} of {pairs} pairs match</source>
        <translation>{pairs} 对中有 {matches} 对匹配</translation>
    </message>
    <message>
        <source>1 pair</source>
        <translation>1 对</translation>
    </message>
    <message>
        <source>{pairs} pairs</source>
        <translation>{pairs} 对</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Merged</source>
        <translation>合并后</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Δ</source>
        <translation>Δ</translation>
    </message>
    <message>
        <source>Tie</source>
        <translation>并列</translation>
    </message>
    <message>
        <source>The order in which the recipe prefers the pairs</source>
        <translation>按配方排出的符号对优先顺序</translation>
    </message>
    <message>
        <source>The symbol on the left</source>
        <translation>左边的符号</translation>
    </message>
    <message>
        <source>The symbol on the right</source>
        <translation>右边的符号</translation>
    </message>
    <message>
        <source>The token that merging them makes</source>
        <translation>合并后得到的词元</translation>
    </message>
    <message>
        <source>How often the pair occurs in the corpus</source>
        <translation>符号对在语料中出现的次数</translation>
    </message>
    <message>
        <source>How the last step changed the count</source>
        <translation>最近一步使次数增减了多少</translation>
    </message>
    <message>
        <source>Whether the pair occurs as often as the next one</source>
        <translation>是否与将要合并的符号对次数相同</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>occurs as often as the next pair</source>
        <translation>与将要合并的符号对次数相同</translation>
    </message>
    <message>
        <source>the pair that is merged next</source>
        <translation>将要合并的符号对</translation>
    </message>
    <message>
        <source>came into being with the last step</source>
        <translation>最近一步中新出现</translation>
    </message>
    <message>
        <source>{before} before the last step, {now} now</source>
        <translation>最近一步之前 {before}，现在 {now}</translation>
    </message>
    <message>
        <source>bytes (hex): {bytes}</source>
        <translation>字节（十六进制）：{bytes}</translation>
    </message>
    <message>
        <source>code points: {points}</source>
        <translation>码点：{points}</translation>
    </message>
    <message>
        <source>and so on: {bytes} bytes</source>
        <translation>……共 {bytes} 字节</translation>
    </message>
</context>
<context>
    <name>PictureDialog</name>
    <message>
        <source>Picture of the tokens</source>
        <translation>词元图片</translation>
    </message>
    <message>
        <source>How the picture begins</source>
        <translation>图片的开头</translation>
    </message>
    <message>
        <source>Part of the text</source>
        <translation>文本范围</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>所选内容</translation>
    </message>
    <message>
        <source>Visible part</source>
        <translation>可见部分</translation>
    </message>
    <message>
        <source>Whole text</source>
        <translation>全部文本</translation>
    </message>
    <message>
        <source>Look of the picture</source>
        <translation>图片外观</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Kind of file</source>
        <translation>文件类型</translation>
    </message>
    <message>
        <source>PNG: an image</source>
        <translation>PNG：图像</translation>
    </message>
    <message>
        <source>SVG: a drawing</source>
        <translation>SVG：矢量图</translation>
    </message>
    <message>
        <source>PDF: pages to print</source>
        <translation>PDF：可打印的页面</translation>
    </message>
    <message>
        <source>Width in pixels</source>
        <translation>宽度（像素）</translation>
    </message>
    <message>
        <source> px</source>
        <translation> 像素</translation>
    </message>
    <message>
        <source>Copy as &amp;HTML</source>
        <translation>复制为 HTML(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>复制图片(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>&amp;Part</source>
        <translation>范围(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Kind</source>
        <translation>类型(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;Look</source>
        <translation>外观(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>There is room for the beginning only: {shown} of {whole}.</source>
        <translation>只容得下开头部分：{whole} 中的 {shown}。</translation>
    </message>
    <message>
        <source>A PDF has room for more.</source>
        <translation>PDF 可以容纳更多。</translation>
    </message>
    <message>
        <source>Copied as HTML, and as text.</source>
        <translation>已复制为 HTML 和纯文本。</translation>
    </message>
    <message>
        <source>Copied as HTML, and as text: the beginning, {shown} of {whole}.</source>
        <translation>已将开头部分复制为 HTML 和纯文本：{whole} 中的 {shown}。</translation>
    </message>
    <message>
        <source>{width} × {height} points</source>
        <translation>{width} × {height} 点</translation>
    </message>
    <message>
        <source>Copied as an image: {size}.</source>
        <translation>已复制为图像：{size}。</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>Written: {path} ({size})</source>
        <translation>已写入：{path}（{size}）</translation>
    </message>
    <message>
        <source>Painting…</source>
        <translation>正在绘制…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Pictures</name>
    <message>
        <source>id {id}</source>
        <translation>id {id}</translation>
    </message>
    <message>
        <source>ids {ids}</source>
        <translation>id {ids}</translation>
    </message>
</context>
<context>
    <name>Pipeline</name>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>no splitting</source>
        <translation>不分词</translation>
    </message>
    <message>
        <source>small letters</source>
        <translation>转为小写</translation>
    </message>
    <message>
        <source>white space as {text}</source>
        <translation>空白写作 {text}</translation>
    </message>
    <message>
        <source>text replaced by a pattern</source>
        <translation>按模式替换文本</translation>
    </message>
    <message>
        <source>{text} put in front</source>
        <translation>在前面加 {text}</translation>
    </message>
    <message>
        <source>no white space at the ends</source>
        <translation>去掉首尾空白</translation>
    </message>
    <message>
        <source>characters replaced by a table</source>
        <translation>按字符表替换</translation>
    </message>
    <message>
        <source>spaces joined</source>
        <translation>合并空格</translation>
    </message>
    <message>
        <source>words and signs apart</source>
        <translation>单词与符号分开</translation>
    </message>
    <message>
        <source>words between white space</source>
        <translation>按空白分词</translation>
    </message>
    <message>
        <source>every digit apart</source>
        <translation>每个数字分开</translation>
    </message>
    <message>
        <source>numbers apart</source>
        <translation>数字分开</translation>
    </message>
    <message>
        <source>punctuation apart</source>
        <translation>标点分开</translation>
    </message>
    <message>
        <source>words by {text}</source>
        <translation>按 {text} 分词</translation>
    </message>
</context>
<context>
    <name>PreparationLabel</name>
    <message>
        <source>Preparing the fast engine: {percent}%</source>
        <translation>正在准备高速引擎：{percent}%</translation>
    </message>
    <message>
        <source>The engine is compiled for this processor, once. Everything works meanwhile; only large corpora and long texts wait for it.</source>
        <translation>正在为本机处理器编译引擎，只需一次。期间一切功能照常可用，只有大语料和长文本需要等它完成。</translation>
    </message>
    <message>
        <source>The fast engine is not available.</source>
        <translation>高速引擎不可用。</translation>
    </message>
    <message>
        <source>Everything works, but large corpora take long. {reason}</source>
        <translation>所有功能都可用，但大语料会很慢。{reason}</translation>
    </message>
</context>
<context>
    <name>ProjectController</name>
    <message>
        <source>the text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Opening {name}…</source>
        <translation>正在打开 {name}…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Your work could not be saved for safety: {reason}</source>
        <translation>无法自动保存您的工作：{reason}</translation>
    </message>
    <message>
        <source>Save project as…</source>
        <translation>项目另存为…</translation>
    </message>
</context>
<context>
    <name>ProjectDialogs</name>
    <message>
        <source>Open project</source>
        <translation>打开项目</translation>
    </message>
    <message>
        <source>Save project</source>
        <translation>保存项目</translation>
    </message>
    <message>
        <source>Projects of bpe-gui (*{suffix})</source>
        <translation>bpe-gui 项目 (*{suffix})</translation>
    </message>
    <message>
        <source>Save the changes to “{name}”?</source>
        <translation>要保存对“{name}”的更改吗？</translation>
    </message>
    <message>
        <source>Otherwise they are lost.</source>
        <translation>不保存的话，更改将会丢失。</translation>
    </message>
    <message>
        <source>The project holds {saved} merges; saving replaces them by {now}.</source>
        <translation>项目中有 {saved} 次合并；保存后将只剩 {now} 次。</translation>
    </message>
    <message>
        <source>Those that it holds are lost then.</source>
        <translation>项目中原有的合并将会丢失。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>另存为…</translation>
    </message>
    <message>
        <source>Where is {name}?</source>
        <translation>{name} 在哪里？</translation>
    </message>
</context>
<context>
    <name>ProjectRestorer</name>
    <message>
        <source>The merges were trained before the corpus or the recipe changed.</source>
        <translation>这些合并是在语料或配方更改之前训练的。</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>查找…</translation>
    </message>
    <message>
        <source>Leave out and train again</source>
        <translation>去掉缺失的文件并重新训练</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>去掉缺失的文件</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>重新训练</translation>
    </message>
    <message>
        <source>Changed since the project was saved: {files}.</source>
        <translation>项目保存之后有更改的文件：{files}。</translation>
    </message>
    <message>
        <source>Missing: {files}.</source>
        <translation>缺少的文件：{files}。</translation>
    </message>
    <message>
        <source>The project still holds the merges that were saved.</source>
        <translation>项目中仍保留着之前保存的合并。</translation>
    </message>
    <message>
        <source>The merges are shown as they were saved.</source>
        <translation>显示的是保存时的合并。</translation>
    </message>
    <message>
        <source>Train on the files as they are</source>
        <translation>用文件现在的内容训练</translation>
    </message>
    <message>
        <source>{files} and {count} more</source>
        <translation>{files} 等，另有 {count} 个</translation>
    </message>
    <message>
        <source>From merge {number} on, the merges are not those that were saved.</source>
        <translation>从第 {number} 个合并起，与保存时的合并不同。</translation>
    </message>
    <message>
        <source>Show the saved ones</source>
        <translation>显示保存时的合并</translation>
    </message>
</context>
<context>
    <name>RanksDialog</name>
    <message>
        <source>Pattern and special tokens</source>
        <translation>模式和特殊词元</translation>
    </message>
    <message>
        <source>Pattern by which text is split</source>
        <translation>切分文本的模式</translation>
    </message>
    <message>
        <source>Special tokens, one a line, each with its id</source>
        <translation>特殊词元，每行一个，后跟编号</translation>
    </message>
    <message>
        <source>{name} has the ranks only. How its tokenizer splits text and which special tokens it has is told by whoever made it.</source>
        <translation>{name} 只有词元的次序。文本如何切分、有哪些特殊词元，要看制作者的说明。</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>One of OpenAI&apos;s by its name, or a regular expression.</source>
        <translation>OpenAI 模式的名称，或一个正则表达式。</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>One a line, with its id behind a space; without one, the next free id.</source>
        <translation>每行一个，空格后写编号；不写则用下一个空闲编号。</translation>
    </message>
    <message>
        <source>Open again</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>The words of the corpus are being counted…</source>
        <translation>正在统计语料中的词…</translation>
    </message>
    <message>
        <source>Training is going on; the tables follow. Cancel keeps the merges that are done.</source>
        <translation>正在训练，表格随之更新。取消会保留已完成的合并。</translation>
    </message>
    <message>
        <source>These merges are as the project holds them, without pairs, words or reasons.</source>
        <translation>这些合并是项目中保存的，没有符号对、词和理由可显示。</translation>
    </message>
    <message>
        <source>This tokenizer was opened from a file, without its corpus: it has no pairs, words or reasons to show.</source>
        <translation>这个分词器是从文件打开的，没有语料，因此没有可显示的符号对、词和理由。</translation>
    </message>
    <message>
        <source>“Back to the run” shows those of your own corpus.</source>
        <translation>“回到本次训练”会显示你自己语料的这些内容。</translation>
    </message>
    <message>
        <source>Nothing is left to merge: no two symbols stand side by side.</source>
        <translation>没有可合并的了：不再有相邻的两个符号。</translation>
    </message>
    <message>
        <source>Nothing is left to merge: the best pair, {pair}, occurs {times}, and the recipe stops below {limit}.</source>
        <translation>没有可合并的了：最优的 {pair} 只{times}，低于配方规定的最低次数 {limit}。</translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, as does {other}; {rule}.</source>
        <translation>下一步合并 {pair}：它{times}，与 {other} 并列；{rule}。</translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, as do {other} and 1 other pair; {rule}.</source>
        <translation>下一步合并 {pair}：它{times}，与 {other} 及另外 1 对并列；{rule}。</translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, as do {other} and {more} other pairs; {rule}.</source>
        <translation>下一步合并 {pair}：它{times}，与 {other} 及另外 {more} 对并列；{rule}。</translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, and there is no other pair.</source>
        <translation>下一步合并 {pair}：它{times}，此外没有别的符号对。</translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, more often than any other pair. {other} follows with {count}.</source>
        <translation>下一步合并 {pair}：它{times}，多于其他任何符号对；其次是 {other}，{count} 次。</translation>
    </message>
    <message>
        <source>in 1 word</source>
        <translation>见于 1 个词</translation>
    </message>
    <message>
        <source>in {count} words</source>
        <translation>见于 {count} 个词</translation>
    </message>
    <message>
        <source>once</source>
        <translation>出现 1 次</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>出现 {count} 次</translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>The byte-level trainer and tokenizer of the Stanford CS336 assignment.</source>
        <translation>斯坦福 CS336 作业中的字节级训练器和分词器。</translation>
    </message>
    <message>
        <source>The example of the CS336 handout: characters, words between white space, ids from 257 on.</source>
        <translation>CS336 讲义中的例子：以字符为单位，按空白分词，ID 从 257 开始。</translation>
    </message>
    <message>
        <source>BPE worked out by hand: characters, and &lt;/w&gt; in place of the space before a word.</source>
        <translation>手算 BPE：以字符为单位，用 &lt;/w&gt; 代替词前的空格。</translation>
    </message>
    <message>
        <source>OctopusMind/BBPE: bytes in GPT-2&apos;s printable spelling, ids in the order of the written tokens.</source>
        <translation>OctopusMind/BBPE：字节采用 GPT-2 的可打印写法，ID 按词元写法排序。</translation>
    </message>
    <message>
        <source>The textbook kind: characters and &lt;/w&gt;; parts that are used up leave the vocabulary.</source>
        <translation>教科书式：字符加 &lt;/w&gt;；用尽的部分移出词表。</translation>
    </message>
    <message>
        <source>Mixed Chinese and English: ideographs merge with each other, and only words end in &lt;/w&gt;.</source>
        <translation>中英文混合：汉字之间相互合并，只有单词以 &lt;/w&gt; 结尾。</translation>
    </message>
    <message>
        <source>RegexTokenizer.train of karpathy/minbpe, with the pattern of GPT-4.</source>
        <translation>karpathy/minbpe 的 RegexTokenizer.train，使用 GPT-4 的正则表达式。</translation>
    </message>
    <message>
        <source>bpe_train of OpenAI&apos;s tiktoken._educational.</source>
        <translation>OpenAI 的 tiktoken._educational 中的 bpe_train。</translation>
    </message>
    <message>
        <source>ByteLevelBPETokenizer.train of Hugging Face&apos;s tokenizers package.</source>
        <translation>Hugging Face 的 tokenizers 包中的 ByteLevelBPETokenizer.train。</translation>
    </message>
    <message>
        <source>learn_bpe of rsennrich/subword-nmt, where BPE for translation began.</source>
        <translation>rsennrich/subword-nmt 的 learn_bpe，BPE 用于机器翻译的开端。</translation>
    </message>
    <message>
        <source>From text to symbols</source>
        <translation>从文本到符号</translation>
    </message>
    <message>
        <source>Which pair is merged</source>
        <translation>合并哪一对</translation>
    </message>
    <message>
        <source>Ids and files</source>
        <translation>ID 与文件</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Splitter</source>
        <translation>分词规则</translation>
    </message>
    <message>
        <source>Word boundary</source>
        <translation>词边界</translation>
    </message>
    <message>
        <source>Ties</source>
        <translation>并列</translation>
    </message>
    <message>
        <source>Counting</source>
        <translation>计数</translation>
    </message>
    <message>
        <source>Least count</source>
        <translation>最低次数</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Alphabet</source>
        <translation>字母表</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Spelling</source>
        <translation>写法</translation>
    </message>
    <message>
        <source>Header</source>
        <translation>文件头</translation>
    </message>
    <message>
        <source>What a word starts as, before anything is merged.</source>
        <translation>合并之前，词由什么组成。</translation>
    </message>
    <message>
        <source>How text becomes words: by a name, or a regular expression.</source>
        <translation>文本如何切分成词：填规则名称或正则表达式。</translation>
    </message>
    <message>
        <source>Whether &lt;/w&gt; marks where a word ends or begins.</source>
        <translation>是否用 &lt;/w&gt; 标记词尾或词首。</translation>
    </message>
    <message>
        <source>Which of the pairs with the highest count is merged.</source>
        <translation>次数同为最高的符号对，合并哪一个。</translation>
    </message>
    <message>
        <source>Whether a pair that stands twice in a word counts twice.</source>
        <translation>同一个词中出现两次的符号对是否计两次。</translation>
    </message>
    <message>
        <source>Training stops when the best pair occurs less often.</source>
        <translation>最优符号对的次数低于此值时停止训练。</translation>
    </message>
    <message>
        <source>Whether a part that no longer occurs on its own is dropped.</source>
        <translation>不再单独出现的部分是否删除。</translation>
    </message>
    <message>
        <source>The order of the first symbols, which decides their ids.</source>
        <translation>初始符号的顺序，决定它们的 ID。</translation>
    </message>
    <message>
        <source>Where the special tokens get their ids.</source>
        <translation>特殊词元的 ID 排在哪里。</translation>
    </message>
    <message>
        <source>In which order the tokens get their ids.</source>
        <translation>词元按什么顺序获得 ID。</translation>
    </message>
    <message>
        <source>How a byte is written in files, and for sorting.</source>
        <translation>字节在文件中以及排序时的写法。</translation>
    </message>
    <message>
        <source>The first line of merges.txt, which some programs want.</source>
        <translation>merges.txt 的首行，有些程序需要。</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>No mark</source>
        <translation>无标记</translation>
    </message>
    <message>
        <source>&lt;/w&gt; after the word</source>
        <translation>词后加 &lt;/w&gt;</translation>
    </message>
    <message>
        <source>&lt;/w&gt; on the last character</source>
        <translation>末字符带 &lt;/w&gt;</translation>
    </message>
    <message>
        <source>&lt;/w&gt; before the word</source>
        <translation>词前加 &lt;/w&gt;</translation>
    </message>
    <message>
        <source>The greatest pair</source>
        <translation>字典序最大的对</translation>
    </message>
    <message>
        <source>The pair seen first</source>
        <translation>最先出现的对</translation>
    </message>
    <message>
        <source>The smallest ids</source>
        <translation>ID 最小的对</translation>
    </message>
    <message>
        <source>Every occurrence</source>
        <translation>每处都计</translation>
    </message>
    <message>
        <source>Once per word</source>
        <translation>每词计一次</translation>
    </message>
    <message>
        <source>Only grows</source>
        <translation>只增不减</translation>
    </message>
    <message>
        <source>Drops unused parts</source>
        <translation>删除用尽的部分</translation>
    </message>
    <message>
        <source>Sorted by value</source>
        <translation>按数值排序</translation>
    </message>
    <message>
        <source>GPT-2&apos;s order</source>
        <translation>GPT-2 的顺序</translation>
    </message>
    <message>
        <source>First 256 characters</source>
        <translation>前 256 个字符</translation>
    </message>
    <message>
        <source>After the alphabet</source>
        <translation>在字母表之后</translation>
    </message>
    <message>
        <source>First</source>
        <translation>最前</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>最后</translation>
    </message>
    <message>
        <source>In order of merging</source>
        <translation>按合并顺序</translation>
    </message>
    <message>
        <source>Sorted after training</source>
        <translation>训练后排序</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>GPT-2&apos;s printable table</source>
        <translation>GPT-2 可打印字符表</translation>
    </message>
    <message>
        <source>The bytes of UTF-8: 256 symbols spell any text.</source>
        <translation>UTF-8 字节：256 个符号即可表示任何文本。</translation>
    </message>
    <message>
        <source>Unicode characters: only those of the corpus can be spelt.</source>
        <translation>Unicode 字符：只能表示语料中有的字符。</translation>
    </message>
    <message>
        <source>GPT-2: letters, digits or signs, with the space before; endings like ’s.</source>
        <translation>GPT-2：连续的字母、数字或标点，连同前面的空格；’s 之类的词尾单独切出。</translation>
    </message>
    <message>
        <source>GPT-4: as GPT-2, with at most three digits in a word and any letter case.</source>
        <translation>GPT-4：同 GPT-2，但一个词至多三位数字，词尾不分大小写。</translation>
    </message>
    <message>
        <source>GPT-4o: as GPT-4, and a word also ends where capitals begin.</source>
        <translation>GPT-4o：同 GPT-4，且在大写字母开始处也断词。</translation>
    </message>
    <message>
        <source>What stands between white space, which is dropped.</source>
        <translation>以空白隔开的内容；空白丢弃。</translation>
    </message>
    <message>
        <source>What stands between spaces and line ends, which are dropped.</source>
        <translation>以空格和换行隔开的内容；空格和换行丢弃。</translation>
    </message>
    <message>
        <source>Runs of Chinese characters, runs of other letters and digits, single signs.</source>
        <translation>连续的汉字，连续的其他字母和数字，单个标点。</translation>
    </message>
    <message>
        <source>The whole text is one word; merges may cross spaces.</source>
        <translation>整个文本是一个词；合并可以跨越空格。</translation>
    </message>
    <message>
        <source>A word is its own units and nothing else.</source>
        <translation>词只由自身的单位组成，不加别的。</translation>
    </message>
    <message>
        <source>&lt;/w&gt; is a symbol of its own after the last character.</source>
        <translation>&lt;/w&gt; 是独立的符号，位于末字符之后。</translation>
    </message>
    <message>
        <source>The last character and &lt;/w&gt; are one symbol from the start.</source>
        <translation>末字符与 &lt;/w&gt; 从一开始就是一个符号。</translation>
    </message>
    <message>
        <source>&lt;/w&gt; is a symbol of its own in place of the space before a word.</source>
        <translation>&lt;/w&gt; 是独立的符号，代替词前的空格。</translation>
    </message>
    <message>
        <source>The greatest pair, comparing left and then right as bytes.</source>
        <translation>最大的对：按字节先比较左边，再比较右边。</translation>
    </message>
    <message>
        <source>The pair whose first remaining place in the corpus is earliest.</source>
        <translation>在当前语料中首次出现位置最靠前的对。</translation>
    </message>
    <message>
        <source>The pair with the smallest id on the left, then on the right.</source>
        <translation>左边 ID 最小的对；相同则取右边 ID 最小的。</translation>
    </message>
    <message>
        <source>Each place counts: in “aaa” the pair “a”+“a” occurs twice.</source>
        <translation>每个位置都计：“aaa”中，“a”+“a”出现两次。</translation>
    </message>
    <message>
        <source>A word that holds the pair counts once, however often it does.</source>
        <translation>含有该符号对的词只计一次，不论它出现几次。</translation>
    </message>
    <message>
        <source>Every merge adds one token, and none is ever dropped.</source>
        <translation>每次合并增加一个词元，从不删除。</translation>
    </message>
    <message>
        <source>After a merge, a part that no longer stands alone leaves the vocabulary.</source>
        <translation>合并之后，不再单独出现的部分移出词表。</translation>
    </message>
    <message>
        <source>Bytes or characters by their value.</source>
        <translation>字节或字符按数值排列。</translation>
    </message>
    <message>
        <source>Bytes in GPT-2&apos;s order: the printable ones first. Only for bytes.</source>
        <translation>字节按 GPT-2 的顺序：可打印的在前。仅用于字节。</translation>
    </message>
    <message>
        <source>The characters 0 to 255 first, whether they occur or not. Only for characters.</source>
        <translation>字符 0 到 255 在前，不论是否出现。仅用于字符。</translation>
    </message>
    <message>
        <source>Between the alphabet and the first merge.</source>
        <translation>在字母表与第一次合并之间。</translation>
    </message>
    <message>
        <source>Before everything else, from id 0 on.</source>
        <translation>在所有词元之前，从 ID 0 开始。</translation>
    </message>
    <message>
        <source>After the last merge.</source>
        <translation>在最后一次合并之后。</translation>
    </message>
    <message>
        <source>The alphabet first, then each token as it is made.</source>
        <translation>先是字母表，然后是依次产生的词元。</translation>
    </message>
    <message>
        <source>Given once, after training, in the order of the written tokens.</source>
        <translation>训练结束后，按词元写法的顺序一次编定。</translation>
    </message>
    <message>
        <source>Every byte or character as itself.</source>
        <translation>每个字节或字符都照原样。</translation>
    </message>
    <message>
        <source>Every byte as a visible character; a space is Ġ.</source>
        <translation>每个字节写作一个可见字符；空格写作 Ġ。</translation>
    </message>
    <message>
        <source>ties go to the greatest pair</source>
        <translation>并列时取字典序最大的对</translation>
    </message>
    <message>
        <source>ties go to the pair seen first in the corpus</source>
        <translation>并列时取语料中最先出现的对</translation>
    </message>
    <message>
        <source>ties go to the pair with the smallest ids</source>
        <translation>并列时取 ID 最小的对</translation>
    </message>
    <message>
        <source>words by a regular expression</source>
        <translation>按正则表达式分词</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>words between white space</source>
        <translation>按空白分词</translation>
    </message>
    <message>
        <source>words between spaces</source>
        <translation>按空格分词</translation>
    </message>
    <message>
        <source>Chinese and English words</source>
        <translation>按中英文分词</translation>
    </message>
    <message>
        <source>no splitting</source>
        <translation>不分词</translation>
    </message>
    <message>
        <source>{splitter} words</source>
        <translation>{splitter} 分词</translation>
    </message>
    <message>
        <source>words by a regular expression of your own</source>
        <translation>按自定义正则表达式分词</translation>
    </message>
    <message>
        <source>&lt;/w&gt; after a word</source>
        <translation>词后加 &lt;/w&gt;</translation>
    </message>
    <message>
        <source>&lt;/w&gt; on the last character of a word</source>
        <translation>词的末字符带 &lt;/w&gt;</translation>
    </message>
    <message>
        <source>&lt;/w&gt; before a word</source>
        <translation>词前加 &lt;/w&gt;</translation>
    </message>
    <message>
        <source>pairs count once per word</source>
        <translation>每对每词计一次</translation>
    </message>
    <message>
        <source>stops below {count} occurrences</source>
        <translation>少于 {count} 次时停止</translation>
    </message>
    <message>
        <source>unused parts are dropped</source>
        <translation>删除用尽的部分</translation>
    </message>
    <message>
        <source>ids sorted after training</source>
        <translation>训练后按序编 ID</translation>
    </message>
</context>
<context>
    <name>RecipeDialog</name>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Load recipe…</source>
        <translation>载入配方…</translation>
    </message>
    <message>
        <source>Save recipe…</source>
        <translation>保存配方…</translation>
    </message>
    <message>
        <source>Reset to {preset}</source>
        <translation>还原为 {preset}</translation>
    </message>
    <message>
        <source>Like {preset}, with {count} of the switches set otherwise.</source>
        <translation>以 {preset} 为基础，有 {count} 个选项不同。</translation>
    </message>
    <message>
        <source>Load recipe</source>
        <translation>载入配方</translation>
    </message>
    <message>
        <source>Save recipe</source>
        <translation>保存配方</translation>
    </message>
    <message>
        <source>Saved as {path}</source>
        <translation>已保存为 {path}</translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation>配方 (*.json)</translation>
    </message>
</context>
<context>
    <name>RecoveryDialog</name>
    <message>
        <source>Restore work</source>
        <translation>恢复工作</translation>
    </message>
    <message>
        <source>Work that was not saved</source>
        <translation>未保存的工作</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>以后再说</translation>
    </message>
    <message>
        <source>The program ended before these were saved. Which one do you want?</source>
        <translation>程序退出时这些工作尚未保存。您要恢复哪一个？</translation>
    </message>
</context>
<context>
    <name>RecoveryOffers</name>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>The program ended before your work was saved, {count} times.</source>
        <translation>程序有 {count} 次在您的工作保存之前退出。</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>step {step} of {count}</source>
        <translation>第 {step} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>text of {size}</source>
        <translation>文本 {size}</translation>
    </message>
    <message>
        <source>a text to encode</source>
        <translation>待编码的文本</translation>
    </message>
    <message>
        <source>The program ended before your work was saved ({name}, {time}).</source>
        <translation>上次程序退出时您的工作尚未保存（{name}，{time}）。</translation>
    </message>
</context>
<context>
    <name>ReplayModel</name>
    <message>
        <source>Symbols</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>at the start</source>
        <translation>起始状态</translation>
    </message>
    <message>
        <source>taken whole</source>
        <translation>整词取用</translation>
    </message>
    <message>
        <source>at step {step}</source>
        <translation>在第 {step} 步</translation>
    </message>
    <message>
        <source>1 symbol</source>
        <translation>1 个符号</translation>
    </message>
    <message>
        <source>{symbols} symbols</source>
        <translation>{symbols} 个符号</translation>
    </message>
</context>
<context>
    <name>ReplayView</name>
    <message>
        <source>To the start</source>
        <translation>回到开头</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>跳到末尾</translation>
    </message>
    <message>
        <source>Merges of the word</source>
        <translation>该词的合并</translation>
    </message>
    <message>
        <source>Put the caret in a word to see how it is encoded.</source>
        <translation>把光标放到一个词中，即可查看它是如何编码的。</translation>
    </message>
    <message>
        <source>merge {merge} of {merges}</source>
        <translation>第 {merge} 次合并，共 {merges} 次</translation>
    </message>
    <message>
        <source>Next: {left} + {right}. Of the pairs in the word, it was merged first, at step {step}.</source>
        <translation>下一步：{left} + {right}。在该词现有的符号对中，它最早被合并，在第 {step} 步。</translation>
    </message>
    <message>
        <source>The word is one token: there is nothing left to merge.</source>
        <translation>该词已是一个词元，没有可合并的了。</translation>
    </message>
    <message>
        <source>No other merge applies: none of the pairs that are left has been merged so far.</source>
        <translation>没有其他合并适用：剩下的符号对到目前为止都没有被合并过。</translation>
    </message>
</context>
<context>
    <name>SentenceLabel</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>SpecialTokensField</name>
    <message>
        <source>Special tokens, one a line</source>
        <translation>特殊词元，每行一个</translation>
    </message>
    <message>
        <source>None; one a line</source>
        <translation>无；每行一个</translation>
    </message>
    <message>
        <source>Cut out of the text before it is split; nothing merges across them.</source>
        <translation>分词之前先从文本中切出；合并不会跨越它们。</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
</context>
<context>
    <name>TimelinePanel</name>
    <message>
        <source>Step 0: the bare alphabet</source>
        <translation>第 0 步：只有字母表</translation>
    </message>
    <message>
        <source>Step {step}: {left} + {right} → {token} ×{count}</source>
        <translation>第 {step} 步：{left} + {right} → {token} ×{count}</translation>
    </message>
    <message>
        <source>Step {step}: {left} + {right} → {token}</source>
        <translation>第 {step} 步：{left} + {right} → {token}</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>How often each chosen pair occurred. The scale is logarithmic: counts fall so steeply that all but the first merges would lie on the bottom line.</source>
        <translation>每次选中的符号对出现的次数。采用对数刻度：次数下降极快，否则除最初几次外，其余合并都会贴在底线上。</translation>
    </message>
    <message>
        <source>Step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>How many bytes the new tokens have, on average and on a logarithmic scale: the file does not say how often the pairs occurred.</source>
        <translation>新词元平均有多少字节（对数刻度）：文件没有说明各符号对出现的次数。</translation>
    </message>
    <message>
        <source>Timeline: step of the training</source>
        <translation>时间线：训练的步</translation>
    </message>
    <message>
        <source>Nothing is merged yet. Take a step to see here how often each chosen pair occurred.</source>
        <translation>还没有合并。前进一步，这里就会显示每次选中的符号对出现的次数。</translation>
    </message>
    <message>
        <source>bytes of new tokens on average; the file has no counts</source>
        <translation>新词元的平均字节数；文件中没有计数</translation>
    </message>
</context>
<context>
    <name>TokenEdit</name>
    <message>
        <source>Text to encode</source>
        <translation>要编码的文本</translation>
    </message>
    <message>
        <source>Type or paste text to see its tokens.</source>
        <translation>输入或粘贴文本，查看它的词元。</translation>
    </message>
</context>
<context>
    <name>TokenFacts</name>
    <message>
        <source>About the token and the text</source>
        <translation>关于词元和文本</translation>
    </message>
    <message>
        <source>Pages about the token and the text</source>
        <translation>关于词元和文本的页面</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>由来</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>A special token is cut out before any merge: nothing is merged in it.</source>
        <translation>特殊词元在任何合并之前就被切出，其中不发生合并。</translation>
    </message>
    <message>
        <source>This text is too long to show its words with this tokenizer. Try a shorter one.</source>
        <translation>文本太长，无法用此分词器显示其中的词。请换一段较短的文本。</translation>
    </message>
    <message>
        <source>This word is too long to be replayed.</source>
        <translation>这个词太长，无法重放。</translation>
    </message>
</context>
<context>
    <name>TokenIdView</name>
    <message>
        <source>Ids of the text</source>
        <translation>文本的 ID</translation>
    </message>
    <message>
        <source>{count} ids are too many to be copied; select up to {most}.</source>
        <translation>{count} 个 ID 太多，无法复制；请最多选择 {most} 个。</translation>
    </message>
    <message>
        <source>Copied: {count} ids</source>
        <translation>已复制 {count} 个 ID</translation>
    </message>
</context>
<context>
    <name>TokenInspector</name>
    <message>
        <source>About the token</source>
        <translation>词元详情</translation>
    </message>
    <message>
        <source>Point at a token to see what it is made of.</source>
        <translation>将指针移到词元上，查看它的构成。</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>Made</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Its parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>no id</source>
        <translation>无 ID</translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation>ID {id}</translation>
    </message>
    <message>
        <source>{hex} ({count} bytes)</source>
        <translation>{hex}（{count} 字节）</translation>
    </message>
    <message>
        <source>covers no text</source>
        <translation>不对应任何文本</translation>
    </message>
    <message>
        <source>{held} of the {size} bytes of {character}, {name}</source>
        <translation>{character} 的 {size} 个字节中的 {held} 个，{name}</translation>
    </message>
    <message>
        <source>never: this symbol is not in the vocabulary</source>
        <translation>无：该符号不在词表中</translation>
    </message>
    <message>
        <source>never: a special token, cut out before any merge</source>
        <translation>特殊词元：合并之前已切出，不参与合并</translation>
    </message>
    <message>
        <source>from the start: it is in the alphabet</source>
        <translation>一开始就有：属于字母表</translation>
    </message>
    <message>
        <source>at step {step} from {left} + {right}</source>
        <translation>第 {step} 步，由 {left} + {right} 合并</translation>
    </message>
    <message>
        <source>at step {step} from {left} + {right}, ×{count}</source>
        <translation>第 {step} 步，由 {left} + {right} 合并，×{count}</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>…还有 {count} 个</translation>
    </message>
</context>
<context>
    <name>TokenTip</name>
    <message>
        <source>no id: this symbol is not in the vocabulary</source>
        <translation>无 ID：该符号不在词表中</translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation>ID {id}</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>bytes {hex}</source>
        <translation>字节 {hex}</translation>
    </message>
    <message>
        <source>covers no text</source>
        <translation>不对应任何文本</translation>
    </message>
    <message>
        <source>holds part of {character} ({hex})</source>
        <translation>含有 {character} 的一部分 ({hex})</translation>
    </message>
</context>
<context>
    <name>TokenView</name>
    <message>
        <source>Tokens of the text</source>
        <translation>文本的词元</translation>
    </message>
</context>
<context>
    <name>TokenizerOpener</name>
    <message>
        <source>Open a tokenizer</source>
        <translation>打开分词器</translation>
    </message>
    <message>
        <source>Tokenizers</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
    <message>
        <source>{name} does not say how text is split, nor which special tokens there are: the pattern of GPT-2 is used, and no special tokens.</source>
        <translation>{name} 没有说明文本如何切分，也没有说明有哪些特殊词元：目前使用 GPT-2 的模式，没有特殊词元。</translation>
    </message>
    <message>
        <source>Pattern and special tokens…</source>
        <translation>模式和特殊词元…</translation>
    </message>
</context>
<context>
    <name>TransportBar</name>
    <message>
        <source>Vocabulary size to train to</source>
        <translation>训练的目标词表大小</translation>
    </message>
    <message>
        <source>Go to step</source>
        <translation>跳到指定步</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>The published trainer to reproduce. Its switches are under “Recipe…”.</source>
        <translation>要复现的公开训练器。各选项在“配方…”中。</translation>
    </message>
    <message>
        <source>Train to the vocabulary size</source>
        <translation>训练到设定的词表大小</translation>
    </message>
    <message>
        <source>Steps a second when playing</source>
        <translation>播放速度（每秒步数）</translation>
    </message>
    <message>
        <source>{speed} a second</source>
        <translation>每秒 {speed} 步</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表大小</translation>
    </message>
    <message>
        <source>Go to</source>
        <translation>跳到</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation>第 {step} 步，共 {steps} 步</translation>
    </message>
</context>
<context>
    <name>VocabularyModel</name>
    <message>
        <source>special</source>
        <translation>特殊</translation>
    </message>
    <message>
        <source>alphabet</source>
        <translation>字母表</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>The number that stands for the token</source>
        <translation>代表词元的编号</translation>
    </message>
    <message>
        <source>The token; a space is written ·</source>
        <translation>词元；空格写作 ·</translation>
    </message>
    <message>
        <source>The bytes of the token, in hexadecimal</source>
        <translation>词元的字节（十六进制）</translation>
    </message>
    <message>
        <source>How many bytes the token has</source>
        <translation>词元的字节数</translation>
    </message>
    <message>
        <source>The step of training that made the token</source>
        <translation>产生该词元的训练步</translation>
    </message>
</context>
<context>
    <name>VocabularyPanel</name>
    <message>
        <source>Token, id or hex</source>
        <translation>词元、ID 或十六进制</translation>
    </message>
    <message>
        <source>Find in the vocabulary</source>
        <translation>在词表中查找</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 个条目</translation>
    </message>
    <message>
        <source>{count} entries</source>
        <translation>{count} 个条目</translation>
    </message>
    <message>
        <source>{count} shown</source>
        <translation>显示 {count} 个</translation>
    </message>
</context>
<context>
    <name>WordModel</name>
    <message>
        <source>1 word</source>
        <translation>1 个词</translation>
    </message>
    <message>
        <source>{words} words</source>
        <translation>{words} 个词</translation>
    </message>
    <message>
        <source>more than {shown} words</source>
        <translation>超过 {shown} 个词</translation>
    </message>
    <message>
        <source>{shown} of {words} words</source>
        <translation>{shown} / {words} 个词</translation>
    </message>
    <message>
        <source>Word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>{word}
1 symbol</source>
        <translation>{word}
1 个符号</translation>
    </message>
    <message>
        <source>{word}
{symbols} symbols</source>
        <translation>{word}
{symbols} 个符号</translation>
    </message>
</context>
</TS>
