<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name></name>
    <message>
        <source>Support for {purpose} needs the package pyarrow, which is not installed. {remedy}</source>
        <translation>支持 {purpose} 需要软件包 pyarrow，但尚未安装。{remedy}</translation>
    </message>
    <message>
        <source>Unknown encoding {encoding!r}. Examples of encodings are utf-8, gb18030 and cp1252.</source>
        <translation>未知的字符编码 {encoding!r}。可用的有 utf-8、gb18030、cp1252 等。</translation>
    </message>
    <message>
        <source>{path} cannot be read as {encoding}: {reason}. Choose another encoding.</source>
        <translation>无法按 {encoding} 读取 {path}：{reason}。请选择其他字符编码。</translation>
    </message>
    <message>
        <source>{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be decoded. Choose another encoding, or replace invalid bytes.</source>
        <translation>{path} 不是有效的 {encoding} 文本：偏移 {offset:,} 处的字节（0x{byte:02X}）无法解码。请选择其他字符编码，或替换无效字节。</translation>
    </message>
    <message>
        <source>{path} looks like {encoding} text. Choose that encoding to read it.</source>
        <translation>从开头看，{path} 像是 {encoding} 文本。请选择该字符编码来读取。</translation>
    </message>
    <message>
        <source>{path} looks like a binary file: there is a null byte at offset {offset:,}. If it is text, choose its encoding.</source>
        <translation>{path} 像是二进制文件：偏移 {offset:,} 处有空字节。如果它是文本，请选择它的字符编码。</translation>
    </message>
    <message>
        <source>{path} changed while it was being read: it had {before:,} bytes and then {after:,}. Read it again.</source>
        <translation>{path} 在读取过程中发生了变化：原有 {before:,} 字节，现为 {after:,} 字节。请重新读取。</translation>
    </message>
    <message>
        <source>{path} is damaged, incomplete or not {form}: {reason}. Get the file again.</source>
        <translation>{path} 已损坏、不完整或不是 {form}：{reason}。请重新获取该文件。</translation>
    </message>
    <message>
        <source>Working on a cluster needs the package {package}, which is not installed. {remedy}</source>
        <translation>在集群上工作需要软件包 {package}，但尚未安装。{remedy}</translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation>无法读取 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} is larger than {most:,} bytes, which is too large for this kind of file.</source>
        <translation>{path} 超过 {most:,} 字节，超出此类文件的合理大小。</translation>
    </message>
    <message>
        <source>{path} is a device or a pipe, not a file.</source>
        <translation>{path} 是设备或管道，不是文件。</translation>
    </message>
    <message>
        <source>{path}, line {line} is not valid UTF-8: the byte at offset {offset} cannot be decoded.</source>
        <translation>{path} 第 {line} 行不是有效的 UTF-8：偏移 {offset} 处的字节无法解码。</translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: this is not valid JSON ({reason}).</source>
        <translation>{path} 第 {line} 行第 {column} 列：不是有效的 JSON（{reason}）。</translation>
    </message>
    <message>
        <source>{path} is not valid JSON: {reason}.</source>
        <translation>{path} 不是有效的 JSON：{reason}。</translation>
    </message>
    <message>
        <source>{path}, line {line}: the key {key!r} occurs twice.</source>
        <translation>{path} 第 {line} 行：键 {key!r} 重复。</translation>
    </message>
    <message>
        <source>{path} is a folder. Name a file to write.</source>
        <translation>{path} 是文件夹。请指定要写入的文件。</translation>
    </message>
    <message>
        <source>{path} is a device or a pipe. Write to a regular file instead.</source>
        <translation>{path} 是设备或管道。请改为写入普通文件。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}. Nothing was changed.</source>
        <translation>无法写入 {path}：{reason}。未作任何更改。</translation>
    </message>
    <message>
        <source>Unknown tokenizer format {name!r}. The formats are {names}.</source>
        <translation>未知的分词器格式 {name!r}。可用的格式有 {names}。</translation>
    </message>
    <message>
        <source>The format {name} can be read, but not written.</source>
        <translation>{name} 格式只能读取，不能写入。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {nearest} is a file, not a folder.</source>
        <translation>无法写入 {path}：{nearest} 是文件，不是文件夹。</translation>
    </message>
    <message>
        <source>{path} would become a folder. For the format {format}, use a file name that ends in {suffix}, or a folder name without an extension.</source>
        <translation>{path} 会成为文件夹。{format} 格式的文件名应以 {suffix} 结尾，文件夹名则不带扩展名。</translation>
    </message>
    <message>
        <source>{path} looks like a file, but the format {format} is written to a folder. Use a name without an extension.</source>
        <translation>{path} 像是文件名，但 {format} 格式会写入文件夹。请使用不带扩展名的名称。</translation>
    </message>
    <message>
        <source>{path} has the format {format}, which can be written, but not opened as a tokenizer.</source>
        <translation>{path} 的格式是 {format}，该格式只能写入，不能作为分词器打开。</translation>
    </message>
    <message>
        <source>{path} has the format {format}, which includes the pattern and the special tokens. Omit pattern= and special_tokens=.</source>
        <translation>{path} 是 {format} 格式，已含切分模式和特殊词元。请去掉 pattern= 和 special_tokens=。</translation>
    </message>
    <message>
        <source>{path} does not exist.</source>
        <translation>{path} 不存在。</translation>
    </message>
    <message>
        <source>{path} is a device or a pipe, not a tokenizer.</source>
        <translation>{path} 是设备或管道，不是分词器。</translation>
    </message>
    <message>
        <source>{path} is a bpe-gui project, not a tokenizer. Open it in the window.</source>
        <translation>{path} 是 bpe-gui 项目，不是分词器。请在窗口中打开它。</translation>
    </message>
    <message>
        <source>{path} does not exist. For the published tokenizer, write {published}.</source>
        <translation>{path} 不存在。如果指的是已发布的分词器，请写 {published}。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer folder. It must contain one of {files}. If the file has another name, open the file itself.</source>
        <translation>{path} 不是分词器文件夹：其中应有 {files} 之一。如果文件用了别的名称，请直接打开该文件。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer file. Supported files are {files}, and vocab.json with merges.txt in the same folder.</source>
        <translation>{path} 不是分词器文件。支持的文件有 {files}，以及与 merges.txt 在同一文件夹中的 vocab.json。</translation>
    </message>
    <message>
        <source>Two tokens (ids {first} and {second}) would both be written as {token!r} in {file}.</source>
        <translation>两个词元（ID {first} 和 {second}）在 {file} 中都会写作 {token!r}。</translation>
    </message>
    <message>
        <source>{path} would be larger than {most:,} bytes, too large to be read again. Use fewer merges.</source>
        <translation>{path} 将超过 {most:,} 字节，太大，无法再读取。请减少合并的数目。</translation>
    </message>
    <message>
        <source>The token {token!r} is not valid UTF-8. Only a recipe whose units are bytes can represent it.</source>
        <translation>词元 {token!r} 不是有效的 UTF-8。只有以字节为单位的配方才能表示它。</translation>
    </message>
    <message>
        <source>This format cannot represent seed tokens, because programs that read it find tokens by merging alone. Save as gpt2, whose training.json holds them for bpe-gui.</source>
        <translation>此格式无法表示种子词元，因为读取它的程序只靠合并得到词元。请保存为 gpt2，其中的 training.json 会为 bpe-gui 保存种子词元。</translation>
    </message>
    <message>
        <source>This format cannot represent that whole words join only if they are one token each, because programs that read it merge all pairs alike. Save as gpt2, whose training.json says so to bpe-gui.</source>
        <translation>此格式无法表示“只有各自已是一个词元的整词才会相连”，因为读取它的程序合并所有的对时一视同仁。请保存为 gpt2，其中的 training.json 会把这一点告诉 bpe-gui。</translation>
    </message>
    <message>
        <source>merges.txt cannot represent the token {token!r}, because it separates tokens with spaces and merges with line breaks. Train with a splitter that drops whitespace, or choose the spelling gpt2-printable (“GPT-2&apos;s printable table”).</source>
        <translation>merges.txt 无法表示词元 {token!r}，因为该文件用空格分隔词元，用换行分隔合并。请改用丢弃空白的预分词规则训练，或将词元写法设为“GPT-2 可打印字符表”（gpt2-printable）。</translation>
    </message>
    <message>
        <source>No file says how text is split, so the splitter {splitter} is assumed. If the model uses another one, its ids differ: choose that one.</source>
        <translation>没有文件说明文本如何切分，因此假定使用预分词规则 {splitter}。如果模型用的是别的规则，ID 会不同：请选择那个规则。</translation>
    </message>
    <message>
        <source>{path} is not a vocabulary: it must be a non-empty JSON object that maps tokens to ids.</source>
        <translation>{path} 不是词表：它必须是由词元到 ID 的非空 JSON 对象。</translation>
    </message>
    <message>
        <source>the id of {token!r} must be a non-negative integer, not {id!r}.</source>
        <translation>{token!r} 的 ID 必须是非负整数，而不是 {id!r}。</translation>
    </message>
    <message>
        <source>{token!r} has the id {id}, which already belongs to {other!r}.</source>
        <translation>{token!r} 的 ID {id} 已属于 {other!r}。</translation>
    </message>
    <message>
        <source>{token!r} contains {character!r}, which does not represent a byte.</source>
        <translation>{token!r} 含有 {character!r}，它不代表任何字节。</translation>
    </message>
    <message>
        <source>CLIP&apos;s own program also repairs broken text and replaces entities of HTML, such as &amp;amp;, before it splits a text. These steps are left out.</source>
        <translation>CLIP 自己的程序在切分文本前还会修复损坏的文本，并替换 &amp;amp; 之类的 HTML 实体。这些步骤在此省略。</translation>
    </message>
    <message>
        <source>{path} is damaged: it cannot be decompressed.</source>
        <translation>{path} 已损坏：无法解压。</translation>
    </message>
    <message>
        <source>{path} is not valid UTF-8.</source>
        <translation>{path} 不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{text!r} is not a merge. A merge is two tokens separated by one space.</source>
        <translation>{text!r} 不是合并规则。一条合并规则是以一个空格隔开的两个词元。</translation>
    </message>
    <message>
        <source>the token {token!r} of this merge is not in vocab.json.</source>
        <translation>这条合并规则中的词元 {token!r} 不在 vocab.json 中。</translation>
    </message>
    <message>
        <source>{path} is damaged: it must contain a JSON object.</source>
        <translation>{path} 已损坏：其中必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>{path}: its special tokens do not match the vocabulary in the same folder.</source>
        <translation>{path}：其中的特殊词元与同一文件夹中的词表不符。</translation>
    </message>
    <message>
        <source>{path} must contain one count for each of the {merges} merges.</source>
        <translation>{path} 必须为 {merges} 条合并规则各给出一个次数。</translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation>{path}：{reason}</translation>
    </message>
    <message>
        <source>{path}: the id for unknown symbols, {id!r}, is not in the vocabulary.</source>
        <translation>{path}：用于未知符号的 ID {id!r} 不在词表中。</translation>
    </message>
    <message>
        <source>The token with id {id} is {token!r}. Only one token may have no bytes.</source>
        <translation>ID 为 {id} 的词元是 {token!r}。只能有一个词元不含任何字节。</translation>
    </message>
    <message>
        <source>The vocabulary contains the id {id!r}. Ids must be integers from 0 to {most}.</source>
        <translation>词表中有 ID {id!r}。ID 必须是 0 到 {most} 之间的整数。</translation>
    </message>
    <message>
        <source>The merge of rank {rank} is {merge!r}. A merge must be two tokens in bytes.</source>
        <translation>rank 为 {rank} 的合并是 {merge!r}。合并必须是两个以字节表示的词元。</translation>
    </message>
    <message>
        <source>The merge of rank {rank} has an empty part. Both parts must have at least one byte.</source>
        <translation>rank 为 {rank} 的合并有一部分为空。两部分都至少要有一个字节。</translation>
    </message>
    <message>
        <source>The id for unknown symbols, {id!r}, is not in the vocabulary.</source>
        <translation>用于未知符号的 ID {id!r} 不在词表中。</translation>
    </message>
    <message>
        <source>The special token {token!r} has the id {id}, which already belongs to {other!r}.</source>
        <translation>特殊词元 {token!r} 的 ID {id} 已属于 {other!r}。</translation>
    </message>
    <message>
        <source>Two special tokens have the same id.</source>
        <translation>有两个特殊词元的 ID 相同。</translation>
    </message>
    <message>
        <source>The plan says that languages take turns, so training needs their words: use train, train_fair or turns_of.</source>
        <translation>计划让各语言轮流，因此训练需要各语言的词：请使用 train、train_fair 或 turns_of。</translation>
    </message>
    <message>
        <source>The words were counted with the splitter {splitter!r} and special_text={special_text}. Count them again for this recipe.</source>
        <translation>这些词是用预分词规则 {splitter!r} 和 special_text={special_text} 统计的。请按此配方重新统计。</translation>
    </message>
    <message>
        <source>There is not enough memory to train on {words:,} unique words: {reason}.</source>
        <translation>内存不足，无法用 {words:,} 个不重复的词训练：{reason}。</translation>
    </message>
    <message>
        <source>A trainer cannot be copied or pickled. Make another one from the same word counts.</source>
        <translation>训练器不能复制，也不能序列化。请用相同的词频另建一个。</translation>
    </message>
    <message>
        <source>Merge {index} is not in the run. The number of merges so far is {merges}.</source>
        <translation>本次训练中没有第 {index} 次合并。目前的合并数为 {merges}。</translation>
    </message>
    <message>
        <source>Step {step} does not exist. The first step is 0.</source>
        <translation>第 {step} 步不存在。最早是第 0 步。</translation>
    </message>
    <message>
        <source>There is no pair with one of these numbers now. The pairs may have changed since.</source>
        <translation>有一个编号不对应目前出现的任何对。这些对此后可能已经改变。</translation>
    </message>
    <message>
        <source>There is no word with one of these numbers. Words are numbered from 0 to {last:,}.</source>
        <translation>有一个编号不对应任何词。词的编号从 0 到 {last:,}。</translation>
    </message>
    <message>
        <source>Step {step} is not in the run. The number of steps so far is {steps}.</source>
        <translation>第 {step} 步不在本次训练中。目前共有 {steps} 步。</translation>
    </message>
    <message>
        <source>{path} has no merges.</source>
        <translation>{path} 中没有合并。</translation>
    </message>
    <message>
        <source>{part!r} is not a character, and no earlier merge creates it.</source>
        <translation>{part!r} 不是单个字符，前面也没有合并产生它。</translation>
    </message>
    <message>
        <source>{path}, line 1: {text!r} is not a supported version of subword-nmt codes. Supported versions are 0.1 and 0.2.</source>
        <translation>{path} 第 1 行：不支持版本为 {text!r} 的 subword-nmt 编码文件。支持的版本是 0.1 和 0.2。</translation>
    </message>
    <message>
        <source>a token of {length:,} bytes is too long. The limit is {most:,} bytes.</source>
        <translation>词元有 {length:,} 字节，太长。上限是 {most:,} 字节。</translation>
    </message>
    <message>
        <source>subword-nmt merges characters, but this tokenizer starts from bytes. Set units to characters and train again.</source>
        <translation>subword-nmt 合并的是字符，而此分词器从字节开始。请把单位设为“字符”后重新训练。</translation>
    </message>
    <message>
        <source>subword-nmt attaches the end-of-word marker to the last character. Set the word boundary to suffix-attached (“&lt;/w&gt; on the last character”) and train again.</source>
        <translation>subword-nmt 把词尾标记附在末字符上。请把词边界设为“末字符带 &lt;/w&gt;”（suffix-attached）后重新训练。</translation>
    </message>
    <message>
        <source>subword-nmt splits text at spaces. Set the splitter to {splitters} and train again.</source>
        <translation>subword-nmt 按空格切分文本。请把预分词规则设为 {splitters} 后重新训练。</translation>
    </message>
    <message>
        <source>subword-nmt codes cannot represent the token {token!r}, because they separate tokens with spaces and merges with line breaks.</source>
        <translation>subword-nmt 编码文件无法表示词元 {token!r}，因为该文件用空格分隔词元，用换行分隔合并。</translation>
    </message>
    <message>
        <source>This tokenizer has no merges, but subword-nmt needs at least one.</source>
        <translation>此分词器没有合并，而 subword-nmt 至少需要一条。</translation>
    </message>
    <message>
        <source>The token {token!r} has {length:,} bytes, but subword-nmt codes can contain at most {most:,}.</source>
        <translation>词元 {token!r} 有 {length:,} 字节，而 subword-nmt 编码文件最多容纳 {most:,} 字节。</translation>
    </message>
    <message>
        <source>No earlier merge creates {part!r}, which is part of the merge of rank {rank}.</source>
        <translation>{part!r} 是 rank 为 {rank} 的合并的一部分，但前面没有合并产生它。</translation>
    </message>
    <message>
        <source>{path} is not a minbpe model: its first line is {text!r} instead of {version!r}.</source>
        <translation>{path} 不是 minbpe 模型：第一行是 {text!r}，而不是 {version!r}。</translation>
    </message>
    <message>
        <source>{path}, row {row:,}: {reason}</source>
        <translation>{path} 第 {row:,} 行：{reason}</translation>
    </message>
    <message>
        <source>{text!r} is not the number of special tokens, which must follow on one line each.</source>
        <translation>{text!r} 不是特殊词元的数目；其后应每行一个特殊词元。</translation>
    </message>
    <message>
        <source>{text!r} is not a special token and its id, separated by a space.</source>
        <translation>{text!r} 不是以空格隔开的特殊词元和 ID。</translation>
    </message>
    <message>
        <source>the special token {token!r} or its id {id} is already used.</source>
        <translation>特殊词元 {token!r} 或它的 ID {id} 已被使用。</translation>
    </message>
    <message>
        <source>the special tokens up to this line exceed {most:,} characters in total.</source>
        <translation>到此行为止，特殊词元合计超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>minbpe never finds the special token {token!r}, because it starts with {other!r}, which is listed before it.</source>
        <translation>minbpe 永远找不到特殊词元 {token!r}，因为它以排在前面的 {other!r} 开头。</translation>
    </message>
    <message>
        <source>the tokens up to this line exceed {most:,} bytes in total.</source>
        <translation>到此行为止，词元合计超过 {most:,} 字节。</translation>
    </message>
    <message>
        <source>the token {token!r} already occurs on line {other}.</source>
        <translation>词元 {token!r} 已在第 {other} 行出现。</translation>
    </message>
    <message>
        <source>{text!r} is not a merge. A merge is two ids, both less than the new id {limit}.</source>
        <translation>{text!r} 不是合并规则。一条合并规则是两个 ID，都小于新的 ID {limit}。</translation>
    </message>
    <message>
        <source>A minbpe model cannot represent the splitter {pattern!r}: it must be one line without leading or trailing whitespace.</source>
        <translation>minbpe 模型无法表示预分词规则 {pattern!r}：它必须是一行，且首尾没有空白。</translation>
    </message>
    <message>
        <source>Capturing groups ( ) in a regular expression change how minbpe splits text. Use (?: ) instead.</source>
        <translation>正则表达式中的捕获组 ( ) 会改变 minbpe 的切分结果。请改用 (?: )。</translation>
    </message>
    <message>
        <source>A minbpe model merges bytes, but this tokenizer starts from characters. Set units to bytes and train again.</source>
        <translation>minbpe 模型合并的是字节，而此分词器从字符开始。请把单位设为“字节”后重新训练。</translation>
    </message>
    <message>
        <source>A minbpe model has no end-of-word markers. Set the word boundary to none and train again.</source>
        <translation>minbpe 模型没有词尾标记。请把词边界设为“无标记”后重新训练。</translation>
    </message>
    <message>
        <source>A minbpe model cannot represent the special token {token!r}: it contains whitespace or has more than {most:,} characters.</source>
        <translation>minbpe 模型无法表示特殊词元 {token!r}：它含有空白，或超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>The special tokens have more than {most:,} characters in total, too many to be read back.</source>
        <translation>特殊词元合计超过 {most:,} 个字符，数量太多，无法再读回。</translation>
    </message>
    <message>
        <source>A minbpe model cannot represent the merge {left!r} {right!r} (rank {rank}): a merge must join two existing tokens into a new one.</source>
        <translation>minbpe 模型无法表示合并 {left!r} {right!r}（rank {rank}）：合并必须由两个已有的词元产生一个新词元。</translation>
    </message>
    <message>
        <source>The tokens have more than {most:,} bytes in total, too many to be read back.</source>
        <translation>词元合计超过 {most:,} 字节，数量太多，无法再读回。</translation>
    </message>
    <message>
        <source>The ids are not those of a minbpe model (0 to 255 for bytes, 256 and up for merges). They first differ at {id}, {token!r}. Train with the recipe minbpe.</source>
        <translation>ID 与 minbpe 模型不符（字节为 0 到 255，合并从 256 开始）。从 {id}（{token!r}）起不同。请用配方 minbpe 训练。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a string.</source>
        <translation>{path}：{key} 必须是字符串。</translation>
    </message>
    <message>
        <source>{path}: {key} must be true or false.</source>
        <translation>{path}：{key} 必须是 true 或 false。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a non-negative integer less than {limit}.</source>
        <translation>{path}：{key} 必须是小于 {limit} 的非负整数。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a list of strings.</source>
        <translation>{path}：{key} 必须是字符串列表。</translation>
    </message>
    <message>
        <source>{path}: {key} contains {value!r}, which is not valid UTF-8.</source>
        <translation>{path}：{key} 含有 {value!r}，它不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{path} is not a GGUF file: it does not start with GGUF.</source>
        <translation>{path} 不是 GGUF 文件：它不以 GGUF 开头。</translation>
    </message>
    <message>
        <source>{path} uses GGUF version {version}. Only versions 2 and 3 in little-endian byte order are supported.</source>
        <translation>{path} 是 GGUF 第 {version} 版。只支持小端序的第 2 版和第 3 版。</translation>
    </message>
    <message>
        <source>{path}: the key {key!r} occurs twice.</source>
        <translation>{path}：键 {key!r} 重复。</translation>
    </message>
    <message>
        <source>{path}: {key!r} has the unknown type {type}.</source>
        <translation>{path}：{key!r} 的类型 {type} 未知。</translation>
    </message>
    <message>
        <source>{path}: the size {size:,} at {key!r} is over the limit of {most:,}.</source>
        <translation>{path}：{key!r} 处的大小 {size:,} 超过上限 {most:,}。</translation>
    </message>
    <message>
        <source>{path}: at {key!r}, the keys and values exceed {most:,} bytes in total.</source>
        <translation>{path}：读到 {key!r} 时，键和值合计超过 {most:,} 字节。</translation>
    </message>
    <message>
        <source>{path} is truncated: it ends inside the value of {key!r}.</source>
        <translation>{path} 不完整：文件在 {key!r} 的值中间就结束了。</translation>
    </message>
    <message>
        <source>{path}: {key} must be a list of {count:,} numbers.</source>
        <translation>{path}：{key} 必须是含 {count:,} 个数的列表。</translation>
    </message>
    <message>
        <source>{path} is not a tokenizer.json file: it has no model.</source>
        <translation>{path} 不是 tokenizer.json：其中没有 model。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}. Only {known} is supported.</source>
        <translation>{path}：{place} 是 {value!r}。只支持 {known}。</translation>
    </message>
    <message>
        <source>{path} is a vocabulary without its merges. Put these into the same folder: vocab.json needs merges.txt, encoder.json needs vocab.bpe, and PREFIX-vocab.json needs PREFIX-merges.txt.</source>
        <translation>{path} 是没有合并规则的词表。请把所需文件放入同一文件夹：vocab.json 需要 merges.txt，encoder.json 需要 vocab.bpe，PREFIX-vocab.json 需要 PREFIX-merges.txt。</translation>
    </message>
    <message>
        <source>{path} contains a lone surrogate, which is not a valid character.</source>
        <translation>{path} 含有孤立的代理码点，它不是有效的字符。</translation>
    </message>
    <message>
        <source>{path}: {place} adds the id {id} to every text, but no token has this id.</source>
        <translation>{path}：{place} 为每个文本添加 ID {id}，但没有词元具有该 ID。</translation>
    </message>
    <message>
        <source>The file also says how to cut or pad texts ({settings}). This is kept, but texts are encoded without it.</source>
        <translation>文件还规定了如何截断或填充文本（{settings}）。这些设置会保留，但编码时不应用。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}, which is not in model.vocab.</source>
        <translation>{path}：{place} 是 {value!r}，而它不在 model.vocab 中。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} is empty after normalization.</source>
        <translation>{path}：{place} 中的 {token!r} 规范化后为空。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} and {other!r} are identical after normalization.</source>
        <translation>{path}：{place} 中的 {token!r} 与 {other!r} 规范化后相同。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the special tokens {first!r} and {second!r}, which may share characters of a text: llama.cpp then takes the longer one, `tokenizers` the one to the left.</source>
        <translation>tokenizer.json 无法表示特殊词元 {first!r} 和 {second!r}，它们在文本中可能共用字符：这时 llama.cpp 取较长的，`tokenizers` 取靠左的。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the merge {left!r} {right!r}: another merge has the same rank, and the text determines which of them comes first.</source>
        <translation>tokenizer.json 无法表示合并 {left!r} {right!r}：另一条合并规则的 rank 与它相同，哪一条先执行取决于文本。</translation>
    </message>
    <message>
        <source>{path}: {place} has the unknown key {key!r}.</source>
        <translation>{path}：{place} 含有未知的键 {key!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} has the type {kind}, which is not supported. Supported types are {kinds}.</source>
        <translation>{path}：不支持 {place} 的类型 {kind}。支持的类型有 {kinds}。</translation>
    </message>
    <message>
        <source>{path}: {place} has more than {most} steps.</source>
        <translation>{path}：{place} 的步骤超过 {most} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} replaces empty matches, which `tokenizers` may handle incorrectly.</source>
        <translation>{path}：{place} 会替换空匹配，`tokenizers` 可能无法正确处理。</translation>
    </message>
    <message>
        <source>{path}: {place} must have exactly one key, String or Regex.</source>
        <translation>{path}：{place} 必须只有一个键：String 或 Regex。</translation>
    </message>
    <message>
        <source>{path}: {place} has {length:,} characters, but it must have {least:,} to {most:,}.</source>
        <translation>{path}：{place} 有 {length:,} 个字符，而它必须有 {least:,} 到 {most:,} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} cannot be {value!r}. The choices are {choices}.</source>
        <translation>{path}：{place} 必须是 {choices} 之一，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} contradicts prepend_scheme.</source>
        <translation>{path}：{place} 与 prepend_scheme 矛盾。</translation>
    </message>
    <message>
        <source>{path}: {place} must have the same value for str_rep and replacement.</source>
        <translation>{path}：{place} 的 str_rep 与 replacement 必须相同。</translation>
    </message>
    <message>
        <source>{path}: {place} has more than one step that adds ids, which is not supported.</source>
        <translation>{path}：{place} 含有多个添加 ID 的步骤，不支持这种情况。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a list of a token and its id.</source>
        <translation>{path}：{place} 必须是由一个词元及其 ID 组成的列表。</translation>
    </message>
    <message>
        <source>{path}: {place}: the template for a single text must contain that text exactly once.</source>
        <translation>{path}：{place}：单个文本的模板必须恰好含有该文本一次。</translation>
    </message>
    <message>
        <source>{path}: {place}: the template for a single text does not contain the text.</source>
        <translation>{path}：{place}：单个文本的模板不含该文本。</translation>
    </message>
    <message>
        <source>{path}: {place} is {value!r}. Only BPE models can be opened.</source>
        <translation>{path}：{place} 是 {value!r}。只能打开 BPE 模型。</translation>
    </message>
    <message>
        <source>{path}: {place} is longer than {most:,} characters.</source>
        <translation>{path}：{place} 超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} has the id {id}, which already belongs to {other!r}.</source>
        <translation>{path}：{place} 中 {token!r} 的 ID {id} 已属于 {other!r}。</translation>
    </message>
    <message>
        <source>{path}: {place}[{rank}] must be a pair of tokens, like the other merges.</source>
        <translation>{path}：{place}[{rank}] 必须像其他合并一样是一对词元。</translation>
    </message>
    <message>
        <source>{path}: {place}[{rank}] must be two tokens separated by a space.</source>
        <translation>{path}：{place}[{rank}] 必须是以空格隔开的两个词元。</translation>
    </message>
    <message>
        <source>{path}: {place}.content must have 1 to {most:,} characters.</source>
        <translation>{path}：{place}.content 必须有 1 到 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: {place}: {token!r} is a duplicate.</source>
        <translation>{path}：{place}：{token!r} 重复。</translation>
    </message>
    <message>
        <source>{path}: {place}[{rank}] needs the token {token!r}, which is not in model.vocab.</source>
        <translation>{path}：{place}[{rank}] 需要词元 {token!r}，而它不在 model.vocab 中。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a number from 0 to 1, not {value!r}.</source>
        <translation>{path}：{place} 必须是 0 到 1 之间的数，不能是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: in {place}, {token!r} has the id {id}, but `tokenizers` would give it the id {number}.</source>
        <translation>{path}：{place} 中 {token!r} 的 ID 是 {id}，但 `tokenizers` 会给它 ID {number}。</translation>
    </message>
    <message>
        <source>{path} is a SentencePiece model of the type {kind}. Only models of the type bpe can be opened.</source>
        <translation>{path} 是 {kind} 类型的 SentencePiece 模型。只能打开 bpe 类型的模型。</translation>
    </message>
    <message>
        <source>{path} is not a SentencePiece model.</source>
        <translation>{path} 不是 SentencePiece 模型。</translation>
    </message>
    <message>
        <source>{path} has more than {most:,} pieces.</source>
        <translation>{path} 含有超过 {most:,} 个子词单元。</translation>
    </message>
    <message>
        <source>{path}: piece {number}, {piece!r}, is marked as unused, which is not supported.</source>
        <translation>{path}：ID 为 {number} 的子词单元 {piece!r} 标记为 unused，不支持这种情况。</translation>
    </message>
    <message>
        <source>{path}: piece {number} is not valid UTF-8.</source>
        <translation>{path}：ID 为 {number} 的子词单元不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{path}: piece {number} must have 1 to {most:,} characters and no null characters.</source>
        <translation>{path}：ID 为 {number} 的子词单元必须有 1 到 {most:,} 个字符，且不含空字符。</translation>
    </message>
    <message>
        <source>{path}: piece {number}, {piece!r}, is the same as piece {other}.</source>
        <translation>{path}：ID 为 {number} 的子词单元 {piece!r} 与 ID 为 {other} 的相同。</translation>
    </message>
    <message>
        <source>{path}: piece {number}, {piece!r}, does not have a finite score.</source>
        <translation>{path}：ID 为 {number} 的子词单元 {piece!r} 的分数不是有限数。</translation>
    </message>
    <message>
        <source>{path} must have exactly one unknown piece, not {count}.</source>
        <translation>{path} 必须恰好有一个 unknown 子词单元，而不是 {count} 个。</translation>
    </message>
    <message>
        <source>{path} has {count} byte pieces. It must have all 256 if byte_fallback is set, and none otherwise.</source>
        <translation>{path} 有 {count} 个字节子词单元。设置了 byte_fallback 时必须有全部 256 个，否则一个也不能有。</translation>
    </message>
    <message>
        <source>A SentencePiece model needs ids without gaps, starting at 0, and a token for unknown symbols (--unk-token).</source>
        <translation>SentencePiece 模型的 ID 必须从 0 开始且连续，并且要有未知符号的词元（--unk-token）。</translation>
    </message>
    <message>
        <source>A SentencePiece model cannot represent the symbol {token!r} of this tokenizer: SentencePiece would find symbols elsewhere, or encode the white space beside them differently.</source>
        <translation>SentencePiece 模型无法表示此分词器的符号 {token!r}：SentencePiece 会在别处找到符号，或对其旁的空白编码不同。</translation>
    </message>
    <message>
        <source>{path} contains more than {most:,} values, which is too many for this kind of file.</source>
        <translation>{path} 含有超过 {most:,} 个值，超出此类文件的合理范围。</translation>
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
        <source>{path}: {place} must have at most {most:,} values, not {length:,}.</source>
        <translation>{path}：{place} 最多可有 {most:,} 个值，而不是 {length:,} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a string, not {value!r}.</source>
        <translation>{path}：{place} 必须是字符串，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be an integer from {low} to {high}, not {value!r}.</source>
        <translation>{path}：{place} 必须是 {low} 到 {high} 之间的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be true or false, not {value!r}.</source>
        <translation>{path}：{place} 必须是 true 或 false，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place}: {reason}</source>
        <translation>{path}：{place}：{reason}</translation>
    </message>
    <message>
        <source>The project has too many merges to be opened again: with their tokens and counts, its file would contain more than {most:,} values. Delete branches, or train to a smaller vocabulary.</source>
        <translation>这个项目含有过多合并，保存后将无法再次打开：连同它们的词元和次数，项目文件中的值会超过 {most:,} 个。请删除一些分支，或者训练到较小的词表。</translation>
    </message>
    <message>
        <source>{path} is not a readable file.</source>
        <translation>{path} 不是可读取的文件。</translation>
    </message>
    <message>
        <source>{path} is not a bpe-gui project.</source>
        <translation>{path} 不是 bpe-gui 项目。</translation>
    </message>
    <message>
        <source>{path} was saved by a newer version of bpe-gui (project format {version}). Update bpe-gui to open it.</source>
        <translation>{path} 由更新版本的 bpe-gui 保存（项目格式 {version}）。请更新 bpe-gui 后再打开。</translation>
    </message>
    <message>
        <source>{path}: {place} must be 64 hexadecimal digits, not {value!r}.</source>
        <translation>{path}：{place} 必须是 64 位十六进制数字，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a unique id and a token, not {value!r}.</source>
        <translation>{path}：{place} 必须是一个不重复的 ID 和一个词元，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be two tokens separated by a space, not {value!r}.</source>
        <translation>{path}：{place} 必须是以空格隔开的两个词元，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} contains {character!r}, which does not represent a byte.</source>
        <translation>{path}：{place} 含有 {character!r}，它不代表任何字节。</translation>
    </message>
    <message>
        <source>{path}: {place}: the token {token!r} is not in the vocabulary.</source>
        <translation>{path}：{place}：词元 {token!r} 不在词表中。</translation>
    </message>
    <message>
        <source>The project would be {size:,} bytes, but only projects of up to {most:,} bytes can be opened again. Save large texts as files and open those instead, or delete branches.</source>
        <translation>这个项目将有 {size:,} 字节，而只有不超过 {most:,} 字节的项目才能再次打开。请把大段文本存为文件，再打开这些文件，或者删除一些分支。</translation>
    </message>
    <message>
        <source>{path}: {place} must have one count for each of the {merges:,} merges.</source>
        <translation>{path}：{place} 必须为 {merges:,} 条合并规则各给出一个次数。</translation>
    </message>
    <message>
        <source>The folder {path} cannot be created or written to. Check its permissions.</source>
        <translation>无法创建或写入文件夹 {path}。请检查其权限。</translation>
    </message>
    <message>
        <source>The splitter finds no words: {splitter!r} matches nothing in the corpus.</source>
        <translation>预分词规则找不到任何词：语料中没有与 {splitter!r} 匹配的内容。</translation>
    </message>
    <message>
        <source>There is not enough memory to count the words of this corpus. Train on part of it.</source>
        <translation>内存不足，无法统计该语料的词。请只用其中一部分训练。</translation>
    </message>
    <message>
        <source>The corpus is empty, because no record has a text (left out: {skipped:,}). Check the name of the field with the text.</source>
        <translation>语料为空，因为没有一条记录含有文本（略过了 {skipped:,} 条）。请检查文本所在字段的名称。</translation>
    </message>
    <message>
        <source>The corpus is empty, so there are no words to train on. Add some text.</source>
        <translation>语料为空，没有可供训练的词。请添加一些文本。</translation>
    </message>
    <message>
        <source>No Dask scheduler answers at {address}: {reason}.</source>
        <translation>{address} 处没有 Dask 调度器应答：{reason}。</translation>
    </message>
    <message>
        <source>The connection to the Dask scheduler at {address} was lost before the work was finished. Restart the scheduler.</source>
        <translation>与 {address} 处的 Dask 调度器的连接在完成之前断开。请重新启动调度器。</translation>
    </message>
    <message>
        <source>The work on the cluster at {address} failed: {reason}.</source>
        <translation>在 {address} 的集群上工作失败：{reason}。</translation>
    </message>
    <message>
        <source>The cluster has no workers yet. Start some with `dask worker`.</source>
        <translation>集群中还没有工作节点。请用 `dask worker` 启动。</translation>
    </message>
    <message>
        <source>The worker {worker} cannot be used: {reason}. Install bpe-gui there.</source>
        <translation>工作节点 {worker} 无法使用：{reason}。请在该节点上安装 bpe-gui。</translation>
    </message>
    <message>
        <source>With these weights, the count of every word rounds to 0. Use larger weights.</source>
        <translation>按这些权重，每个词的次数四舍五入后都是 0。请使用更大的权重。</translation>
    </message>
    <message>
        <source>This corpus is {size:,} MB, and training on it would take at least {needed:,} MB of memory, but only {available:,} MB are free. Train on part of it.</source>
        <translation>该语料有 {size:,} MB，训练至少需要 {needed:,} MB 内存，而可用内存只有 {available:,} MB。请只用其中一部分训练。</translation>
    </message>
    <message>
        <source>Memory is running out: only {available:,} MB are free after {done:,} MB of text, because the text has too many unique words. Train on part of the corpus, or choose a splitter that makes shorter words.</source>
        <translation>内存即将耗尽：读完 {done:,} MB 文本后可用内存只剩 {available:,} MB，因为文本中不重复的词太多。请只用语料的一部分训练，或选择能切出更短的词的预分词规则。</translation>
    </message>
    <message>
        <source>A part of a corpus must begin at byte 0 or later, not at {start:,}.</source>
        <translation>语料的一部分应从第 0 字节或之后开始，而不是 {start:,}。</translation>
    </message>
    <message>
        <source>There are no counts to merge.</source>
        <translation>没有可以合并的词频。</translation>
    </message>
    <message>
        <source>The text must occur at least once, not {times} times.</source>
        <translation>文本必须出现一次或多次，不能是 {times} 次。</translation>
    </message>
    <message>
        <source>The arrays do not fit together: {words:,} words need as many counts and one more start, and the last start must be the size of the text.</source>
        <translation>这些数组不匹配：{words:,} 个词须有同样多的计数，起点须多一个，且最后一个起点等于文本的大小。</translation>
    </message>
    <message>
        <source>The first word must start at 0, no word may be empty, and counts must be at least 1.</source>
        <translation>第一个词必须从 0 开始，词不能为空，计数至少为 1。</translation>
    </message>
    <message>
        <source>Words must be in the order in which they were first seen, starting at 0.</source>
        <translation>词必须按首次出现的顺序排列，从 0 开始。</translation>
    </message>
    <message>
        <source>The word {word!r} has the count {count}. Words must not be empty, and counts must be at least 1.</source>
        <translation>词 {word!r} 的次数是 {count}。词不能为空，次数至少为 1。</translation>
    </message>
    <message>
        <source>The counts are too large: all words together can have at most {most:,} bytes.</source>
        <translation>次数过大：所有词合计最多 {most:,} 字节。</translation>
    </message>
    <message>
        <source>A word has more than {most:,} bytes, too many for a file.</source>
        <translation>有一个词超过 {most:,} 字节，太长，无法写入文件。</translation>
    </message>
    <message>
        <source>{path}: word counts are written to a Parquet file. Use a name that ends in .parquet.</source>
        <translation>{path}：词频会写入 Parquet 文件。请使用以 .parquet 结尾的文件名。</translation>
    </message>
    <message>
        <source>{path} is one of the inputs. Write the counts to another file.</source>
        <translation>{path} 是输入文件之一。请把词频写入另一个文件。</translation>
    </message>
    <message>
        <source>{path} is a Parquet file, but not a counts file: its metadata lacks {key}. Create a counts file with `bpe-gui count`.</source>
        <translation>{path} 是 Parquet 文件，但不是词频文件：它的元数据中没有 {key}。请用 `bpe-gui count` 生成词频文件。</translation>
    </message>
    <message>
        <source>{path} has no column {name}. The columns of a counts file are word (binary), count (int64) and first_seen (int64).</source>
        <translation>{path} 没有列 {name}。词频文件的列是 word（binary）、count（int64）和 first_seen（int64）。</translation>
    </message>
    <message>
        <source>{path}: the column {name} must have the type {kind}, not {found}. The columns of a counts file are word (binary), count (int64) and first_seen (int64).</source>
        <translation>{path}：列 {name} 的类型必须是 {kind}，而不是 {found}。词频文件的列是 word（binary）、count（int64）和 first_seen（int64）。</translation>
    </message>
    <message>
        <source>{name} is empty (null).</source>
        <translation>{name} 为空（null）。</translation>
    </message>
    <message>
        <source>the count is {count}. It must be at least 1.</source>
        <translation>次数是 {count}，但至少应为 1。</translation>
    </message>
    <message>
        <source>first_seen must be larger than in the previous row, and at least 0. Rows are in the order in which words were first seen.</source>
        <translation>first_seen 必须大于上一行的值，且不小于 0。各行按词首次出现的顺序排列。</translation>
    </message>
    <message>
        <source>the word is empty.</source>
        <translation>词为空。</translation>
    </message>
    <message>
        <source>the word is not valid UTF-8.</source>
        <translation>词不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{path}: the counts are too large. All words together can have at most {most:,} bytes.</source>
        <translation>{path}：次数过大。所有词合计最多 {most:,} 字节。</translation>
    </message>
    <message>
        <source>the word {word!r} already occurs in row {first:,}.</source>
        <translation>词 {word!r} 已经出现在第 {first:,} 行。</translation>
    </message>
    <message>
        <source>{path} has more than {most:,} lines, which is too many for this kind of tokenizer file.</source>
        <translation>{path} 超过 {most:,} 行，超出此类分词器文件的合理长度。</translation>
    </message>
    <message>
        <source>{path}: {key} is {kind!r}. Only gpt2, gemma4 and llama are byte-pair encodings.</source>
        <translation>{path}：{key} 是 {kind!r}。只有 gpt2、gemma4 和 llama 是字节对编码。</translation>
    </message>
    <message>
        <source>{path}: {key} contains {token!r} twice, with the ids {first} and {second}.</source>
        <translation>{path}：{key} 中 {token!r} 出现两次，ID 为 {first} 和 {second}。</translation>
    </message>
    <message>
        <source>{path}: {key} is {name!r}, which is not a supported pre-tokenizer.</source>
        <translation>{path}：{key} 是 {name!r}，不支持这种预分词器。</translation>
    </message>
    <message>
        <source>{path}: merge {rank} of {key}, {text!r}, is not two tokens separated by a space.</source>
        <translation>{path}：{key} 中 rank 为 {rank} 的合并 {text!r} 不是以空格隔开的两个词元。</translation>
    </message>
    <message>
        <source>{path}: {key} must be pairs of tokens that make a token.</source>
        <translation>{path}：{key} 必须是能组成词元的词元对。</translation>
    </message>
    <message>
        <source>{path}: {key} has no merges that make the token {token!r}.</source>
        <translation>{path}：{key} 中没有能产生词元 {token!r} 的合并。</translation>
    </message>
    <message>
        <source>{path}: {key} must contain only finite numbers.</source>
        <translation>{path}：{key} 中的数都必须是有限数。</translation>
    </message>
    <message>
        <source>llama.cpp would take the token {token!r} for another one, because of its name or because two tokens are written like this.</source>
        <translation>llama.cpp 会把词元 {token!r} 当成另一个：或因其名称，或因有两个词元写法相同。</translation>
    </message>
    <message>
        <source>llama.cpp has no tokenizer that normalizes, splits or merges text in this way.</source>
        <translation>llama.cpp 没有以这种方式规范化、切分或合并文本的分词器。</translation>
    </message>
    <message>
        <source>A GGUF file names how llama.cpp splits text, and none of the ways it knows is this tokenizer&apos;s. The splitter gpt2 is one of them, and so are the published expressions of Llama 3 and Qwen 2.</source>
        <translation>GGUF 文件只记预分词规则的名称，而 llama.cpp 认得的规则里没有这个分词器所用的。切分器 gpt2 是它认得的，Llama 3 和 Qwen 2 公布的表达式也是。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent a SentencePiece model that puts whitespace after words (treat_whitespace_as_suffix).</source>
        <translation>tokenizer.json 无法表示把空白放在词后的 SentencePiece 模型（treat_whitespace_as_suffix）。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the user-defined symbol {symbol!r} of this SentencePiece model, because `tokenizers` would change it like any other text.</source>
        <translation>tokenizer.json 无法表示此 SentencePiece 模型的自定义符号 {symbol!r}，因为 `tokenizers` 会像其他文本一样改变它。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent pieces that share a score, such as {piece!r} and {other!r} in this SentencePiece model, because the text determines which of them is merged first.</source>
        <translation>tokenizer.json 无法表示分数相同的子词单元，例如此 SentencePiece 模型中的 {piece!r} 和 {other!r}，因为哪一个先合并取决于文本。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the control symbol {token!r} of this SentencePiece model. It is a single character, so it would be found in ordinary text.</source>
        <translation>tokenizer.json 无法表示此 SentencePiece 模型的控制符号 {token!r}。它只有一个字符，会在普通文本中被识别出来。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the character map ({name}) of this SentencePiece model, which writes letters in lower case: `tokenizers` would remove the accents that follow them.</source>
        <translation>tokenizer.json 无法表示此 SentencePiece 模型的字符映射（{name}），它把字母改为小写：`tokenizers` 会去掉其后的重音。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the user-defined symbol {symbol!r} of this SentencePiece model, which puts a space before every text (add_dummy_prefix), even if the text is a symbol itself.</source>
        <translation>tokenizer.json 无法表示此 SentencePiece 模型的用户自定义符号 {symbol!r}：该模型会在每个文本前加一个空格（add_dummy_prefix），即使文本本身就是一个符号。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the character map ({name}) that this SentencePiece model applies to decoded text.</source>
        <translation>tokenizer.json 无法表示此 SentencePiece 模型用于解码文本的字符映射表（{name}）。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent a step of the type {kind}.</source>
        <translation>tokenizer.json 无法表示 {kind} 类型的步骤。</translation>
    </message>
    <message>
        <source>Version 5 of transformers replaces the steps in tokenizer.json by those of the class {name}, which differ. Here they are kept. Saved with the tokenizer_class {any}, they are kept there, too.</source>
        <translation>transformers 第 5 版会用类 {name} 的步骤替换 tokenizer.json 中的步骤，而两者不同。此处保留文件中的步骤。以 tokenizer_class {any} 保存后，transformers 也会保留它们。</translation>
    </message>
    <message>
        <source>The files beside the tokenizer say that the token {token!r} has the id {id}. It has the id {number}, as in transformers.</source>
        <translation>分词器旁边的文件说词元 {token!r} 的 ID 是 {id}。这里与 transformers 一样，ID 是 {number}。</translation>
    </message>
    <message>
        <source>{path} must contain a JSON object.</source>
        <translation>{path} 中必须是 JSON 对象。</translation>
    </message>
    <message>
        <source>This format cannot represent how this tokenizer normalizes, splits or merges text.</source>
        <translation>这种格式无法表示此分词器如何规范化、切分或合并文本。</translation>
    </message>
    <message>
        <source>This tokenizer has no merges, so there is nothing to replay.</source>
        <translation>此分词器没有合并，没有可重放的内容。</translation>
    </message>
    <message>
        <source>This tokenizer changes text before it splits it ({changes}). A run counts text as it is, so it cannot replay these merges.</source>
        <translation>此分词器在切分之前会改变文本（{changes}）。训练按文本原样统计，所以无法重放这些合并。</translation>
    </message>
    <message>
        <source>No recipe describes how this tokenizer normalizes, splits or merges text, so it cannot be replayed.</source>
        <translation>没有配方能描述此分词器如何规范化、切分或合并文本，所以无法重放。</translation>
    </message>
    <message>
        <source>tokenizer.json attaches an end-of-word marker to every word, but the splitter zh-en attaches one only to words of letters and digits. Choose another word boundary or splitter and train again.</source>
        <translation>tokenizer.json 会给每个词附上词尾标记，而预分词规则 zh-en 只给由字母和数字组成的词附上。请选择其他词边界或预分词规则后重新训练。</translation>
    </message>
    <message>
        <source>tokenizer.json can represent seed tokens only if nothing merges with them, but {left!r} {right!r} does. Ban the tokens that contain a seed and more by an expression, such as .+ing|ing.+, and train again, or save as gpt2, whose training.json holds seeds for bpe-gui.</source>
        <translation>只有种子词元不与任何符号合并时，tokenizer.json 才能表示它们，但这里有合并 {left!r} {right!r}。请用 .+ing|ing.+ 这样的表达式禁用比种子词元更长的词元并重新训练，或保存为 gpt2，其中的 training.json 会为 bpe-gui 保存种子词元。</translation>
    </message>
    <message>
        <source>tokenizer.json can represent seed tokens only without end-of-word markers, and if each other token is made by the merges from its own text. Save as gpt2, whose training.json holds seeds for bpe-gui.</source>
        <translation>只有不使用词尾标记，并且其他每个词元都能由合并从自身文本得到时，tokenizer.json 才能表示种子词元。请保存为 gpt2，其中的 training.json 会为 bpe-gui 保存种子词元。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent separate end-of-word markers for bytes. Set units to characters, or the word boundary to none or suffix-attached (“&lt;/w&gt; on the last character”), and train again.</source>
        <translation>tokenizer.json 无法表示字节的独立词尾标记。请把单位设为“字符”，或把词边界设为“无标记”（none）或“末字符带 &lt;/w&gt;”（suffix-attached），然后重新训练。</translation>
    </message>
    <message>
        <source>tokenizer.json spells separate end-of-word markers as spaces, so words must not contain spaces. Set the splitter to {splitters}, or the word boundary to none or suffix-attached (“&lt;/w&gt; on the last character”), and train again.</source>
        <translation>tokenizer.json 把独立的词尾标记写作空格，因此词中不能有空格。请把预分词规则设为 {splitters}，或把词边界设为“无标记”（none）或“末字符带 &lt;/w&gt;”（suffix-attached），然后重新训练。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the merge {left!r} {right!r} (rank {rank}): it occurs twice, joins the token for unknown symbols, or creates an end-of-word marker from text.</source>
        <translation>tokenizer.json 无法表示合并 {left!r} {right!r}（rank {rank}）：它出现了两次，或用到了未知符号的词元，或由文本产生了词尾标记。</translation>
    </message>
    <message>
        <source>tokenizer.json cannot represent the merge {left!r} {right!r} (rank {rank}), because the token {token!r} is not in the vocabulary. Set the vocabulary to grow (“Only grows”) and train again.</source>
        <translation>tokenizer.json 无法表示合并 {left!r} {right!r}（rank {rank}），因为词元 {token!r} 不在词表中。请把词表设为“只增不减”（grow）后重新训练。</translation>
    </message>
    <message>
        <source>{path}: the character map is damaged: its trie has an invalid size.</source>
        <translation>{path}：字符映射表已损坏：字典树的大小无效。</translation>
    </message>
    <message>
        <source>{path}: the character map is damaged: a string in it is not terminated.</source>
        <translation>{path}：字符映射表已损坏：其中一个字符串没有结束符。</translation>
    </message>
    <message>
        <source>{path}: the character map is damaged: its strings are too long.</source>
        <translation>{path}：字符映射表已损坏：其中的字符串过长。</translation>
    </message>
    <message>
        <source>{path}: the character map is damaged: a string in it is not valid UTF-8.</source>
        <translation>{path}：字符映射表已损坏：其中一个字符串不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>{path}: the character map is damaged: its trie points outside itself or back into itself.</source>
        <translation>{path}：字符映射表已损坏：字典树指向自身之外，或绕回自身。</translation>
    </message>
    <message>
        <source>{path}: the character map is damaged: its trie has too many keys.</source>
        <translation>{path}：字符映射表已损坏：字典树的键过多。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a character map, encoded in Base64.</source>
        <translation>{path}：{place} 必须是以 Base64 编码的字符映射表。</translation>
    </message>
    <message>
        <source>{path}: the pieces have more than {most:,} characters in total.</source>
        <translation>{path}：子词单元合计超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: opening SentencePiece models needs the packages sentencepiece and protobuf ({reason}). {remedy}</source>
        <translation>{path}：打开 SentencePiece 模型需要软件包 sentencepiece 和 protobuf（{reason}）。{remedy}</translation>
    </message>
    <message>
        <source>A SentencePiece model needs SentencePiece&apos;s way of splitting text. Train with the recipe sentencepiece.</source>
        <translation>SentencePiece 模型需要 SentencePiece 的文本切分方式。请用 sentencepiece 配方训练。</translation>
    </message>
    <message>
        <source>A SentencePiece model has only pieces, and these merges do not follow from them: two make the same piece, or one joins other parts than SentencePiece would.</source>
        <translation>SentencePiece 模型里只有子词单元（piece），而这些合并无法由子词单元推出：有两个合并得到同一个子词单元，或者某个合并连接的两部分与 SentencePiece 的不同。</translation>
    </message>
    <message>
        <source>The character map {name} of this tokenizer cannot be written.</source>
        <translation>无法写出此分词器的字符映射表 {name}。</translation>
    </message>
    <message>
        <source>{path}: the piece {piece!r} contains the character {character!r}, which is not a piece itself.</source>
        <translation>{path}：子词单元 {piece!r} 含有字符 {character!r}，而该字符本身不是子词单元。</translation>
    </message>
    <message>
        <source>{path}: there are {names:,} special tokens, but default_num_special_tokens is {count:,}.</source>
        <translation>{path}：有 {names:,} 个特殊词元，而 default_num_special_tokens 是 {count:,}。</translation>
    </message>
    <message>
        <source>{path}: two special tokens are identical.</source>
        <translation>{path}：有两个特殊词元相同。</translation>
    </message>
    <message>
        <source>{path}: a file of version {value!r} must contain special_tokens.</source>
        <translation>{path}：版本为 {value!r} 的文件必须含有 special_tokens。</translation>
    </message>
    <message>
        <source>{path}: the special tokens have more than {most:,} characters in total.</source>
        <translation>{path}：特殊词元合计超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>{path}: {place} has {length:,} tokens, but config requires {count:,}.</source>
        <translation>{path}：{place} 有 {length:,} 个词元，而 config 要求 {count:,} 个。</translation>
    </message>
    <message>
        <source>{path}: {place} is {token!r}, but the first 256 tokens must be the bytes in order.</source>
        <translation>{path}：{place} 是 {token!r}，而前 256 个词元必须是按顺序排列的各个字节。</translation>
    </message>
    <message>
        <source>{path}: {place} is {token!r}, which already has the rank {other}.</source>
        <translation>{path}：{place} 是 {token!r}，它的 rank 已经是 {other}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a token of 1 to {most:,} bytes encoded in Base64, not {value!r}.</source>
        <translation>{path}：{place} 必须是 1 到 {most:,} 字节、以 Base64 编码的词元，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path} contains only ranks and does not say how text is split. Set pattern= to the name of a splitter ({names}) or to a regular expression.</source>
        <translation>{path} 只含 rank，没有说明文本如何切分。请用 pattern= 指定预分词规则的名称（{names}）或正则表达式。</translation>
    </message>
    <message>
        <source>the rank {rank} is already used on line {other}.</source>
        <translation>rank {rank} 已在第 {other} 行使用。</translation>
    </message>
    <message>
        <source>{path}: the byte {byte!r} has no rank. Each of the 256 bytes needs one.</source>
        <translation>{path}：字节 {byte!r} 没有 rank。256 个字节各需一个。</translation>
    </message>
    <message>
        <source>{text!r} is not a token and its rank. A line must contain a token in Base64, a space and an integer.</source>
        <translation>{text!r} 不是词元及其 rank。每行应为以 Base64 编码的词元、一个空格和一个整数。</translation>
    </message>
    <message>
        <source>tiktoken merges bytes, but this tokenizer starts from characters. Set units to bytes and train again.</source>
        <translation>tiktoken 合并的是字节，而此分词器从字符开始。请把单位设为“字节”后重新训练。</translation>
    </message>
    <message>
        <source>tiktoken has no end-of-word markers. Set the word boundary to none and train again.</source>
        <translation>tiktoken 没有词尾标记。请把词边界设为“无标记”后重新训练。</translation>
    </message>
    <message>
        <source>tiktoken adds nothing to words, but this tokenizer adds {affix!r}.</source>
        <translation>tiktoken 不给词添加内容，而此分词器添加 {affix!r}。</translation>
    </message>
    <message>
        <source>tiktoken encodes a text as it is, but this tokenizer changes it first ({steps}).</source>
        <translation>tiktoken 按原样编码文本，而此分词器会先改变它（{steps}）。</translation>
    </message>
    <message>
        <source>tiktoken splits a text by one expression, but this tokenizer does so in other steps ({steps}).</source>
        <translation>tiktoken 用一个表达式切分文本，而此分词器用其他步骤（{steps}）。</translation>
    </message>
    <message>
        <source>tiktoken encodes a text as it is, but this tokenizer puts a space before it (add_prefix_space).</source>
        <translation>tiktoken 按原样编码文本，而此分词器在前面加空格（add_prefix_space）。</translation>
    </message>
    <message>
        <source>tiktoken finds special tokens wherever they are in a text, but here {token!r} takes white space along or must be a word of its own (single_word, lstrip, rstrip).</source>
        <translation>tiktoken 在文本任何位置都识别特殊词元，而这里的 {token!r} 会带走空白，或必须单独成词（single_word、lstrip、rstrip）。</translation>
    </message>
    <message>
        <source>The token {token!r} has two ids, {first} and {second}, but it can have only one rank.</source>
        <translation>词元 {token!r} 有两个 ID：{first} 和 {second}，但它只能有一个 rank。</translation>
    </message>
    <message>
        <source>The token {token!r} has {length:,} bytes, but tokens in a tiktoken file can have at most {most:,}.</source>
        <translation>词元 {token!r} 有 {length:,} 字节，而 tiktoken 文件中的词元最多 {most:,} 字节。</translation>
    </message>
    <message>
        <source>The byte {byte!r} has no id of its own, but a tiktoken file needs all 256 bytes.</source>
        <translation>字节 {byte!r} 没有自己的 ID，而 tiktoken 文件需要全部 256 个字节。</translation>
    </message>
    <message>
        <source>No merge creates the token {token!r}, so tiktoken would produce it only for whole words.</source>
        <translation>没有合并产生词元 {token!r}，因此 tiktoken 只会在整个词恰好是它时给出它。</translation>
    </message>
    <message>
        <source>The merge {left!r} {right!r} (rank {rank}) cannot be recovered from a tiktoken file, in which the ids give the order of the merges and every merge creates a new token.</source>
        <translation>合并 {left!r} {right!r}（rank {rank}）无法从 tiktoken 文件还原：在这种文件中，ID 就是合并的顺序，且每条合并规则都产生新词元。</translation>
    </message>
    <message>
        <source>tiktoken would merge {left!r} and {right!r} into the token {token!r}, which this tokenizer does not.</source>
        <translation>tiktoken 会把 {left!r} 和 {right!r} 合并为词元 {token!r}，而此分词器不会。</translation>
    </message>
    <message>
        <source>{path}: the tokens have more than {most:,} bytes in total.</source>
        <translation>{path}：词元合计超过 {most:,} 字节。</translation>
    </message>
    <message>
        <source>Normalization makes the text more than {most} times as long, which is not supported.</source>
        <translation>规范化后的文本长度超过原来的 {most} 倍，不支持这种情况。</translation>
    </message>
    <message>
        <source>The package cannot be imported: {reason}.</source>
        <translation>无法导入该软件包：{reason}。</translation>
    </message>
    <message>
        <source>The package reports an error: {reason}</source>
        <translation>该软件包报告错误：{reason}</translation>
    </message>
    <message>
        <source>None of the strings could be encoded on both sides.</source>
        <translation>没有一个字符串能在两边都编码。</translation>
    </message>
    <message>
        <source>The recipe&apos;s min_count must be an integer from 1 to {most:,}, not {value!r}.</source>
        <translation>配方的 min_count 必须是 1 到 {most:,} 之间的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The recipe&apos;s merges_header must be true or false, not {value!r}.</source>
        <translation>配方的 merges_header 必须是 true 或 false，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The recipe&apos;s superwords_from must be an integer from 0 to {most:,}, not {value!r}.</source>
        <translation>配方的 superwords_from 必须是 0 到 {most:,} 的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>Whole words can only join if the recipe has no end-of-word markers, keeps all tokens and is not SentencePiece&apos;s.</source>
        <translation>只有当配方没有词尾标记、保留所有词元、并且不是 SentencePiece 的配方时，整词才能相连。</translation>
    </message>
    <message>
        <source>The alphabet latin-1 (“First 256 characters”) requires units to be characters, not bytes.</source>
        <translation>字母表“前 256 个字符”（latin-1）要求以字符为单位，不能以字节为单位。</translation>
    </message>
    <message>
        <source>The alphabet gpt2-printable (“GPT-2&apos;s order”) requires units to be bytes, not characters.</source>
        <translation>字母表“GPT-2 的顺序”（gpt2-printable）要求以字节为单位，不能以字符为单位。</translation>
    </message>
    <message>
        <source>A seed token cannot contain the end-of-word marker, &lt;/w&gt;.</source>
        <translation>种子词元不能包含词尾标记 &lt;/w&gt;。</translation>
    </message>
    <message>
        <source>The recipe&apos;s splitter must be a name or a regular expression, not {value!r}.</source>
        <translation>配方的预分词规则必须是名称或正则表达式，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>A recipe with SentencePiece&apos;s options cannot have seed tokens.</source>
        <translation>带 SentencePiece 选项的配方不能有种子词元。</translation>
    </message>
    <message>
        <source>A recipe with SentencePiece&apos;s options requires {field} to be {choice}, not {value}.</source>
        <translation>带 SentencePiece 选项的配方要求 {field} 为 {choice}，而不是 {value}。</translation>
    </message>
    <message>
        <source>Unknown recipe {name!r}. The presets are {presets}.</source>
        <translation>未知的配方 {name!r}。预设有 {presets}。</translation>
    </message>
    <message>
        <source>A recipe must be a JSON object of settings and their values.</source>
        <translation>配方必须是由选项及其值组成的 JSON 对象。</translation>
    </message>
    <message>
        <source>Unknown recipe setting {name!r}. The settings are {switches}.</source>
        <translation>未知的配方选项 {name!r}。可用的选项有 {switches}。</translation>
    </message>
    <message>
        <source>Seed tokens must be a list of texts, not {value!r}.</source>
        <translation>种子词元必须是文本的列表，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>A seed token must be a text that is not empty, not {value!r}.</source>
        <translation>种子词元必须是非空文本，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The recipe&apos;s {field} cannot be {value!r}. The choices are {choices}.</source>
        <translation>配方的 {field} 必须是 {choices} 之一，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The text has the special token {token!r} at character {start:,}, where none is allowed. Allow it by its name to obey it, or choose &quot;none&quot; to encode it as plain text.</source>
        <translation>文本第 {start:,} 个字符处有特殊词元 {token!r}，而这里不允许特殊词元。要让它生效，请按名称允许它；要把它当作普通文本编码，请选择 &quot;none&quot;。</translation>
    </message>
    <message>
        <source>The special tokens have more than {most:,} characters in total.</source>
        <translation>特殊词元合计超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>Special token number {number} is empty. It must have at least one character.</source>
        <translation>第 {number} 个特殊词元为空。至少要有一个字符。</translation>
    </message>
    <message>
        <source>The special token {token!r} occurs twice. Remove one of them.</source>
        <translation>特殊词元 {token!r} 重复。请去掉一个。</translation>
    </message>
    <message>
        <source>The special token {token!r} contains a lone surrogate, which is not a valid character.</source>
        <translation>特殊词元 {token!r} 含有孤立的代理码点，它不是有效的字符。</translation>
    </message>
    <message>
        <source>The text contains a lone surrogate (U+{code:04X}) at index {index:,}, which is not a valid character. Remove it.</source>
        <translation>文本在索引 {index:,} 处有孤立的代理码点（U+{code:04X}），它不是有效的字符。请将其删除。</translation>
    </message>
    <message>
        <source>The bytes are not valid UTF-8: 0x{byte:02X} at offset {place:,} is not part of a character. Decode them with their own encoding and pass the string.</source>
        <translation>这些字节不是有效的 UTF-8：偏移 {place:,} 处的 0x{byte:02X} 不属于任何字符。请用它们本来的编码解码，再传入字符串。</translation>
    </message>
    <message>
        <source>The starts of words must begin at 0 or more, increase, and end with the end of the last word, which is at most {size:,}.</source>
        <translation>词的起点必须不小于 0、依次递增，并以最后一个词的终点结束，该终点至多为 {size:,}。</translation>
    </message>
    <message>
        <source>A word starts at byte {start:,}, which is inside a character.</source>
        <translation>有一个词从第 {start:,} 字节开始，该处位于一个字符的内部。</translation>
    </message>
    <message>
        <source>A tokenizer can have at most {most:,} tokens and as many merges. This one has more.</source>
        <translation>分词器最多可以有 {most:,} 个词元和同样多的合并。此分词器超出了上限。</translation>
    </message>
    <message>
        <source>Merge {position} does not exist. The number of merges in this tokenizer is {merges}.</source>
        <translation>合并 {position} 不存在。此分词器共有 {merges} 条合并规则。</translation>
    </message>
    <message>
        <source>The id for unknown symbols must be an integer of 32 bits, not {id}.</source>
        <translation>未知符号的 ID 必须是 32 位整数，不能是 {id}。</translation>
    </message>
    <message>
        <source>No token has the id {id!r}. The ids of this vocabulary range from {low} to {high}.</source>
        <translation>没有 ID 为 {id!r} 的词元。词表的 ID 范围是 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>The number of threads must be 1 or more, not {threads}.</source>
        <translation>线程数必须至少为 1，不能是 {threads}。</translation>
    </message>
    <message>
        <source>How this tokenizer splits text into words depends on the whole text, so words cannot be encoded separately. Encode the text instead.</source>
        <translation>此分词器如何切分词取决于整个文本，因此无法单独编码各个词。请改为编码整个文本。</translation>
    </message>
    <message>
        <source>The ids decode to bytes that are not valid UTF-8 at offset {offset:,}.</source>
        <translation>这些 ID 解码所得的字节从偏移 {offset:,} 处起不是有效的 UTF-8。</translation>
    </message>
    <message>
        <source>The ids must be a single sequence, but the array has {dimensions} dimensions.</source>
        <translation>ID 必须是单个序列，而该数组有 {dimensions} 维。</translation>
    </message>
    <message>
        <source>Id number {number} is {id!r}. An id must be an integer.</source>
        <translation>第 {number} 个 ID 是 {id!r}。ID 必须是整数。</translation>
    </message>
    <message>
        <source>The unique words of this corpus have {places:,} symbols, but training supports at most {most:,}. Train on part of it, or choose a splitter that makes shorter words.</source>
        <translation>该语料的不重复词共有 {places:,} 个符号，而训练最多支持 {most:,} 个。请只用其中一部分训练，或选择能切出更短的词的预分词规则。</translation>
    </message>
    <message>
        <source>Training continues a tokenizer, so new special tokens must be added to that first, with surgery.with_special_tokens: {tokens}.</source>
        <translation>训练是在已有分词器上继续，因此新的特殊词元必须先用 surgery.with_special_tokens 加入该分词器：{tokens}。</translation>
    </message>
    <message>
        <source>The words were counted with the special tokens {counted}, not {asked}. Count them again.</source>
        <translation>这些词是按特殊词元 {counted} 统计的，而不是 {asked}。请重新统计。</translation>
    </message>
    <message>
        <source>The vocabulary size {size:,} is too small. It must be at least {least:,} to keep the entries of the tokenizer that training extends.</source>
        <translation>词表大小 {size:,} 太小。要保留原分词器的条目，至少需要 {least:,}。</translation>
    </message>
    <message>
        <source>The number of merges must be at least {least:,}, not {merges:,}, to keep those of the tokenizer that training extends.</source>
        <translation>要保留原分词器的合并，合并数至少应为 {least:,}，而不是 {merges:,}。</translation>
    </message>
    <message>
        <source>The number of merges must be 0 or more, not {merges}.</source>
        <translation>合并数必须大于或等于 0，而不是 {merges}。</translation>
    </message>
    <message>
        <source>The vocabulary size {size:,} is too small. It must be at least {least:,} to hold the symbols of the alphabet ({alphabet:,}) and the special tokens ({specials:,}).</source>
        <translation>词表大小 {size:,} 太小。至少要有 {least:,}，才能容纳字母表的符号（{alphabet:,}）和特殊词元（{specials:,}）。</translation>
    </message>
    <message>
        <source>Line {line} repeats the token {token!r} or the id {id}.</source>
        <translation>第 {line} 行的词元 {token!r} 或 ID {id} 重复。</translation>
    </message>
    <message>
        <source>{path}: {file} is not a regular file. Replace it with a text file.</source>
        <translation>{path}：{file} 不是普通文件。请换成文本文件。</translation>
    </message>
    <message>
        <source>Counting was cancelled. Train or start over to count again.</source>
        <translation>统计已取消。训练或重新开始会再次统计。</translation>
    </message>
    <message>
        <source>“{part}” at position {place:,} is not an id.</source>
        <translation>第 {place:,} 项“{part}”不是 ID。</translation>
    </message>
    <message>
        <source>A comparison needs at least two tokenizers.</source>
        <translation>比较至少需要两个分词器。</translation>
    </message>
    <message>
        <source>There is no tokenizer {index}. The indices range from 0 to {last}.</source>
        <translation>没有第 {index} 个分词器。索引从 0 到 {last}。</translation>
    </message>
    <message>
        <source>Bytes {start:,} to {stop:,} are outside this text, which has {size:,} bytes.</source>
        <translation>字节 {start:,} 到 {stop:,} 超出文本范围；此文本有 {size:,} 字节。</translation>
    </message>
    <message>
        <source>These words were not split the way this tokenizer splits text. Count them again for it.</source>
        <translation>这些词的切分方式与此分词器不同。请为此分词器重新统计。</translation>
    </message>
    <message>
        <source>No token has the id {id!r}.</source>
        <translation>没有 ID 为 {id!r} 的词元。</translation>
    </message>
    <message>
        <source>{path} is not a tour: it is not valid TOML ({reason}).</source>
        <translation>{path} 不是导览：它不是有效的 TOML（{reason}）。</translation>
    </message>
    <message>
        <source>{path} is not a tour: line {line} nests brackets or dotted keys too deeply.</source>
        <translation>{path} 不是导览：第 {line} 行的括号或带点的键嵌套过深。</translation>
    </message>
    <message>
        <source>{path} is not a tour: it has no [[stop]].</source>
        <translation>{path} 不是导览：其中没有 [[stop]]。</translation>
    </message>
    <message>
        <source>{path} is not a tour: {key} = {value!r} in {place} is not valid. Valid examples: {examples}.</source>
        <translation>{path} 不是导览：{place} 中的 {key} = {value!r} 无效。有效的写法例如：{examples}。</translation>
    </message>
    <message>
        <source>{path} is not a tour: {place} needs {key}.en, a text in quotation marks.</source>
        <translation>{path} 不是导览：{place} 缺少 {key}.en，它的值是引号中的文本。</translation>
    </message>
    <message>
        <source>{path} is not a tour: {name!r} is not one of the samples {names}.</source>
        <translation>{path} 不是导览：没有示例 {name!r}。可用的示例有 {names}。</translation>
    </message>
    <message>
        <source>{name} is not valid. Write hf:owner/name or hf:owner/name@revision.</source>
        <translation>{name} 无效。请写成 hf:所有者/名称 或 hf:所有者/名称@版本。</translation>
    </message>
    <message>
        <source>{name} contains no tokenizer files that bpe-gui can open. Its files are: {files}.</source>
        <translation>{name} 中没有 bpe-gui 能打开的分词器文件。其中的文件有：{files}。</translation>
    </message>
    <message>
        <source>The package {package} is not installed. {remedy}</source>
        <translation>未安装软件包 {package}。{remedy}</translation>
    </message>
    <message>
        <source>{name} is gated. Ask for access at {endpoint}, then set HF_TOKEN to your token.</source>
        <translation>{name} 需要授权才能访问。请在 {endpoint} 申请访问权限，再把 HF_TOKEN 设为你的令牌。</translation>
    </message>
    <message>
        <source>{name} does not exist on {endpoint}: the repository has no such revision.</source>
        <translation>{endpoint} 上没有 {name}：该仓库没有这个版本。</translation>
    </message>
    <message>
        <source>{name} does not exist on {endpoint}, or it is private. If it is private, set HF_TOKEN to your token.</source>
        <translation>{endpoint} 上没有 {name}，或者它是私有的。如果是私有仓库，请把 HF_TOKEN 设为你的令牌。</translation>
    </message>
    <message>
        <source>{endpoint} refuses the token in HF_TOKEN, so {name} cannot be downloaded.</source>
        <translation>{endpoint} 拒绝了 HF_TOKEN 中的令牌，因此无法下载 {name}。</translation>
    </message>
    <message>
        <source>{name} is not in the cache, and HF_HUB_OFFLINE forbids downloading it.</source>
        <translation>缓存中没有 {name}，而 HF_HUB_OFFLINE 禁止下载。</translation>
    </message>
    <message>
        <source>{name} cannot be downloaded from {endpoint}: {reason}. Check the connection and try again, or open a file of the tokenizer instead.</source>
        <translation>无法从 {endpoint} 下载 {name}：{reason}。请检查网络连接后重试，或改为打开分词器文件。</translation>
    </message>
    <message>
        <source>tiktoken has no encoding {encoding!r}. Its encodings are {names}.</source>
        <translation>tiktoken 没有编码 {encoding!r}。可用的编码有：{names}。</translation>
    </message>
    <message>
        <source>tiktoken cannot get the encoding {encoding}: {reason}</source>
        <translation>tiktoken 无法取得编码 {encoding}：{reason}</translation>
    </message>
    <message>
        <source>The encoding {encoding} cannot be downloaded, because its server does not answer. Check the connection and try again, or open {encoding}.tiktoken instead if you have that file.</source>
        <translation>无法下载 {encoding}：服务器没有响应。请检查网络后重试；如果有文件 {encoding}.tiktoken，也可以改为打开它。</translation>
    </message>
    <message>
        <source>{path} has no files. Choose a folder with text, or a file.</source>
        <translation>{path} 中没有文件。请选择含有文本的文件夹，或选择一个文件。</translation>
    </message>
    <message>
        <source>A counts file contains unweighted counts. Leave the weights out, and give the file a weight when you train on it.</source>
        <translation>词频文件中的次数不加权。请去掉权重，并在用该文件训练时为它设置权重。</translation>
    </message>
    <message>
        <source>The corpus is empty, so there are no words to count. Add some text.</source>
        <translation>语料为空，没有可统计的词。请添加文本。</translation>
    </message>
    <message>
        <source>Counting takes at least {least:,} MB of memory. It cannot be limited to {limit:,} MB.</source>
        <translation>统计至少需要 {least:,} MB 内存，不能限制为 {limit:,} MB。</translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}.</source>
        <translation>无法写入 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} was counted with the splitter {counted}, but the recipe has {wanted}. Use a recipe with the splitter {counted}, or count the text again.</source>
        <translation>{path} 是用预分词规则 {counted} 统计的，而配方用的是 {wanted}。请改用预分词规则为 {counted} 的配方，或重新统计文本。</translation>
    </message>
    <message>
        <source>{path} was counted without the spaces before words, but the recipe&apos;s boundary=prefix needs them. Use another recipe, or count the text again with this one.</source>
        <translation>{path} 统计时没有保留词前的空格，而配方的 boundary=prefix 需要这些空格。请改用其他配方，或用此配方重新统计文本。</translation>
    </message>
    <message>
        <source>{path} was counted with the spaces before words, which only boundary=prefix can use. Use a recipe with boundary=prefix, or count the text again.</source>
        <translation>{path} 统计时保留了词前的空格，只有 boundary=prefix 才能使用这些空格。请改用 boundary=prefix 的配方，或重新统计文本。</translation>
    </message>
    <message>
        <source>{path} was counted with special_text={counted}, but the recipe has {wanted}. Use another recipe, or count the text again with this one.</source>
        <translation>{path} 是用 special_text={counted} 统计的，而配方用的是 {wanted}。请改用其他配方，或用此配方重新统计文本。</translation>
    </message>
    <message>
        <source>{path} was counted with the special token {token!r}, which is missing here. Add it, or count the text again without it.</source>
        <translation>{path} 统计时把 {token!r} 当作特殊词元，而这里没有它。请添加它，或不用它重新统计文本。</translation>
    </message>
    <message>
        <source>{path} was counted without the special token {token!r}. Remove it, or count the text again with it.</source>
        <translation>{path} 统计时没有把 {token!r} 当作特殊词元。请去掉它，或用它重新统计文本。</translation>
    </message>
    <message>
        <source>{path} has version {version} of the counts file format, but this version of bpe-gui reads only version {known}. Update bpe-gui to open it.</source>
        <translation>{path} 的词频文件格式版本是 {version}，而此版本的 bpe-gui 只能读取版本 {known}。请更新 bpe-gui 后再打开。</translation>
    </message>
    <message>
        <source>{path}: {place} must be in order and must not overlap.</source>
        <translation>{path}：{place} 必须依次排列，且互不重叠。</translation>
    </message>
    <message>
        <source>{path}: {place} must be the start and the end of a part of the corpus, in bytes.</source>
        <translation>{path}：{place} 必须是语料中一部分的起点和终点（字节）。</translation>
    </message>
    <message>
        <source>Two parts count the same bytes of the corpus, from byte {start:,} on. Check that no part is given twice, and set the start of every part or of none.</source>
        <translation>有两部分统计了语料中相同的字节，从第 {start:,} 字节起。请确认没有重复给出某一部分，并为每一部分都设定起点，或者都不设定。</translation>
    </message>
    <message>
        <source>These counts cannot be merged: some were made with the splitter {one}, others with {other}.</source>
        <translation>这些词频无法合并：一些是用预分词规则 {one} 统计的，另一些用的是 {other}。</translation>
    </message>
    <message>
        <source>These counts cannot be merged: in some of them words keep the space before them, as boundary=prefix needs, and in others they do not.</source>
        <translation>这些词频无法合并：其中一些的词保留了前面的空格（boundary=prefix 需要这样），另一些则没有。</translation>
    </message>
    <message>
        <source>These counts cannot be merged: some were made with special_text={one}, others with {other}.</source>
        <translation>这些统计结果无法合并：有的是用 special_text={one} 得到的，有的是用 {other}。</translation>
    </message>
    <message>
        <source>These counts cannot be merged: {token!r} is a special token in some of them, and text in others.</source>
        <translation>这些词频无法合并：{token!r} 在其中一些里是特殊词元，在另一些里是普通文本。</translation>
    </message>
    <message>
        <source>The weight {weight} is not a number from 0.001 to 1,000.</source>
        <translation>权重 {weight} 不是 0.001 到 1,000 之间的数。</translation>
    </message>
    <message>
        <source>There must be one weight for each document (documents: {documents:,}, weights: {weights:,}).</source>
        <translation>每个文档须有一个权重（文档：{documents:,} 个，权重：{weights:,} 个）。</translation>
    </message>
    <message>
        <source>The weight {weight} of {path} is not a number from 0.001 to 1,000.</source>
        <translation>{path} 的权重 {weight} 不是 0.001 到 1,000 之间的数。</translation>
    </message>
    <message>
        <source>The weight {weight} of document {number:,} is not a number from 0.001 to 1,000.</source>
        <translation>第 {number:,} 个文档的权重 {weight} 不是 0.001 到 1,000 之间的数。</translation>
    </message>
    <message>
        <source>Counting phrases reads the corpus once more, but it had {before:,} bytes and now has {now:,}. It may have changed, or come from a pipe: save it as a file.</source>
        <translation>统计短语要再读一遍语料，但语料原有 {before:,} 字节，现在是 {now:,} 字节。语料可能已改变，或来自管道：请先存为文件。</translation>
    </message>
    <message>
        <source>The plan merges {left!r} and {right!r} at step {step:,}, but {part!r} is not a token there: it is not a symbol of the alphabet, and no earlier merge makes it.</source>
        <translation>计划在第 {step:,} 步合并 {left!r} 和 {right!r}，但此时 {part!r} 还不是词元：它不是字母表中的符号，之前也没有合并产生它。</translation>
    </message>
    <message>
        <source>With SentencePiece&apos;s options, a run cannot have seed tokens, another splitter at a later step or languages in turn, and a plan cannot keep ids.</source>
        <translation>使用 SentencePiece 选项时，训练不能使用种子词元，不能在后面的步骤换用别的预分词规则，各语言也不能轮流选择合并，计划也不能保留 ID。</translation>
    </message>
    <message>
        <source>After step {step:,}, whole words join, so training needs the corpus.</source>
        <translation>第 {step:,} 步之后整词相连，因此训练需要语料的文本。</translation>
    </message>
    <message>
        <source>The plan names step {step!r}. A step is an integer from 0 to {most:,}.</source>
        <translation>计划中的步号 {step!r} 无效。步号必须是 0 到 {most:,} 之间的整数。</translation>
    </message>
    <message>
        <source>The splitter after step {step:,} cannot be used. {reason}</source>
        <translation>第 {step:,} 步之后的预分词规则无法使用。{reason}</translation>
    </message>
    <message>
        <source>No other stage can follow the one in which whole words join.</source>
        <translation>整词相连的阶段之后不能再有别的阶段。</translation>
    </message>
    <message>
        <source>A stage must begin at step 1 or later. The recipe sets the splitter of the first stage.</source>
        <translation>阶段须从第 1 步或之后的步开始。第一个阶段的预分词规则由配方决定。</translation>
    </message>
    <message>
        <source>The plan chooses the pair at step {step:,}, but it replays merges up to step {last:,}. Choose a pair at a later step.</source>
        <translation>计划在第 {step:,} 步指定了符号对，但前 {last:,} 步都重放已有的合并。请改在之后的步指定。</translation>
    </message>
    <message>
        <source>A run that continues a tokenizer through its own steps cannot have seed tokens, another splitter at a later step or languages in turn.</source>
        <translation>按分词器自己的步骤继续训练时，不能使用种子词元、在后续步骤更换预分词规则，或让语言轮流训练。</translation>
    </message>
    <message>
        <source>A plan that continues a tokenizer must replay its merges first.</source>
        <translation>继续训练分词器的方案必须先重放它的合并。</translation>
    </message>
    <message>
        <source>The plan keeps the id {id} for two tokens: {one!r} and {other!r}.</source>
        <translation>计划为两个词元保留了同一个 ID {id}：{one!r} 和 {other!r}。</translation>
    </message>
    <message>
        <source>The plan bans the pair {left!r} {right!r}, but merges it at step {step:,}. Remove one of the two.</source>
        <translation>计划禁用了符号对 {left!r} {right!r}，却又在第 {step:,} 步合并它。请去掉其中之一。</translation>
    </message>
    <message>
        <source>After step {step:,}, the plan splits text with {splitter!r}, but {path} contains word counts, which cannot be split again. Use the text that was counted, or remove this splitter from the plan.</source>
        <translation>第 {step:,} 步之后，计划用预分词规则 {splitter!r} 切分文本，但 {path} 中是词频，无法重新切分。请改用统计时的文本，或从计划中去掉此预分词规则。</translation>
    </message>
    <message>
        <source>The splitter after step {step:,} finds no words: {splitter!r} matches nothing in the corpus.</source>
        <translation>第 {step:,} 步之后的预分词规则找不到任何词：{splitter!r} 与语料中的任何内容都不匹配。</translation>
    </message>
    <message>
        <source>A pair in a plan must be two tokens of one or more bytes, not {value!r}.</source>
        <translation>计划中的每个符号对必须是两个词元，各至少一个字节，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path} is not a plan. A plan has the format {format!r} and a version.</source>
        <translation>{path} 不是计划文件。计划文件必须含有 format（值为 {format!r}）和 version。</translation>
    </message>
    <message>
        <source>{path}: this version of bpe-gui reads only plans of version {version}.</source>
        <translation>{path}：此版本的 bpe-gui 只能读取版本 {version} 的计划。</translation>
    </message>
    <message>
        <source>{path}: {place} is not a part of a plan. The parts are {parts}.</source>
        <translation>{path}：{place} 不是计划的组成部分。计划可包含 {parts}。</translation>
    </message>
    <message>
        <source>{path}: {place} must be a list of a step and a value, not {value!r}.</source>
        <translation>{path}：{place} 必须是由步号和值组成的列表，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} repeats {key!r}. It may occur only once.</source>
        <translation>{path}：{place} 重复了 {key!r}。它只能出现一次。</translation>
    </message>
    <message>
        <source>These merges cannot be replayed: that of {left} and {right} comes before a part of it.</source>
        <translation>无法重放这些合并：{left} 与 {right} 的合并排在得到其中一部分的合并之前。</translation>
    </message>
    <message>
        <source>Unknown rule {rule!r}. The rules are {rules}.</source>
        <translation>未知的规则 {rule!r}。可用的规则有 {rules}。</translation>
    </message>
    <message>
        <source>The rule {rule} does not take a limit. Write only the name of the rule.</source>
        <translation>规则 {rule} 不带上限。请只写规则的名称。</translation>
    </message>
    <message>
        <source>The limit of the rule {rule} must be an integer from 1 to {most:,}, not {value!r}.</source>
        <translation>规则 {rule} 的上限必须是 1 到 {most:,} 之间的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>Unknown condition {text!r}. The conditions are token=TEXT, word=TEXT, count-below=N, saves-below=N% and ties=N.</source>
        <translation>未知的条件 {text!r}。可用的条件有 token=TEXT、word=TEXT、count-below=N、saves-below=N% 和 ties=N。</translation>
    </message>
    <message>
        <source>Enter the token at which to stop, such as ing.</source>
        <translation>请输入目标词元，例如 ing。</translation>
    </message>
    <message>
        <source>Enter the word at which to stop, such as learning.</source>
        <translation>请输入目标词，例如 learning。</translation>
    </message>
    <message>
        <source>The splitter drops all of {word!r}, so it never becomes a token.</source>
        <translation>预分词规则会丢弃整个 {word!r}，因此它永远不会成为词元。</translation>
    </message>
    <message>
        <source>The splitter divides {word!r} into {count} words, so it never becomes one token.</source>
        <translation>预分词规则把 {word!r} 切成 {count} 个词，因此它永远不会成为一个词元。</translation>
    </message>
    <message>
        <source>The word {word!r} has characters that are not in the corpus, so it never becomes one token.</source>
        <translation>词 {word!r} 含有语料中没有的字符，因此永远不会成为一个词元。</translation>
    </message>
    <message>
        <source>The count must be an integer of 1 or more, not {value!r}.</source>
        <translation>次数必须是大于或等于 1 的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The share must be above 0% and at most 100%, such as 0.01%, not {value!r}.</source>
        <translation>比例必须大于 0% 且不超过 100%，例如 0.01%，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The number of ties must be an integer of 1 or more, not {value!r}.</source>
        <translation>并列的次数必须是大于或等于 1 的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>A branch would take {needed:,} MB of memory, but only {available:,} MB are free. Delete a branch or close other programs first.</source>
        <translation>建立分支需要 {needed:,} MB 内存，但可用内存只有 {available:,} MB。请先删除分支或关闭其他程序。</translation>
    </message>
    <message>
        <source>From merge {number:,} on, the branch {name!r} differs from the saved one.</source>
        <translation>从第 {number:,} 条合并规则起，分支 {name!r} 与已保存的不同。</translation>
    </message>
    <message>
        <source>The name of a file is empty.</source>
        <translation>文件名为空。</translation>
    </message>
    <message>
        <source>{path} has no files. Name a folder with text, or a file.</source>
        <translation>{path} 中没有文件。请给出含有文本的文件夹，或一个文件。</translation>
    </message>
    <message>
        <source>{path} has more than {most:,} files. Name a folder or a pattern with fewer.</source>
        <translation>{path} 中的文件超过 {most:,} 个。请给出文件较少的文件夹或模式。</translation>
    </message>
    <message>
        <source>No file matches {path}.</source>
        <translation>没有与 {path} 匹配的文件。</translation>
    </message>
    <message>
        <source>{path}, line {line:,} is not JSON: {reason}.</source>
        <translation>{path} 第 {line:,} 行不是 JSON：{reason}。</translation>
    </message>
    <message>
        <source>{path}, line {line:,} is not a JSON object: {reason}.</source>
        <translation>{path} 第 {line:,} 行不是 JSON 对象：{reason}。</translation>
    </message>
    <message>
        <source>{path}, line {line:,} is longer than {most:,} bytes, which is the limit.</source>
        <translation>{path} 第 {line:,} 行超过 {most:,} 字节的上限。</translation>
    </message>
    <message>
        <source>{path}, line {line:,} has no field {field!r}: its object is empty.</source>
        <translation>{path} 第 {line:,} 行没有字段 {field!r}：这条记录是空的。</translation>
    </message>
    <message>
        <source>{path}, line {line:,} has no field {field!r}, only {fields}.</source>
        <translation>{path} 第 {line:,} 行没有字段 {field!r}，只有 {fields}。</translation>
    </message>
    <message>
        <source>{path}, line {line:,}: the field {field!r} is not text. Its type is {reason}.</source>
        <translation>{path} 第 {line:,} 行：字段 {field!r} 不是文本，它的类型是 {reason}。</translation>
    </message>
    <message>
        <source>{path}, line {line:,}: {reason}</source>
        <translation>{path} 第 {line:,} 行：{reason}</translation>
    </message>
    <message>
        <source>{path}: row group {group:,} has {size:,} MB of text, but only {available:,} MB of memory are free. Write the file with smaller row groups.</source>
        <translation>{path}：第 {group:,} 个行组有 {size:,} MB 文本，但可用内存只有 {available:,} MB。请用更小的行组重新写入该文件。</translation>
    </message>
    <message>
        <source>{path} has no column with text. Its columns are {columns}.</source>
        <translation>{path} 中没有含有文本的列。它的列是 {columns}。</translation>
    </message>
    <message>
        <source>{path}: the column {field!r} is {reason}, not text. Columns with text: {fields}.</source>
        <translation>{path}：列 {field!r} 是 {reason}，不是文本。含有文本的列：{fields}。</translation>
    </message>
    <message>
        <source>{path} has no column {field!r}. Columns with text: {fields}.</source>
        <translation>{path} 没有列 {field!r}。含有文本的列：{fields}。</translation>
    </message>
    <message>
        <source>{path}, row {row:,}: the column {field!r} is null, not text.</source>
        <translation>{path} 第 {row:,} 行：列 {field!r} 为空（null），不是文本。</translation>
    </message>
    <message>
        <source>{path}, row {row:,}: the text is not valid UTF-8. Replace invalid bytes to read it.</source>
        <translation>{path} 第 {row:,} 行：文本不是有效的 UTF-8。请替换无效字节后再读取。</translation>
    </message>
    <message>
        <source>{path} is too large to show with its tokens once it is decompressed.</source>
        <translation>{path} 解压后太大，无法显示其词元。</translation>
    </message>
    <message>
        <source>The worker {worker} has {name} {there}, but this machine has {here}. Install the same versions everywhere, because they determine how text is split into words.</source>
        <translation>工作节点 {worker} 的 {name} 是 {there}，而本机是 {here}。请在所有机器上安装相同的版本：版本不同，切出的词可能不同。</translation>
    </message>
    <message>
        <source>The words need more memory than allowed, but they cannot be written to the folder {path}: {reason}.</source>
        <translation>这些词需要的内存超过了限制，又无法写入文件夹 {path}：{reason}。</translation>
    </message>
    <message>
        <source>{path} contains word counts, not text. You can train on it, but not read it.</source>
        <translation>{path} 中是词频，不是文本：可以用于训练，但不能作为文本读取。</translation>
    </message>
    <message>
        <source>The regular expression can match the empty text. Let it match at least one character, for example with + instead of *.</source>
        <translation>正则表达式可以匹配空文本。请让它至少匹配一个字符，例如把 * 换成 +。</translation>
    </message>
    <message>
        <source>The regular expression is not valid at position {position}: {reason}.</source>
        <translation>正则表达式在位置 {position} 处有误：{reason}。</translation>
    </message>
    <message>
        <source>The regular expression contains “{part}” at position {position}, which is not supported.</source>
        <translation>正则表达式在位置 {position} 处有“{part}”，不支持这种写法。</translation>
    </message>
    <message>
        <source>The regular expression is too long or repeats its parts too many times.</source>
        <translation>正则表达式太长，或其中的重复次数太多。</translation>
    </message>
    <message>
        <source>{reason} In the file, where steps count from 0, this is step {step:,}.</source>
        <translation>{reason}文件中的步号从 0 开始，因此那里是第 {step:,} 步。</translation>
    </message>
    <message>
        <source>The expression {expression!r} for banned tokens cannot be used. {reason}</source>
        <translation>用于禁用词元的表达式 {expression!r} 无法使用。{reason}</translation>
    </message>
    <message>
        <source>After step {step:,}, the plan splits text with {splitter!r}. Count the corpus with this splitter, too, and with the same special tokens.</source>
        <translation>第 {step:,} 步之后，计划用预分词规则 {splitter!r} 切分文本。请也用它统计语料，并使用相同的特殊词元。</translation>
    </message>
    <message>
        <source>{name} has changed on disk.</source>
        <translation>{name} 在磁盘上已更改。</translation>
    </message>
    <message>
        <source>The folder {folder} does not exist. Create it first, or choose another one.</source>
        <translation>文件夹 {folder} 不存在。请先创建它，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Nothing was trained: this run is already larger. The window now shows step {step:,}, where it has {size:,} entries. Export there to get that size.</source>
        <translation>没有训练：当前训练的词表已经更大。窗口现在显示第 {step:,} 步，此时词表有 {size:,} 个条目；在这一步导出即可得到这个大小。</translation>
    </message>
    <message>
        <source>This run has {entries:,} entries already, so training to {size:,} adds none.</source>
        <translation>本次训练已有 {entries:,} 个条目，因此训练到 {size:,} 个不会增加条目。</translation>
    </message>
    <message>
        <source>The value of allowed_special must be &apos;all&apos;, &apos;none&apos;, &apos;none_raise&apos; or a set of special tokens, not {given!r}.</source>
        <translation>allowed_special 的值必须是 &apos;all&apos;、&apos;none&apos;、&apos;none_raise&apos; 或特殊词元的集合，而不是 {given!r}。</translation>
    </message>
    <message>
        <source>The name {name!r} in allowed_special is not a special token of this tokenizer.</source>
        <translation>allowed_special 中的 {name!r} 不是此分词器的特殊词元。</translation>
    </message>
    <message>
        <source>The file contains only ranks. tiktoken.Encoding needs the pattern and the special tokens, too.</source>
        <translation>文件只含词元的次序。tiktoken.Encoding 还需要切分模式和特殊词元。</translation>
    </message>
    <message>
        <source>After RegexTokenizer.load, minbpe still splits with the pattern that the RegexTokenizer was made with, not with the one on the file&apos;s second line. Make it with the file&apos;s pattern, or ids may differ.</source>
        <translation>minbpe 的 RegexTokenizer.load 仍按构造 RegexTokenizer 时的模式切分，而不按文件第二行中的模式。请用该模式构造它，否则 ID 可能不同。</translation>
    </message>
    <message>
        <source>Not installed, so this was not checked with it. {remedy}</source>
        <translation>未安装，因此没有用它检查。{remedy}</translation>
    </message>
    <message>
        <source>The package reads {value!r} as {name}, which should be {expected!r}.</source>
        <translation>该包读到的 {name} 是 {value!r}，而应为 {expected!r}。</translation>
    </message>
    <message>
        <source>The file contains only ranks. tiktoken.Encoding needs the pattern, too, and these special tokens, which the file leaves out: {tokens}.</source>
        <translation>文件只含词元的次序。tiktoken.Encoding 还需要切分模式，以及文件里没有的这些特殊词元：{tokens}。</translation>
    </message>
    <message>
        <source>Next to these special tokens, llama.cpp removes spaces, tabs and new lines; other programs also remove white space beyond ASCII, such as U+00A0 and U+3000: {tokens}.</source>
        <translation>对于这些特殊词元旁的空白，llama.cpp 只去除空格、制表符和换行，其他程序还会去除 ASCII 以外的空白，例如 U+00A0 和 U+3000：{tokens}。</translation>
    </message>
    <message>
        <source>The files do not say how text is split. Other programs split it as GPT-2 does, and give other ids.</source>
        <translation>这些文件不说明文本如何切分。其他程序会按 GPT-2 的方式切分，得到不同的 ID。</translation>
    </message>
    <message>
        <source>Other programs treat these special tokens as text unless told otherwise: {tokens}.</source>
        <translation>除非另行告知，其他程序会把这些特殊词元当作普通文本：{tokens}。</translation>
    </message>
    <message>
        <source>llama.cpp does not take &apos;ſ for a contraction, as this tokenizer does. It splits all else alike.</source>
        <translation>llama.cpp 不像这个分词器那样把 &apos;ſ 当作缩写，其余切分都相同。</translation>
    </message>
    <message>
        <source>subword-nmt has no special tokens. It treats these as text: {tokens}.</source>
        <translation>subword-nmt 没有特殊词元。它会把这些当作普通文本：{tokens}。</translation>
    </message>
    <message>
        <source>The format {format} does not keep these settings of the model: {names}. Save as transformers to keep them.</source>
        <translation>格式 {format} 不会保留模型的这些设置：{names}。要保留它们，请保存为 transformers。</translation>
    </message>
    <message>
        <source>The bytes {start} to {stop} are not whole characters of this text, which has {size:,} bytes.</source>
        <translation>第 {start} 至 {stop} 字节不是此文本中的完整字符；文本共有 {size:,} 字节。</translation>
    </message>
    <message>
        <source>There are {starts:,} starts of tokens, but {stops:,} stops. Each token has one of each.</source>
        <translation>词元的起点有 {starts:,} 个，终点却有 {stops:,} 个。每个词元各有一个起点和终点。</translation>
    </message>
    <message>
        <source>This splitter may split differently in `tokenizers`: {reason} Or train with a named splitter.</source>
        <translation>`tokenizers` 的切分可能不同：{reason}也可以使用有名称的预分词规则训练。</translation>
    </message>
    <message>
        <source>The list of ids became shorter while it was decoded. Decode a copy of it.</source>
        <translation>ID 列表在解码过程中变短了。请解码它的副本。</translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression takes too long at {text!r}. The usual reason is that it reads far ahead to find that nothing matches, as a+b does in a text of many a without b.</source>
        <translation>预分词规则的正则表达式在 {text!r} 处耗时过长。通常的原因是它要向前读很远才能发现没有匹配，例如在有很多 a 却没有 b 的文本中查找 a+b。</translation>
    </message>
    <message>
        <source>it ends inside a group, a set or an escape</source>
        <translation>它在分组、字符集或转义中结束</translation>
    </message>
    <message>
        <source>the bracket does not close a group</source>
        <translation>右括号没有对应的左括号</translation>
    </message>
    <message>
        <source>there is nothing to repeat</source>
        <translation>没有可重复的内容</translation>
    </message>
    <message>
        <source>this has no meaning there</source>
        <translation>此处的写法没有意义</translation>
    </message>
    <message>
        <source>the end is before the beginning</source>
        <translation>终点在起点之前</translation>
    </message>
    <message>
        <source>a repetition of something that may be empty</source>
        <translation>对可能为空的内容的重复</translation>
    </message>
    <message>
        <source>a possessive repetition of a group</source>
        <translation>对分组的占有重复</translation>
    </message>
    <message>
        <source>a condition on more than one preceding character</source>
        <translation>涉及前面多个字符的条件</translation>
    </message>
    <message>
        <source>an atomic group</source>
        <translation>原子分组</translation>
    </message>
    <message>
        <source>The regular expression has {construct}, which is not supported.</source>
        <translation>正则表达式含有{construct}，不支持这种写法。</translation>
    </message>
    <message>
        <source>The regular expression contains “{part}”, which cannot be written for {engine}.</source>
        <translation>正则表达式含有“{part}”，无法为 {engine} 写出。</translation>
    </message>
    <message>
        <source>To install it, run `{command}`.</source>
        <translation>请运行 `{command}` 安装。</translation>
    </message>
    <message>
        <source>This copy of bpe-gui cannot be given packages. To use them, install bpe-gui with Python instead: `pip install {packages}`.</source>
        <translation>这份 bpe-gui 无法添加软件包。如需使用，请改用 Python 安装 bpe-gui：`pip install {packages}`。</translation>
    </message>
    <message>
        <source>{path}, line {line}: {reason}</source>
        <translation>{path} 第 {line} 行：{reason}</translation>
    </message>
    <message>
        <source>The matrix of embeddings must have a row for each of the {size:,} old ids; its shape is {shape}.</source>
        <translation>嵌入矩阵必须为 {size:,} 个旧 ID 各有一行；它的形状是 {shape}。</translation>
    </message>
    <message>
        <source>{path}: the name of an embedding map must end in {extensions}.</source>
        <translation>{path}：嵌入映射的文件名必须以 {extensions} 之一结尾。</translation>
    </message>
    <message>
        <source>These tokenizers cannot be merged, because they make tokens of different symbols: of bytes or of characters, or with other marks for spaces and for the ends of words.</source>
        <translation>这两个分词器不能合并，因为它们的词元由不同的符号组成：一个用字节、一个用字符，或者标记空格、词尾的方式不同。</translation>
    </message>
    <message>
        <source>The special token {name!r} does not exist. The special tokens are {names}.</source>
        <translation>{name!r} 不是特殊词元。特殊词元有：{names}。</translation>
    </message>
    <message>
        <source>Two special tokens cannot have the same name.</source>
        <translation>两个特殊词元不能同名。</translation>
    </message>
    <message>
        <source>The special token {name!r} exists already.</source>
        <translation>{name!r} 已经是特殊词元。</translation>
    </message>
    <message>
        <source>The special token {name!r} cannot have the id {id}, which {token!r} has.</source>
        <translation>特殊词元 {name!r} 不能用 ID {id}，它已属于 {token!r}。</translation>
    </message>
    <message>
        <source>There are no languages. Name at least one, with its text.</source>
        <translation>没有语言。请至少指明一种语言及其文本。</translation>
    </message>
    <message>
        <source>There are no words of the language {name!r}. Add some text.</source>
        <translation>语言 {name!r} 没有任何词。请添加文本。</translation>
    </message>
    <message>
        <source>The words of {name!r} were not counted for this recipe.</source>
        <translation>{name!r} 的词不是按此配方统计的。</translation>
    </message>
    <message>
        <source>Each language needs a development text. The languages are {languages}, not {named}.</source>
        <translation>每种语言都需要开发文本。语言是 {languages}，而不是 {named}。</translation>
    </message>
    <message>
        <source>Each language needs a ratio. The languages are {languages}, not {named}.</source>
        <translation>每种语言都需要一个比率。语言是 {languages}，而不是 {named}。</translation>
    </message>
    <message>
        <source>Languages take turns by their development text or by ratios, not by both.</source>
        <translation>各语言按开发文本或按比率轮流，不能两者同时使用。</translation>
    </message>
    <message>
        <source>Parity-aware training needs a recipe with tie_break=greatest and pair_counting=occurrences, such as parity.</source>
        <translation>语言均衡的训练需要 tie_break=greatest 且 pair_counting=occurrences 的配方，例如 parity。</translation>
    </message>
    <message>
        <source>Parity-aware training cannot change the splitter. Remove the plan&apos;s superwords.</source>
        <translation>语言均衡的训练不能更换预分词规则。请去掉计划中的超词。</translation>
    </message>
    <message>
        <source>{name} must be an integer of at least {least}, not {value!r}.</source>
        <translation>{name} 必须是不小于 {least} 的整数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{name} must be {one!r} or {other!r}, not {value!r}.</source>
        <translation>{name} 必须是 {one!r} 或 {other!r}，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>The alpha and the ratios must be positive numbers, not {value!r}.</source>
        <translation>alpha 和比率必须是正数，而不是 {value!r}。</translation>
    </message>
    <message>
        <source>{path}: {place} is not a setting of turns. The settings are {names}.</source>
        <translation>{path}：{place} 不是轮流的设置。可用的设置是 {names}。</translation>
    </message>
    <message>
        <source>The SentencePiece option {option} cannot be {value!r}. It must be {choices}.</source>
        <translation>SentencePiece 选项 {option} 不能是 {value!r}，必须是 {choices}。</translation>
    </message>
    <message>
        <source>The recipe&apos;s sentencepiece must be null, or a JSON object with some of the options {options}.</source>
        <translation>配方的 sentencepiece 必须是 null，或者是含有以下部分选项的 JSON 对象：{options}。</translation>
    </message>
    <message>
        <source>These SentencePiece options depend on whole lines, so the recipe&apos;s splitter must be {wanted}.</source>
        <translation>这些 SentencePiece 选项取决于整行文本，所以配方的预分词规则必须是 {wanted}。</translation>
    </message>
    <message>
        <source>Nothing is left of the corpus after normalization. Add some text.</source>
        <translation>规范化之后语料中没有剩下任何内容。请添加一些文本。</translation>
    </message>
    <message>
        <source>There is not enough memory to normalize this corpus. Train on part of it.</source>
        <translation>内存不足，无法规范化此语料。请只用其中一部分训练。</translation>
    </message>
    <message>
        <source>There are too many words that are one token: {words:,}.</source>
        <translation>已是一个词元的词太多：{words:,} 个。</translation>
    </message>
    <message>
        <source>This tokenizer has no chat template. A model&apos;s folder has one in chat_template.jinja or tokenizer_config.json.</source>
        <translation>这个分词器没有对话模板。模型的文件夹中，模板位于 chat_template.jinja 或 tokenizer_config.json。</translation>
    </message>
    <message>
        <source>The tools must be a list of JSON schemas, not {given}.</source>
        <translation>tools 必须是 JSON schema 的列表，而不是 {given}。</translation>
    </message>
    <message>
        <source>There is no chat template {name!r}. This tokenizer has {names}.</source>
        <translation>没有名为 {name!r} 的对话模板。这个分词器有：{names}。</translation>
    </message>
    <message>
        <source>A chat needs at least one message.</source>
        <translation>对话至少要有一条消息。</translation>
    </message>
    <message>
        <source>Message {number} must be an object such as a dict, not {given}.</source>
        <translation>第 {number} 条消息必须是 dict 之类的对象，而不是 {given}。</translation>
    </message>
    <message>
        <source>Message {number} has a part of the type {kind!r}. Only text can be rendered, since the tokens of anything else are not the tokenizer&apos;s.</source>
        <translation>第 {number} 条消息含有类型为 {kind!r} 的部分。只能处理文本，因为其他内容的词元不由分词器决定。</translation>
    </message>
    <message>
        <source>line {line} of the chat template</source>
        <translation>对话模板第 {line} 行</translation>
    </message>
    <message>
        <source>The chat cannot be rendered ({where}): {reason}</source>
        <translation>无法生成对话文本（{where}）：{reason}</translation>
    </message>
    <message>
        <source>The chat was not rendered ({where}): it takes more than {seconds:g} s of processor time.</source>
        <translation>没有生成对话文本（{where}）：占用处理器的时间超过 {seconds:g} 秒。</translation>
    </message>
    <message>
        <source>The chat was not rendered ({where}): it takes more than {size} MB of memory.</source>
        <translation>没有生成对话文本（{where}）：占用的内存超过 {size} MB。</translation>
    </message>
    <message>
        <source>The chat was not rendered ({where}): the process that renders it has ended.</source>
        <translation>没有生成对话文本（{where}）：生成它的进程已结束。</translation>
    </message>
    <message>
        <source>The chat template has more than {most:,} characters.</source>
        <translation>对话模板超过 {most:,} 个字符。</translation>
    </message>
    <message>
        <source>A chat can only contain values that JSON has: {reason}</source>
        <translation>对话只能包含 JSON 中有的值：{reason}</translation>
    </message>
    <message>
        <source>the chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>To render chats, jinja2 is needed. {remedy}</source>
        <translation>生成对话文本需要 jinja2。{remedy}</translation>
    </message>
    <message>
        <source>{path}: {place} has more than {most:,} tokens.</source>
        <translation>{path}：{place} 超过 {most:,} 个词元。</translation>
    </message>
    <message>
        <source>{path}: line {line} of {place} must be “!”, a rank and tokens in Base64, not {text!r}.</source>
        <translation>{path}：{place} 的第 {line} 行必须是“!”、一个序号和 Base64 编码的词元，而不是 {text!r}。</translation>
    </message>
    <message>
        <source>This tokenizer marks the parts of words with {mark!r}, and training can only mark ends of words, with &lt;/w&gt;. So its training cannot be continued.</source>
        <translation>此分词器用 {mark!r} 标记词的各部分，而训练只能用 &lt;/w&gt; 标记词尾。因此无法继续训练它。</translation>
    </message>
    <message>
        <source>{path} contains word counts, but the tokenizer has to split text by its own steps. Use the text that was counted.</source>
        <translation>{path} 中是词频，而分词器必须按自己的步骤切分文本。请使用统计这些词频的原文本。</translation>
    </message>
    <message>
        <source>The format {format} has no {dtype}. Choose {dtypes}.</source>
        <translation>格式 {format} 没有 {dtype}。请选择 {dtypes}。</translation>
    </message>
    <message>
        <source>The largest id is {largest}, which does not fit {dtype}.</source>
        <translation>最大的 ID 是 {largest}，超出 {dtype} 的范围。</translation>
    </message>
    <message>
        <source>A dataset has each document once: weights say how often words count in training.</source>
        <translation>数据集中每个文档只出现一次：权重只决定训练时词的计数。</translation>
    </message>
    <message>
        <source>{path} cannot be resumed, because the {difference} changed. Leave out --resume to write it anew.</source>
        <translation>{path} 无法续写，因为 {difference} 有变化。去掉 --resume 即可重新写入。</translation>
    </message>
    <message>
        <source>{path} does not say which format to write. Choose one of {formats}, or a name that ends in .bin, .npy or .parquet.</source>
        <translation>从 {path} 看不出要写成哪种格式。请从 {formats} 中选择，或使用以 .bin、.npy 或 .parquet 结尾的文件名。</translation>
    </message>
    <message>
        <source>{path} is one of the files to encode. Choose another name for the result.</source>
        <translation>{path} 是要编码的文件之一。请为结果另取文件名。</translation>
    </message>
    <message>
        <source>{path} exists, and no dataset wrote it. Choose another name, or use --force.</source>
        <translation>{path} 已存在，且不是由数据集写入的。请另取文件名，或使用 --force。</translation>
    </message>
    <message>
        <source>The ids are in {count:,} files, from {path} on. Open each of them with open_encoded.</source>
        <translation>这些 id 分布在从 {path} 开始的 {count:,} 个文件中。请用 open_encoded 逐个打开。</translation>
    </message>
    <message>
        <source>This file does not say where its documents begin: it was written without an index.</source>
        <translation>此文件没有记录文档的起始位置：写入时未生成索引。</translation>
    </message>
    <message>
        <source>There is no document {number}: the file has {count}, from 0.</source>
        <translation>没有文档 {number}：文件有 {count} 个文档，从 0 开始编号。</translation>
    </message>
    <message>
        <source>{path} does not say how long its numbers are, and has no manifest beside it. Give the type, such as uint16.</source>
        <translation>{path} 没有说明数的长度，旁边也没有清单文件。请给出类型，例如 uint16。</translation>
    </message>
    <message>
        <source>{path} has {size:,} bytes, which is not a multiple of {dtype}.</source>
        <translation>{path} 有 {size:,} 字节，不是 {dtype} 的整数倍。</translation>
    </message>
    <message>
        <source>{path} is not a NumPy file: {reason}.</source>
        <translation>{path} 不是 NumPy 文件：{reason}。</translation>
    </message>
    <message>
        <source>{path} must be one row of integers.</source>
        <translation>{path} 必须是一行整数。</translation>
    </message>
    <message>
        <source>{path} is an index of Megatron&apos;s that is damaged, or of a type other than ids.</source>
        <translation>{path} 是 Megatron 的索引，但已损坏，或其类型不是 ID。</translation>
    </message>
    <message>
        <source>{path} is not a Parquet file with lists named ids.</source>
        <translation>{path} 不是含有名为 ids 的列表列的 Parquet 文件。</translation>
    </message>
    <message>
        <source>{path} is not the manifest of a dataset.</source>
        <translation>{path} 不是数据集的清单。</translation>
    </message>
    <message>
        <source>The {option} {token!r} is not a special token of this tokenizer, which has: {tokens}.</source>
        <translation>{option} 指定的 {token!r} 不是此分词器的特殊词元。它的特殊词元有：{tokens}。</translation>
    </message>
    <message>
        <source>The stream is finished, so no id can follow. Begin another one.</source>
        <translation>流已结束，不能再加入 id。请新建一个流。</translation>
    </message>
    <message>
        <source>The stream cannot go on: a step failed, or another process began it.</source>
        <translation>流无法继续：某个步骤失败了，或者它由另一个进程开始。</translation>
    </message>
    <message>
        <source>The symbol {symbol!r} (number {index} of the word {word!r} at character {start:,}) has no id in this vocabulary. Train on text that contains it, or give an id for unknown symbols ({where}).</source>
        <translation>符号 {symbol!r}（第 {start:,} 个字符处的词 {word!r} 的第 {index} 个符号）在此词表中没有 ID。请用含有它的文本训练，或为未知符号指定 ID（{where}）。</translation>
    </message>
    <message>
        <source>The symbol {symbol!r} (number {index} of the word {word!r} at character {start:,}) has no id: it left the vocabulary in training, where it no longer stood alone. Give an id for unknown symbols ({where}), or train with a recipe that keeps all tokens.</source>
        <translation>符号 {symbol!r}（第 {start:,} 个字符处的词 {word!r} 的第 {index} 个符号）没有 ID：训练时它不再独立出现，因此已移出词表。请为未知符号指定 ID（{where}），或改用保留所有词元的配方训练。</translation>
    </message>
</context>
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
        <source>A&amp;dd files…</source>
        <translation>添加文件(&amp;D)…</translation>
    </message>
    <message>
        <source>Add text files to the corpus</source>
        <translation>把文本文件添加到语料</translation>
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
        <source>Open pro&amp;ject…</source>
        <translation>打开项目(&amp;J)…</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>保存项目(&amp;S)</translation>
    </message>
    <message>
        <source>Replace the corpus with text files</source>
        <translation>用文本文件替换语料</translation>
    </message>
    <message>
        <source>Wait until the work in progress is done, or cancel it.</source>
        <translation>请等待当前工作完成，或取消它。</translation>
    </message>
    <message>
        <source>The corpus has nothing to train on.</source>
        <translation>语料中没有可训练的内容。</translation>
    </message>
    <message>
        <source>The corpus is empty. Enter or open some text to train on.</source>
        <translation>语料为空。请输入或打开要训练的文本。</translation>
    </message>
    <message>
        <source>This is the first step.</source>
        <translation>这已经是第一步。</translation>
    </message>
    <message>
        <source>Nothing is left to merge.</source>
        <translation>没有可以合并的了。</translation>
    </message>
    <message>
        <source>Training is in progress.</source>
        <translation>正在训练。</translation>
    </message>
    <message>
        <source>No work is in progress.</source>
        <translation>没有正在进行的工作。</translation>
    </message>
    <message>
        <source>A tokenizer file is shown. Show a run first.</source>
        <translation>当前显示的是分词器文件，请先切换到本次训练或分支。</translation>
    </message>
    <message>
        <source>Select a pair in the table first.</source>
        <translation>请先在表格中选择一个符号对。</translation>
    </message>
    <message>
        <source>No tokenizer file is shown.</source>
        <translation>当前没有显示分词器文件。</translation>
    </message>
    <message>
        <source>There is no other run, and no tokenizer file is open.</source>
        <translation>没有分支，也没有打开的分词器文件。</translation>
    </message>
    <message>
        <source>There is no branch yet.</source>
        <translation>还没有分支。</translation>
    </message>
    <message>
        <source>No branch is shown.</source>
        <translation>当前没有显示分支。</translation>
    </message>
    <message>
        <source>Change the corpus or the recipe and train again first.</source>
        <translation>请先修改语料或配方，再重新训练。</translation>
    </message>
    <message>
        <source>Replace the corpus with all files in a folder that match a pattern</source>
        <translation>用文件夹中匹配模式的所有文件替换语料</translation>
    </message>
    <message>
        <source>&amp;New document</source>
        <translation>新建文档(&amp;N)</translation>
    </message>
    <message>
        <source>Start with an empty corpus and the default recipe</source>
        <translation>从空语料和默认配方开始</translation>
    </message>
    <message>
        <source>Open a saved corpus, recipe, merges and text</source>
        <translation>打开已保存的语料、配方、合并和文本</translation>
    </message>
    <message>
        <source>Recovered &amp;work…</source>
        <translation>恢复未保存的内容(&amp;W)…</translation>
    </message>
    <message>
        <source>Restore or discard work that was unsaved when bpe-gui closed</source>
        <translation>恢复或丢弃上次退出时未保存的内容</translation>
    </message>
    <message>
        <source>Save the corpus, recipe, merges and text in one file</source>
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
        <source>Download tokenizer &amp;by name…</source>
        <translation>按名称下载分词器(&amp;B)…</translation>
    </message>
    <message>
        <source>Download the tokenizer of a published model and open it</source>
        <translation>下载已发布模型的分词器并打开</translation>
    </message>
    <message>
        <source>Open &amp;tokenizer…</source>
        <translation>打开分词器(&amp;T)…</translation>
    </message>
    <message>
        <source>Inspect the vocabulary and merges of a tokenizer, and encode text with it</source>
        <translation>查看分词器的词表和合并，并用它编码文本</translation>
    </message>
    <message>
        <source>&amp;Close tokenizer</source>
        <translation>关闭分词器(&amp;C)</translation>
    </message>
    <message>
        <source>Close this tokenizer and return to what was shown before</source>
        <translation>关闭此分词器，回到之前显示的内容</translation>
    </message>
    <message>
        <source>&amp;Next tokenizer</source>
        <translation>下一个分词器(&amp;N)</translation>
    </message>
    <message>
        <source>Previous to&amp;kenizer</source>
        <translation>上一个分词器(&amp;K)</translation>
    </message>
    <message>
        <source>Save the vocabulary and merges at the current step</source>
        <translation>保存当前步的词表和合并</translation>
    </message>
    <message>
        <source>Encode f&amp;iles…</source>
        <translation>编码文件(&amp;I)…</translation>
    </message>
    <message>
        <source>Write the ids of files to disk, as arrays to train a model on</source>
        <translation>把文件的 ID 写成数组存盘，用来训练模型</translation>
    </message>
    <message>
        <source>Compare this step with other tokenizers on the text to encode</source>
        <translation>用“编码”框里的文本，把当前这一步与其他分词器对比</translation>
    </message>
    <message>
        <source>Change the settings in which BPE trainers differ</source>
        <translation>设置各 BPE 训练器之间不同的选项</translation>
    </message>
    <message>
        <source>Train in the background up to the vocabulary size</source>
        <translation>在后台训练，直到词表达到设定大小</translation>
    </message>
    <message>
        <source>Stop and keep the merges made so far</source>
        <translation>停止，保留已完成的合并</translation>
    </message>
    <message>
        <source>Go to t&amp;he start</source>
        <translation>到开头(&amp;H)</translation>
    </message>
    <message>
        <source>Go to step 0 (alphabet only)</source>
        <translation>回到第 0 步（只有字母表）</translation>
    </message>
    <message>
        <source>Step forward automatically, or pause</source>
        <translation>自动逐步前进，或暂停</translation>
    </message>
    <message>
        <source>Go to the &amp;end</source>
        <translation>到结尾(&amp;E)</translation>
    </message>
    <message>
        <source>Go to the last step or train up to the vocabulary size</source>
        <translation>前进到最后一步，或训练到词表达到设定大小</translation>
    </message>
    <message>
        <source>Train until a token appears, merges save too little, or there is a tie</source>
        <translation>继续训练，直到出现某个词元、合并节省太少或出现并列</translation>
    </message>
    <message>
        <source>Discard the run and start over with the current corpus and recipe</source>
        <translation>放弃本次训练，用当前的语料和配方重新开始</translation>
    </message>
    <message>
        <source>Ban pairs and tokens, choose merges, set rules, or let languages take turns</source>
        <translation>禁用符号对和词元，指定合并，设定规则，或让各语言轮流</translation>
    </message>
    <message>
        <source>Start a branch that never merges the selected pair (or the next one) from here on</source>
        <translation>建立一个分支，从此步起不再合并选中的（或下一个）符号对</translation>
    </message>
    <message>
        <source>&amp;Merge this pair instead</source>
        <translation>改为合并此符号对(&amp;M)</translation>
    </message>
    <message>
        <source>Start a branch that merges the selected pair at this step</source>
        <translation>建立一个分支，在此步合并选中的符号对</translation>
    </message>
    <message>
        <source>Start a branch that keeps the merges so far and continues with another recipe</source>
        <translation>建立一个分支，保留已有的合并，之后按另一配方继续训练</translation>
    </message>
    <message>
        <source>Start a branch that replays the merges of this tokenizer on the corpus</source>
        <translation>建立一个分支，在语料上重放此分词器的合并</translation>
    </message>
    <message>
        <source>Continue training &amp;from this tokenizer</source>
        <translation>从此分词器继续训练(&amp;F)</translation>
    </message>
    <message>
        <source>Start a branch that keeps the merges and ids of this tokenizer and adds more from the corpus</source>
        <translation>建立一个分支，保留此分词器的合并和 ID，再从语料中增加新的</translation>
    </message>
    <message>
        <source>O&amp;verlay the other run</source>
        <translation>叠加显示另一方(&amp;V)</translation>
    </message>
    <message>
        <source>Overlay what the other run would do, in the timeline, the pairs and the text</source>
        <translation>在时间线、符号对和文本上叠加显示另一方（本次训练或分支）的做法</translation>
    </message>
    <message>
        <source>Comp&amp;are runs</source>
        <translation>比较本次训练与分支(&amp;A)</translation>
    </message>
    <message>
        <source>Le&amp;arn</source>
        <translation>入门(&amp;A)</translation>
    </message>
    <message>
        <source>Show only the next merge, the words and a large text to encode</source>
        <translation>简化界面：只看下一次合并、词和编码结果</translation>
    </message>
    <message>
        <source>E&amp;xplore</source>
        <translation>探索(&amp;X)</translation>
    </message>
    <message>
        <source>Show all panels</source>
        <translation>显示所有面板</translation>
    </message>
    <message>
        <source>Lar&amp;ger tokens</source>
        <translation>放大词元(&amp;G)</translation>
    </message>
    <message>
        <source>Reset si&amp;ze</source>
        <translation>恢复默认大小(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>重置布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Find a command, sample, recipe or tour…</source>
        <translation>查找命令、示例、配方或导览(&amp;F)…</translation>
    </message>
    <message>
        <source>Search all commands, samples, recipes and tours by any words about them</source>
        <translation>按任意词语查找命令、示例、配方和导览</translation>
    </message>
    <message>
        <source>Do&amp;cumentation</source>
        <translation>文档(&amp;C)</translation>
    </message>
    <message>
        <source>Read the site’s pages, which come with the program</source>
        <translation>阅读随程序附带的网站文档</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>键盘快捷键(&amp;K)</translation>
    </message>
    <message>
        <source>Copy versions, system details and the end of the log for a problem report</source>
        <translation>复制版本、系统信息和日志结尾，用于报告问题</translation>
    </message>
    <message>
        <source>&amp;Export tokenizer…</source>
        <translation>导出分词器(&amp;E)…</translation>
    </message>
    <message>
        <source>Switch to the next open tokenizer or run</source>
        <translation>切换到下一个打开的分词器、本次训练或分支</translation>
    </message>
    <message>
        <source>Switch to the previous open tokenizer or run</source>
        <translation>切换到上一个打开的分词器、本次训练或分支</translation>
    </message>
    <message>
        <source>Com&amp;pare</source>
        <translation>比较(&amp;P)</translation>
    </message>
    <message>
        <source>Rep&amp;ort</source>
        <translation>报告(&amp;O)</translation>
    </message>
    <message>
        <source>Measure how well this tokenizer suits your texts and languages, and how large it should be</source>
        <translation>测量此分词器与文本、语言的契合程度，以及词表应有多大</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Undo typing or the last change to the corpus, recipe or text</source>
        <translation>撤销输入，或撤销对语料、配方或文本的上一次更改</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Redo the last undone change</source>
        <translation>重做上一次撤销的更改</translation>
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
        <source>Copy the selected text, ids or row</source>
        <translation>复制选中的文本、ID 或表格行</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>粘贴(&amp;P)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find in the text or filter the focused table</source>
        <translation>在文本中查找，或筛选当前表格</translation>
    </message>
    <message>
        <source>Find &amp;next</source>
        <translation>查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>Go to the next match, or to the next occurrence of the selected token</source>
        <translation>跳到下一个匹配项，或选中词元的下一次出现</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>查找上一个(&amp;V)</translation>
    </message>
    <message>
        <source>Go to the previous match, or to the previous occurrence of the selected token</source>
        <translation>跳到上一个匹配项，或选中词元的上一次出现</translation>
    </message>
    <message>
        <source>&amp;Recipe…</source>
        <translation>配方(&amp;R)…</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
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
        <source>&amp;Step</source>
        <translation>前进一步(&amp;S)</translation>
    </message>
    <message>
        <source>Merge the next pair</source>
        <translation>合并下一个符号对</translation>
    </message>
    <message>
        <source>Run &amp;until…</source>
        <translation>运行直到(&amp;U)…</translation>
    </message>
    <message>
        <source>Enter a step, or a vocabulary size</source>
        <translation>输入步数或词表大小</translation>
    </message>
    <message>
        <source>&amp;What changed?</source>
        <translation>改变了什么？(&amp;W)</translation>
    </message>
    <message>
        <source>Compare this run with the one that it replaced: merges, your text, and words</source>
        <translation>把本次训练与它取代的那次相比较：合并、你的文本和词</translation>
    </message>
    <message>
        <source>&amp;Delete this branch</source>
        <translation>删除此分支(&amp;D)</translation>
    </message>
    <message>
        <source>Delete this branch and free its memory. You can undo this.</source>
        <translation>删除此分支并释放其内存。可以撤销。</translation>
    </message>
    <message>
        <source>&amp;Go to step</source>
        <translation>跳到指定步(&amp;G)</translation>
    </message>
    <message>
        <source>Add to&amp;kens to this tokenizer…</source>
        <translation>为此分词器加入词元(&amp;K)…</translation>
    </message>
    <message>
        <source>Add the tokens of another tokenizer, words and special tokens, without changing ids</source>
        <translation>加入另一个分词器的词元、词和特殊词元，不改变已有 ID</translation>
    </message>
    <message>
        <source>Start &amp;over</source>
        <translation>重新开始(&amp;O)</translation>
    </message>
    <message>
        <source>P&amp;lan…</source>
        <translation>计划(&amp;L)…</translation>
    </message>
    <message>
        <source>Ba&amp;n this pair</source>
        <translation>从此步起禁用此符号对(&amp;N)</translation>
    </message>
    <message>
        <source>Tr&amp;y another recipe from here…</source>
        <translation>从此步起试用另一配方(&amp;Y)…</translation>
    </message>
    <message>
        <source>Replay to&amp;kenizer on the corpus</source>
        <translation>在语料上重放分词器(&amp;K)</translation>
    </message>
    <message>
        <source>Ne&amp;xt run</source>
        <translation>切换本次训练与分支(&amp;X)</translation>
    </message>
    <message>
        <source>Switch between the main run and its branches</source>
        <translation>在本次训练及其分支之间切换</translation>
    </message>
    <message>
        <source>Show where two runs diverge, and what that changes</source>
        <translation>显示本次训练与分支从哪一步起不同，以及由此带来的差别</translation>
    </message>
    <message>
        <source>Rename th&amp;is branch…</source>
        <translation>重命名此分支(&amp;I)…</translation>
    </message>
    <message>
        <source>Give this branch another name</source>
        <translation>给此分支换一个名称</translation>
    </message>
    <message>
        <source>&amp;Smaller tokens</source>
        <translation>缩小词元(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>Copy &amp;diagnostics</source>
        <translation>复制诊断信息(&amp;D)</translation>
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
        <source>Going to step…</source>
        <translation>正在跳到指定步…</translation>
    </message>
    <message>
        <source>Opening {name}…</source>
        <translation>正在打开 {name}…</translation>
    </message>
    <message>
        <source>Opening tokenizer…</source>
        <translation>正在打开分词器…</translation>
    </message>
    <message>
        <source>Creating the branch “{name}”, then training it…</source>
        <translation>正在建立分支“{name}”，随后训练…</translation>
    </message>
    <message>
        <source>Creating the branch “{name}”…</source>
        <translation>正在建立分支“{name}”…</translation>
    </message>
    <message>
        <source>{opening} {percent}%</source>
        <translation>{opening}{percent}%</translation>
    </message>
    <message>
        <source>Preparing…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/秒</translation>
    </message>
    <message>
        <source>{steps} steps/s</source>
        <translation>{steps} 步/秒</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>剩余 {time}</translation>
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
    <name>AddMenu</name>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Tokenizer &amp;file…</source>
        <translation>分词器文件(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Download by name…</source>
        <translation>按名称下载(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;GPT-4 ({name})</source>
        <translation>&amp;GPT-4（{name}）</translation>
    </message>
    <message>
        <source>Download &amp;GPT-4 ({name})</source>
        <translation>下载 &amp;GPT-4（{name}）</translation>
    </message>
    <message>
        <source>Run at &amp;this step ({step})</source>
        <translation>当前步（第 {step} 步）(&amp;T)</translation>
    </message>
    <message>
        <source>Run at its &amp;last step ({step})</source>
        <translation>最后一步（第 {step} 步）(&amp;L)</translation>
    </message>
    <message>
        <source>Run at &amp;step…</source>
        <translation>指定的步(&amp;S)…</translation>
    </message>
    <message>
        <source>Main run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>&amp;Recipe on this corpus</source>
        <translation>用此语料按配方训练(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Custom…</source>
        <translation>自定义(&amp;C)…</translation>
    </message>
    <message>
        <source>&amp;All {count} recipes</source>
        <translation>全部 {count} 个配方(&amp;A)</translation>
    </message>
    <message>
        <source>Train {count} published recipes on the corpus, to the vocabulary size of the run</source>
        <translation>用语料按 {count} 种公开配方分别训练，词表大小与本次训练相同</translation>
    </message>
    <message>
        <source>Compare with a step</source>
        <translation>与某一步比较</translation>
    </message>
    <message>
        <source>Step, from 0 to {last}:</source>
        <translation>第几步（0 到 {last}）：</translation>
    </message>
</context>
<context>
    <name>AlignedModel</name>
    <message>
        <source>Merge of {name}</source>
        <translation>{name} 的合并</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Step in {name}</source>
        <translation>在 {name} 中的步</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>never</source>
        <translation>无</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>尚未</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
</context>
<context>
    <name>Audit</name>
    <message>
        <source>reachable</source>
        <translation>可得到</translation>
    </message>
    <message>
        <source>not made of known symbols</source>
        <translation>含未知符号</translation>
    </message>
    <message>
        <source>It is not made of the symbols that words are first split into in this vocabulary.</source>
        <translation>它的字节不是这个词表中词的初始符号。</translation>
    </message>
    <message>
        <source>no merge makes it</source>
        <translation>没有合并能得到</translation>
    </message>
    <message>
        <source>No merge makes it: its bytes become {tokens}.</source>
        <translation>没有合并能得到它：它的字节会变成 {tokens}。</translation>
    </message>
    <message>
        <source>another merge comes first</source>
        <translation>别的合并在先</translation>
    </message>
    <message>
        <source>Other merges come first, so its bytes become {tokens}.</source>
        <translation>别的合并在先，所以它的字节会变成 {tokens}。</translation>
    </message>
    <message>
        <source>a merge takes a part first</source>
        <translation>一部分先被合并</translation>
    </message>
    <message>
        <source>{left} and {right} merge first, so its bytes become {tokens}.</source>
        <translation>{left} 和 {right} 先合并，所以它的字节会变成 {tokens}。</translation>
    </message>
    <message>
        <source>never a whole word</source>
        <translation>从不是完整的词</translation>
    </message>
    <message>
        <source>Its bytes become {tokens}, and the splitter never yields it as a whole word.</source>
        <translation>它的字节会变成 {tokens}，而预分词规则从不把它切成完整的一个词。</translation>
    </message>
    <message>
        <source>the splitter splits it</source>
        <translation>预分词规则会切开它</translation>
    </message>
    <message>
        <source>The splitter never yields a word that contains it.</source>
        <translation>预分词规则切出的词从不包含它。</translation>
    </message>
    <message>
        <source>always merged with others</source>
        <translation>总与相邻部分合并</translation>
    </message>
    <message>
        <source>In every word that the splitter yields, a merge joins a part of it to what is next to it.</source>
        <translation>在预分词规则切出的每个词里，都有合并把它的一部分与相邻的部分合在一起。</translation>
    </message>
    <message>
        <source>normalization changes it</source>
        <translation>规范化会改变它</translation>
    </message>
    <message>
        <source>Normalization turns its text into {tokens}.</source>
        <translation>规范化会把它的文本变成 {tokens}。</translation>
    </message>
    <message>
        <source>an added token covers it</source>
        <translation>被附加词元遮住</translation>
    </message>
    <message>
        <source>The added token {tokens} is taken out of every text before it is split.</source>
        <translation>切分之前，附加词元 {tokens} 会从每段文本中取出。</translation>
    </message>
    <message>
        <source>another entry has its bytes</source>
        <translation>另一条目字节相同</translation>
    </message>
    <message>
        <source>The entry {number} has the same bytes, and encoding uses that one.</source>
        <translation>条目 {number} 的字节相同，编码得到的是那一个。</translation>
    </message>
    <message>
        <source>its characters have entries</source>
        <translation>相应字符都有条目</translation>
    </message>
    <message>
        <source>Every character with this byte has an entry of its own.</source>
        <translation>含有这个字节的每个字符都有自己的条目。</translation>
    </message>
    <message>
        <source>only in invalid UTF-8</source>
        <translation>仅见于无效的 UTF-8</translation>
    </message>
    <message>
        <source>However a text completes the character of which it has a part, splitter or merges make other tokens. Only bytes that are not valid UTF-8 produce it.</source>
        <translation>它含有某个字符的一部分；无论文本怎样补全这个字符，预分词规则或合并都会得到别的词元。只有无效的 UTF-8 字节才能得到它。</translation>
    </message>
    <message>
        <source>not in valid UTF-8</source>
        <translation>有效的 UTF-8 中没有</translation>
    </message>
    <message>
        <source>No valid UTF-8 text contains its bytes.</source>
        <translation>有效的 UTF-8 文本都不含它的字节。</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>It has no bytes.</source>
        <translation>它没有字节。</translation>
    </message>
    <message>
        <source>none found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>No text was found, with up to {number} characters on either side. There may be one.</source>
        <translation>两侧各取最多 {number} 个字符，没有找到能得到它的文本；也许仍然存在。</translation>
    </message>
    <message>
        <source>special token</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>It is a special token.</source>
        <translation>它是特殊词元。</translation>
    </message>
    <message>
        <source>special token in plain text</source>
        <translation>普通文本得到特殊词元</translation>
    </message>
    <message>
        <source>This text gives the id of the special token even where special tokens are plain text.</source>
        <translation>即使把特殊词元当作普通文本，这段文本也会得到它的 ID。</translation>
    </message>
    <message>
        <source>files disagree on its id</source>
        <translation>各文件的 ID 不一致</translation>
    </message>
    <message>
        <source>{file} gives the token {tokens} the id {other}.</source>
        <translation>{file} 中词元 {tokens} 的 ID 是 {other}。</translation>
    </message>
    <message>
        <source>part of a character</source>
        <translation>字符的一部分</translation>
    </message>
    <message>
        <source>It contains part of a character.</source>
        <translation>它含有某个字符的一部分。</translation>
    </message>
    <message>
        <source>same text as another</source>
        <translation>与另一条目文本相同</translation>
    </message>
    <message>
        <source>It decodes to the same text as the entry {number}.</source>
        <translation>它解码后的文本与条目 {number} 相同。</translation>
    </message>
    <message>
        <source>No entries have the ids {ids}.</source>
        <translation>ID {ids} 没有条目。</translation>
    </message>
    <message>
        <source>ranges of ids without entries</source>
        <translation>没有条目的 ID 区间</translation>
    </message>
    <message>
        <source>merge that never applies</source>
        <translation>永远用不上的合并</translation>
    </message>
    <message>
        <source>The merge of {left} and {right} never applies: {reason}</source>
        <translation>{left} 和 {right} 的合并永远用不上：{reason}</translation>
    </message>
    <message>
        <source>other parts make it</source>
        <translation>由别的部分得到</translation>
    </message>
    <message>
        <source>{left} and {right} make the same token first.</source>
        <translation>{left} 和 {right} 会先得到同一个词元。</translation>
    </message>
    <message>
        <source>decoding changes the text</source>
        <translation>文本不能还原</translation>
    </message>
    <message>
        <source>Decoding its tokens gives “{tokens}”.</source>
        <translation>解码它的词元得到“{tokens}”。</translation>
    </message>
    <message>
        <source>text without an id</source>
        <translation>没有 ID 的文本</translation>
    </message>
    <message>
        <source>This text has a symbol that is not in the vocabulary.</source>
        <translation>这段文本含有词表中没有的符号。</translation>
    </message>
    <message>
        <source>In the text “{text}”.</source>
        <translation>见文本“{text}”。</translation>
    </message>
</context>
<context>
    <name>AuditPanel</name>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>Stop and keep the previous audit</source>
        <translation>停止，保留上一次的审计</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Save all entries and findings as a CSV file</source>
        <translation>把所有条目和发现存成 CSV 文件</translation>
    </message>
    <message>
        <source>Save table…</source>
        <translation>保存表格…</translation>
    </message>
    <message>
        <source>Find in the findings</source>
        <translation>在审查结果中查找</translation>
    </message>
    <message>
        <source>Put this text in place of the text to encode, and show the token there; it can be undone</source>
        <translation>用这段文本替换要编码的文本，并在其中显示这个词元；可以撤销</translation>
    </message>
    <message>
        <source>Show in the text</source>
        <translation>在文本中显示</translation>
    </message>
    <message>
        <source>There is no tokenizer yet. Type or open a corpus and train on it.</source>
        <translation>还没有分词器。请输入或打开语料，然后训练。</translation>
    </message>
    <message>
        <source>Press “Audit” to find a text for every entry.</source>
        <translation>按“审计”，为每个条目找出能得到它的文本。</translation>
    </message>
    <message>
        <source>{name}: {entries} entries. Texts produce {reachable} of them, and none produces {never}.</source>
        <translation>{name}：{entries} 个条目，其中 {reachable} 个能由文本得到，{never} 个任何文本都得不到。</translation>
    </message>
    <message>
        <source>1 is a special token.</source>
        <translation>1 个是特殊词元。</translation>
    </message>
    <message>
        <source>{count} are special tokens.</source>
        <translation>{count} 个是特殊词元。</translation>
    </message>
    <message>
        <source>No text was found for 1.</source>
        <translation>有 1 个没有找到文本。</translation>
    </message>
    <message>
        <source>No text was found for {count}.</source>
        <translation>有 {count} 个没有找到文本。</translation>
    </message>
    <message>
        <source>The window now shows another tokenizer or step.</source>
        <translation>窗口现在显示的是另一个分词器或另一步。</translation>
    </message>
    <message>
        <source>Saved: {file}</source>
        <translation>已保存：{file}</translation>
    </message>
    <message>
        <source>Save audit</source>
        <translation>保存审计</translation>
    </message>
    <message>
        <source>Text or reason</source>
        <translation>文本或原因</translation>
    </message>
</context>
<context>
    <name>BranchActions</name>
    <message>
        <source>without {pair}</source>
        <translation>禁用 {pair}</translation>
    </message>
    <message>
        <source>{pair} at step {step}</source>
        <translation>第 {step} 步合并 {pair}</translation>
    </message>
    <message>
        <source>Another recipe from step {step}</source>
        <translation>从第 {step} 步起用另一配方</translation>
    </message>
    <message>
        <source>{recipe} from step {step}</source>
        <translation>从第 {step} 步起用 {recipe}</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>superwords from {step}</source>
        <translation>从第 {step} 步起用超词</translation>
    </message>
    <message>
        <source>languages in turn</source>
        <translation>各语言轮流</translation>
    </message>
    <message>
        <source>with a plan</source>
        <translation>按计划</translation>
    </message>
    <message>
        <source>Deleted the branch “{name}”.</source>
        <translation>已删除分支“{name}”。</translation>
    </message>
    <message>
        <source>Merge this pair &amp;instead</source>
        <translation>改为合并此符号对(&amp;I)</translation>
    </message>
    <message>
        <source>Rename branch</source>
        <translation>重命名分支</translation>
    </message>
    <message>
        <source>This is the last step, so the branch “{name}” has the same merges so far. One more step or a larger vocabulary shows a difference.</source>
        <translation>这是最后一步，所以分支“{name}”的合并目前与原来完全相同。再前进一步，或设定更大的词表，就能看出差别。</translation>
    </message>
    <message>
        <source>The branch “{name}” uses {size} of memory. You can delete it in the Training menu when you no longer need it.</source>
        <translation>分支“{name}”占用 {size} 内存。不再需要时，可在“训练”菜单中删除它。</translation>
    </message>
    <message>
        <source>Name of the branch:</source>
        <translation>分支的名称：</translation>
    </message>
    <message>
        <source>&amp;Ban this pair from here on</source>
        <translation>从此步起禁用此符号对(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Ban this pair from this step on</source>
        <translation>从这一步起禁用此符号对(&amp;B)</translation>
    </message>
    <message>
        <source>Tr&amp;y another recipe from here…</source>
        <translation>从此步起试用另一配方(&amp;Y)…</translation>
    </message>
</context>
<context>
    <name>CandidatesModel</name>
    <message>
        <source>Merge</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
</context>
<context>
    <name>ChangeNotices</name>
    <message>
        <source>What changed?</source>
        <translation>改变了什么？</translation>
    </message>
    <message>
        <source>From step {step} on, this run merges other pairs than the earlier one.</source>
        <translation>从第 {step} 步起，本次训练的合并与之前的训练不同。</translation>
    </message>
    <message>
        <source>This run begins with the same merge as the earlier one.</source>
        <translation>本次训练的第一次合并与之前的训练相同。</translation>
    </message>
    <message>
        <source>The first {count} merges are the same as in the earlier run.</source>
        <translation>前 {count} 次合并与之前的训练相同。</translation>
    </message>
</context>
<context>
    <name>ChangedFiles</name>
    <message>
        <source>Reload</source>
        <translation>重新读取</translation>
    </message>
    <message>
        <source>{count} files have changed on disk.</source>
        <translation>磁盘上有 {count} 个文件已更改。</translation>
    </message>
</context>
<context>
    <name>Changes</name>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>The first merge is the same as before.</source>
        <translation>第一次合并与之前相同。</translation>
    </message>
    <message>
        <source>All {count} merges that both runs have are the same.</source>
        <translation>两次训练都有的 {count} 次合并全部相同。</translation>
    </message>
    <message>
        <source>Step {step} merged {first} before, and now merges {second}.</source>
        <translation>第 {step} 步：之前合并 {first}，现在合并 {second}。</translation>
    </message>
    <message>
        <source>Now {pair} comes at step {step}.</source>
        <translation>现在 {pair} 在第 {step} 步合并。</translation>
    </message>
    <message>
        <source>Before, {pair} came at step {step}.</source>
        <translation>之前 {pair} 在第 {step} 步合并。</translation>
    </message>
    <message>
        <source>The reason: the corpus has changed.</source>
        <translation>原因：语料变了。</translation>
    </message>
    <message>
        <source>The reason: the recipe has changed.</source>
        <translation>原因：配方变了。</translation>
    </message>
    <message>
        <source>the earlier run</source>
        <translation>之前的训练</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>Your text</source>
        <translation>你的文本</translation>
    </message>
    <message>
        <source>The beginning of your text</source>
        <translation>你的文本的开头</translation>
    </message>
    <message>
        <source>{text}: {before} tokens before (step {step_before}), {now} now (step {step}).</source>
        <translation>{text}：之前 {before} 个词元（第 {step_before} 步），现在 {now} 个（第 {step} 步）。</translation>
    </message>
    <message>
        <source>{text} is split as before: {now} tokens (step {step}).</source>
        <translation>{text}的切分与之前相同：{now} 个词元（第 {step} 步）。</translation>
    </message>
    <message>
        <source>{text}: {now} tokens both before (step {step_before}) and now (step {step}), but split differently.</source>
        <translation>{text}：之前（第 {step_before} 步）和现在（第 {step} 步）都是 {now} 个词元，但切分不同。</translation>
    </message>
    <message>
        <source>The first place: {before} → {now}.</source>
        <translation>第一处不同：{before} → {now}。</translation>
    </message>
    <message>
        <source>Unique words of the corpus that are split differently: {count} of {total}</source>
        <translation>语料中切分不同的词（不重复）：{total} 个中有 {count} 个</translation>
    </message>
    <message>
        <source>Unique words of the corpus that are split differently: {count} of the {total} most frequent</source>
        <translation>语料中切分不同的词（不重复）：最常见的 {total} 个中有 {count} 个</translation>
    </message>
    <message>
        <source>{text}. Words that only your text has are not counted.</source>
        <translation>{text}。只在你的文本中出现的词不计在内。</translation>
    </message>
</context>
<context>
    <name>ChangesDialog</name>
    <message>
        <source>What changed?</source>
        <translation>改变了什么？</translation>
    </message>
    <message>
        <source>Words that are split differently</source>
        <translation>切分不同的词</translation>
    </message>
    <message>
        <source>Com&amp;pare side by side</source>
        <translation>并排比较(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
</context>
<context>
    <name>ChartPanel</name>
    <message>
        <source>Use this size: {entries} (knee so far)</source>
        <translation>采用此大小：{entries}（目前的拐点）</translation>
    </message>
    <message>
        <source>Use this size: {entries} (gain under {share})</source>
        <translation>采用此大小：{entries}（增益低于 {share}）</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show the whole chart again (0)</source>
        <translation>重新显示整张图表（0）</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save this chart as PNG, SVG or CSV</source>
        <translation>将此图表保存为 PNG、SVG 或 CSV</translation>
    </message>
    <message>
        <source>Go to the step that has this size, which also becomes the target size of a run</source>
        <translation>跳到达到此大小的那一步；如果是训练运行，也把它设为目标词表大小</translation>
    </message>
    <message>
        <source>Save chart</source>
        <translation>保存图表</translation>
    </message>
    <message>
        <source>Without merges, there is no curve to draw.</source>
        <translation>没有合并，无法绘制曲线。</translation>
    </message>
    <message>
        <source>Without text, there is nothing to draw.</source>
        <translation>没有文本，无图可画。</translation>
    </message>
    <message>
        <source>Point at the chart, or move along it with ← and →. The wheel, + and − zoom; 0 shows all.</source>
        <translation>把鼠标移到图上，或按 ←、→ 沿曲线移动；滚轮或 +、− 缩放；按 0 显示全部。</translation>
    </message>
    <message>
        <source>The curve has no knee.</source>
        <translation>曲线没有明显拐点。</translation>
    </message>
</context>
<context>
    <name>ChatMessages</name>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Add message</source>
        <translation>添加消息</translation>
    </message>
    <message>
        <source>Begin an answer</source>
        <translation>开始回答</translation>
    </message>
    <message>
        <source>End with what the template puts before an answer of the model (add_generation_prompt).</source>
        <translation>以模板放在模型回答之前的内容结尾（add_generation_prompt）。</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>ChatView</name>
    <message>
        <source>What the model reads</source>
        <translation>模型读到的文本</translation>
    </message>
    <message>
        <source>This tokenizer has no chat template to make a text of messages. Open a model that has one: a folder with chat_template.jinja or tokenizer_config.json, or a GGUF file.</source>
        <translation>这个分词器没有把消息变成文本的对话模板。请打开有模板的模型：含有 chat_template.jinja 或 tokenizer_config.json 的文件夹，或 GGUF 文件。</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Each message has a colour. What the template added is grey, or outlined if it is special.</source>
        <translation>每条消息各有颜色。模板加上的内容为灰色，特殊词元带边框。</translation>
    </message>
    <message>
        <source>unknown symbol</source>
        <translation>未知符号</translation>
    </message>
    <message>
        <source>{tokens}: {said} in messages, {added} added by the template</source>
        <translation>{tokens}：消息 {said} 个，模板加上 {added} 个</translation>
    </message>
    <message>
        <source>Message {number} has {token} in its text, which becomes the special token.</source>
        <translation>第 {number} 条消息的文本含有 {token}，它会成为特殊词元。</translation>
    </message>
    <message>
        <source>The template changes what these messages say, so their tokens count as its own: {numbers}</source>
        <translation>模板改动了这些消息的内容，所以其词元算作模板的：{numbers}</translation>
    </message>
</context>
<context>
    <name>ChatsPanel</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source> · base</source>
        <translation> · 基准</translation>
    </message>
    <message>
        <source>Numbers, merges and chats</source>
        <translation>数据、合并与对话</translation>
    </message>
    <message>
        <source>GPT-4’s tokenizer cannot be fetched now. “Add” has what is on this computer.</source>
        <translation>现在无法获取 GPT-4 的分词器。“添加”里有这台电脑上已有的。</translation>
    </message>
    <message>
        <source>Numbers and tokens</source>
        <translation>数据与词元</translation>
    </message>
    <message>
        <source>Merges side by side</source>
        <translation>合并对照</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>At most four texts fit side by side. Hide one of them first.</source>
        <translation>最多并排显示四份文本。请先隐藏其中一份。</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>Earlier run, step {step}</source>
        <translation>之前的训练，第 {step} 步</translation>
    </message>
    <message>
        <source>{name} recipe</source>
        <translation>{name} 配方</translation>
    </message>
    <message>
        <source>{name} recipe, earlier corpus</source>
        <translation>{name} 配方（之前的语料）</translation>
    </message>
    <message>
        <source>vocabulary size {size}</source>
        <translation>词表大小 {size}</translation>
    </message>
    <message>
        <source>Current: {name}</source>
        <translation>当前：{name}</translation>
    </message>
    <message>
        <source>{corpus} · {recipe} · step {step} (earlier)</source>
        <translation>{corpus} · {recipe} · 第 {step} 步（之前）</translation>
    </message>
    <message>
        <source>There is no run yet. Type or open a corpus.</source>
        <translation>还没有训练。请输入或打开语料。</translation>
    </message>
    <message>
        <source>There is no text to compare yet. Type or paste some.</source>
        <translation>还没有可比较的文本。请输入或粘贴。</translation>
    </message>
    <message>
        <source>Add a tokenizer to compare with: a step of the run, a file or a recipe.</source>
        <translation>请添加要比较的分词器：本次训练的某一步、文件或配方。</translation>
    </message>
    <message>
        <source>Special tokens are encoded as plain text, as chosen in Encode.</source>
        <translation>特殊词元按普通文本编码，这是在“编码”面板中选的。</translation>
    </message>
    <message>
        <source>{name} cannot encode this text: {reason}</source>
        <translation>{name} 无法编码此文本：{reason}</translation>
    </message>
    <message>
        <source>{name} changes this text before splitting it, so its boundaries are not compared.</source>
        <translation>{name} 在切分之前会改变此文本，因此不比较它的边界。</translation>
    </message>
    <message>
        <source>{name} has no splitting pattern or special tokens; the GPT-2 pattern is used.</source>
        <translation>{name} 没有切分模式和特殊词元；使用 GPT-2 的切分模式。</translation>
    </message>
    <message>
        <source>{name} has no id for 1 symbol of this text.</source>
        <translation>此文本中有 1 个符号在 {name} 中没有 ID。</translation>
    </message>
    <message>
        <source>{name} has no id for {count} symbols of this text.</source>
        <translation>此文本中有 {count} 个符号在 {name} 中没有 ID。</translation>
    </message>
    <message>
        <source>Tokens in both: {shared}, only in {A}: {first}, only in {B}: {second}.</source>
        <translation>两者都有的词元 {shared} 个，{A} 独有的 {first} 个，{B} 独有的 {second} 个。</translation>
    </message>
    <message>
        <source>The shared tokens have the same ids.</source>
        <translation>共有词元的 ID 相同。</translation>
    </message>
    <message>
        <source>Of the shared tokens, 1 has a different id.</source>
        <translation>共有词元中有 1 个的 ID 不同。</translation>
    </message>
    <message>
        <source>Of the shared tokens, {count} have different ids.</source>
        <translation>共有词元中有 {count} 个的 ID 不同。</translation>
    </message>
    <message>
        <source>Tokens of the corpus by language, {A} / {B}: {costs}.</source>
        <translation>语料按语言的词元数，{A} / {B}：{costs}。</translation>
    </message>
    <message>
        <source>Their merges are the same.</source>
        <translation>两者的合并相同。</translation>
    </message>
    <message>
        <source>{name} has no merges.</source>
        <translation>{name} 没有合并。</translation>
    </message>
    <message>
        <source>Their merges are the same up to merge {rank}, where {name} ends.</source>
        <translation>两者的合并到第 {rank} 条为止都相同，{name} 到此结束。</translation>
    </message>
    <message>
        <source>Their merges differ from merge {rank} on.</source>
        <translation>两者的合并从第 {rank} 条起不同。</translation>
    </message>
    <message>
        <source>different plans ({plans})</source>
        <translation>计划不同（{plans}）</translation>
    </message>
    <message>
        <source>Their settings do not explain this. They may have been trained on different texts.</source>
        <translation>从设置中看不出原因：可能是训练文本不同。</translation>
    </message>
    <message>
        <source>The reason: {switch} ({values}).</source>
        <translation>原因：{switch}（{values}）。</translation>
    </message>
    <message>
        <source>{switch} ({values})</source>
        <translation>{switch}（{values}）</translation>
    </message>
    <message>
        <source>{name} takes the pair that sorts last</source>
        <translation>{name} 取字典序最大的一对</translation>
    </message>
    <message>
        <source>different training texts</source>
        <translation>训练文本不同</translation>
    </message>
    <message>
        <source>They do the same in all steps.</source>
        <translation>两者的所有步骤都相同。</translation>
    </message>
    <message>
        <source>“{text}” becomes {first} in {A}, and {second} in {B}.</source>
        <translation>“{text}”在 {A} 中变为 {first}，在 {B} 中变为 {second}。</translation>
    </message>
    <message>
        <source>They differ in: {steps}.</source>
        <translation>不同之处：{steps}。</translation>
    </message>
    <message>
        <source>same token {token}, id {first} and {second}</source>
        <translation>同一词元 {token}，id 为 {first} 和 {second}</translation>
    </message>
    <message>
        <source>1 more token with other ids</source>
        <translation>另有 1 个词元的 id 不同</translation>
    </message>
    <message>
        <source>{count} more tokens with other ids</source>
        <translation>另有 {count} 个词元的 id 不同</translation>
    </message>
    <message>
        <source>The reason: they were trained on different corpora.</source>
        <translation>原因：训练所用的语料不同。</translation>
    </message>
    <message>
        <source>They were trained on different corpora, and with different settings: {settings}.</source>
        <translation>训练所用的语料不同，设置也不同：{settings}。</translation>
    </message>
    <message>
        <source>{name} has a plan: {plan}</source>
        <translation>{name} 有额外限制：{plan}</translation>
    </message>
    <message>
        <source>{name} has none</source>
        <translation>{name} 没有额外限制</translation>
    </message>
    <message>
        <source>{first}; {second}</source>
        <translation>{first}；{second}</translation>
    </message>
    <message>
        <source>Their plans differ. {plans}.</source>
        <translation>两者的计划不同。{plans}。</translation>
    </message>
    <message>
        <source>Possible reasons: {reasons}.</source>
        <translation>可能的原因：{reasons}。</translation>
    </message>
    <message>
        <source>{name} takes the pair seen first</source>
        <translation>{name} 取最先出现的一对</translation>
    </message>
    <message>
        <source>{name} takes the pair with the smallest ids</source>
        <translation>{name} 取 ID 最小的一对</translation>
    </message>
    <message>
        <source>Both pairs occur once, so the tie rule decided: {first}, {second}.</source>
        <translation>两个符号对都出现 1 次，因此由并列规则决定：{first}；{second}。</translation>
    </message>
    <message>
        <source>Both pairs occur {count} times, so the tie rule decided: {first}, {second}.</source>
        <translation>两个符号对都出现 {count} 次，因此由并列规则决定：{first}；{second}。</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>规范化</translation>
    </message>
    <message>
        <source>Splitter</source>
        <translation>预分词规则</translation>
    </message>
    <message>
        <source>Added tokens</source>
        <translation>添加的词元</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Chat templates</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Tokens before each text</source>
        <translation>每个文本之前的词元</translation>
    </message>
    <message>
        <source>Tokens after each text</source>
        <translation>每个文本之后的词元</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Merges</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>Compilation</name>
    <message>
        <source>The engine has no machine code here, so large texts will be slow. {remedy}</source>
        <translation>引擎在这里没有机器码，因此处理大文本会很慢。{remedy}</translation>
    </message>
    <message>
        <source>The kernels have changed since they were compiled, so they run as plain Python, which is slow. Compile them with: python -m build_kernels. That needs: pip install &apos;.[build]&apos;.</source>
        <translation>内核在编译之后有过改动，因此以普通 Python 代码运行，速度很慢。请用这条命令编译：python -m build_kernels。它需要先运行：pip install &apos;.[build]&apos;。</translation>
    </message>
    <message>
        <source>Install bpe-gui again with pip install --verbose, which says why it was not compiled.</source>
        <translation>请用 pip install --verbose 重新安装 bpe-gui，它会说明为什么没有编译。</translation>
    </message>
    <message>
        <source>Python {this} cannot compile it: install bpe-gui with Python {oldest} to {newest}, for example: {command}</source>
        <translation>Python {this} 无法编译它：请用 Python {oldest} 到 {newest} 安装 bpe-gui，例如：{command}</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy as &amp;text</source>
        <translation>复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Copy as &amp;picture</source>
        <translation>复制为图片(&amp;P)</translation>
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
        <source>Copy &amp;tokens as a list</source>
        <translation>复制词元列表(&amp;T)</translation>
    </message>
    <message>
        <source>Copy tokens, separated by &amp;spaces</source>
        <translation>复制词元，以空格分隔(&amp;S)</translation>
    </message>
    <message>
        <source>Copy as se&amp;gmented text (@@)</source>
        <translation>复制为切分后的文本（@@）(&amp;G)</translation>
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
        <source>Ids known so far: {count}</source>
        <translation>目前已知的 ID：{count} 个</translation>
    </message>
</context>
<context>
    <name>CorpusFind</name>
    <message>
        <source>1 document</source>
        <translation>1 个文档</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} 个文档</translation>
    </message>
    <message>
        <source>{matches} in {documents}</source>
        <translation>{documents}中，{matches}</translation>
    </message>
</context>
<context>
    <name>CorpusLine</name>
    <message>
        <source>Show the corpus</source>
        <translation>显示语料</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} 个文档</translation>
    </message>
    <message>
        <source>Corpus: {corpus}</source>
        <translation>语料：{corpus}</translation>
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
        <source>&amp;Why is this not one token?</source>
        <translation>为什么这不是一个词元(&amp;W)？</translation>
    </message>
    <message>
        <source>Remove the selected document</source>
        <translation>移除所选文档</translation>
    </message>
    <message>
        <source>Add an empty document to the corpus; the others stay</source>
        <translation>在语料中新增一篇空文档，其他文档不变</translation>
    </message>
    <message>
        <source>Corpus documents</source>
        <translation>语料文档</translation>
    </message>
    <message>
        <source>Find a document by its name</source>
        <translation>按名称查找文档</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Corpus text</source>
        <translation>语料文本</translation>
    </message>
    <message>
        <source>&amp;Open corpus…</source>
        <translation>打开语料(&amp;O)…</translation>
    </message>
    <message>
        <source>A&amp;dd files…</source>
        <translation>添加文件(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Weight of selected documents…</source>
        <translation>选中文档的权重(&amp;W)…</translation>
    </message>
    <message>
        <source>Run’s corpus</source>
        <translation>训练用语料</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} 个文档</translation>
    </message>
    <message>
        <source>&amp;Weight of {documents}…</source>
        <translation>权重：{documents}(&amp;W)…</translation>
    </message>
    <message>
        <source>folder {name}</source>
        <translation>文件夹“{name}”</translation>
    </message>
    <message>
        <source>W&amp;eight of {documents}…</source>
        <translation>权重：{documents}(&amp;E)…</translation>
    </message>
    <message>
        <source>Shown from {offset} on, where the text was found</source>
        <translation>从 {offset} 处开始显示，找到的文字在这里</translation>
    </message>
    <message>
        <source>{name} · {size} · word counts</source>
        <translation>{name} · {size} · 词频</translation>
    </message>
    <message>
        <source>{name} · shown as it is on disk now, changed since it was opened</source>
        <translation>{name} · 打开后已更改，显示的是磁盘上现在的内容</translation>
    </message>
    <message>
        <source>{name} · {size} · first {part} shown · lines too long to edit here</source>
        <translation>{name} · {size} · 仅显示开头 {part} · 行太长，无法在此编辑</translation>
    </message>
    <message>
        <source>{preset}: {summary} · splitter fixed by {name}</source>
        <translation>{preset}：{summary} · 预分词规则由 {name} 固定</translation>
    </message>
    <message>
        <source>special tokens as text</source>
        <translation>特殊词元作为文本</translation>
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
        <source>Text {number}</source>
        <translation>文本 {number}</translation>
    </message>
    <message>
        <source>Open corpus…</source>
        <translation>打开语料…</translation>
    </message>
    <message>
        <source>One text per record, in “{field}” · first ones shown</source>
        <translation>每条记录一条文本，取自“{field}” · 仅显示开头几条</translation>
    </message>
    <message>
        <source>First {part} shown · read from disk during counting</source>
        <translation>仅显示开头 {part} · 统计时从磁盘读取</translation>
    </message>
    <message>
        <source>Read from disk during counting</source>
        <translation>统计时从磁盘读取</translation>
    </message>
    <message>
        <source>{preset}: {summary}</source>
        <translation>{preset}：{summary}</translation>
    </message>
</context>
<context>
    <name>CorpusRemedies</name>
    <message>
        <source>Leave it out</source>
        <translation>排除此文件</translation>
    </message>
    <message>
        <source>Leave them out</source>
        <translation>排除这些文件</translation>
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
        <source>UTF-8 bytes in the whole corpus</source>
        <translation>整个语料的 UTF-8 字节数</translation>
    </message>
    <message>
        <source>unique</source>
        <translation>不重复词</translation>
    </message>
    <message>
        <source>As if each document were repeated as often as its weight says. The count of each word is rounded.</source>
        <translation>相当于把每个文档按其权重重复若干次。每个词的次数四舍五入。</translation>
    </message>
    <message>
        <source>Document weights: {least} to {most}.</source>
        <translation>文档权重：{least} 至 {most}。</translation>
    </message>
    <message>
        <source>Document weights: all {most}.</source>
        <translation>文档权重：均为 {most}。</translation>
    </message>
    <message>
        <source>Distinct words. Training processes each one once, weighted by its count.</source>
        <translation>不重复的词。训练时每个词只处理一次，按次数加权。</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Pieces (pre-tokens) into which the splitter divides the corpus. Merges never cross their boundaries.</source>
        <translation>预分词得到的片段，由预分词规则从语料中切出。合并不会跨越词的边界。</translation>
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
    <name>CostPanel</name>
    <message>
        <source>Reference text</source>
        <translation>参照文本</translation>
    </message>
    <message>
        <source>The text with the premium 1, which the others are divided by</source>
        <translation>溢价为 1 的文本，其他文本的词元数除以它的</translation>
    </message>
    <message>
        <source>Price per million tokens</source>
        <translation>每百万词元的价格</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Context window in tokens</source>
        <translation>上下文窗口（词元数）</translation>
    </message>
    <message>
        <source>Price and fairness</source>
        <translation>价格与公平性</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>Context window</source>
        <translation>上下文窗口</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The premium needs several texts with the same content, one for each language.</source>
        <translation>溢价需要多个内容相同的文本，每种语言一个。</translation>
    </message>
    <message>
        <source>Choose a reference for the premium, and type a price for the costs.</source>
        <translation>选择参照文本可看溢价，输入价格可看费用。</translation>
    </message>
    <message>
        <source>Type a price for the costs.</source>
        <translation>输入价格可看费用。</translation>
    </message>
    <message>
        <source>Choose a reference for the premium.</source>
        <translation>选择参照文本可看溢价。</translation>
    </message>
</context>
<context>
    <name>CountsPage</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Text: {size}, {count} characters</source>
        <translation>文本：{size}，{count} 个字符</translation>
    </message>
    <message>
        <source>Splitter: {splitter}</source>
        <translation>预分词规则：{splitter}</translation>
    </message>
    <message>
        <source>Special tokens: {tokens}</source>
        <translation>特殊词元：{tokens}</translation>
    </message>
    <message>
        <source>Special tokens were counted as text.</source>
        <translation>特殊词元按普通文本统计。</translation>
    </message>
    <message>
        <source>Words keep the space before them.</source>
        <translation>词保留前面的空格。</translation>
    </message>
    <message>
        <source>This file contains the unique words of a corpus and their counts, but not the text itself.</source>
        <translation>此文件包含语料中的不重复词及其次数，但不包含文本本身。</translation>
    </message>
    <message>
        <source>Part of a corpus, in bytes: {stretches}</source>
        <translation>只统计了语料的一部分，字节范围：{stretches}</translation>
    </message>
    <message>
        <source>Counted from:</source>
        <translation>统计来源：</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>一段文本</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 个</translation>
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
        <source>Paste ids: 1 2 3, [1, 2, 3], or a list from Python, NumPy or PyTorch</source>
        <translation>粘贴 ID：1 2 3 或 [1, 2, 3]，也可以是 Python、NumPy 或 PyTorch 的列表</translation>
    </message>
    <message>
        <source>Decoded text</source>
        <translation>解码得到的文本</translation>
    </message>
    <message>
        <source>Use as text</source>
        <translation>放入编码框</translation>
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
        <source>“{part}” at position {place}</source>
        <translation>“{part}”（第 {place} 项）</translation>
    </message>
    <message>
        <source>These are not ids: {places}.</source>
        <translation>这些不是 ID：{places}。</translation>
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
        <source>first {count} characters shown</source>
        <translation>只显示前 {count} 个字符</translation>
    </message>
    <message>
        <source>There is 1 more incomplete character.</source>
        <translation>另有 1 个不完整的字符。</translation>
    </message>
    <message>
        <source>There are {count} more incomplete characters.</source>
        <translation>另有 {count} 个不完整的字符。</translation>
    </message>
    <message>
        <source>{id} at position {place}</source>
        <translation>{id}（第 {place} 个）</translation>
    </message>
    <message>
        <source>The id at position {first} does not form a whole character: bytes {bytes}</source>
        <translation>第 {first} 个 ID 不能构成完整的字符：字节 {bytes}</translation>
    </message>
    <message>
        <source>The ids at positions {first} to {last} do not form a whole character: bytes {bytes}</source>
        <translation>第 {first} 到第 {last} 个 ID 不能构成完整的字符：字节 {bytes}</translation>
    </message>
    <message>
        <source>Encoding this text gives different ids: position {place} has {given}, but encoding gives {encoded}.</source>
        <translation>重新编码这段文本会得到不同的 ID：第 {place} 个是 {given}，编码得到的却是 {encoded}。</translation>
    </message>
    <message>
        <source>{some} and {count} more</source>
        <translation>{some}，另有 {count} 个</translation>
    </message>
    <message>
        <source>This id does not exist: {ids}. Ids range from {low} to {high}.</source>
        <translation>这个 ID 不存在：{ids}。ID 的范围是 {low} 到 {high}。</translation>
    </message>
    <message>
        <source>These ids do not exist: {ids}. Ids range from {low} to {high}.</source>
        <translation>这些 ID 不存在：{ids}。ID 的范围是 {low} 到 {high}。</translation>
    </message>
</context>
<context>
    <name>DifferenceBar</name>
    <message>
        <source>Underlined is what a tokenizer splits unlike the base, and in the base what any of them does.</source>
        <translation>画线处：该分词器的切分与基准不同；在基准的文本中，则是至少有一个分词器与它不同。</translation>
    </message>
    <message>
        <source>Previous difference</source>
        <translation>上一处差异</translation>
    </message>
    <message>
        <source>Next difference</source>
        <translation>下一处差异</translation>
    </message>
    <message>
        <source>Show ids</source>
        <translation>显示 ID</translation>
    </message>
    <message>
        <source>Ids</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Show the ids below each text</source>
        <translation>在每份文本下方显示 ID</translation>
    </message>
    <message>
        <source>Open text…</source>
        <translation>打开文本…</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>The most frequent of the first {count}:</source>
        <translation>前 {count} 处中最常见的：</translation>
    </message>
    <message>
        <source>The most frequent:</source>
        <translation>最常见的：</translation>
    </message>
    <message>
        <source>comparing…</source>
        <translation>正在比较…</translation>
    </message>
    <message>
        <source>no differences</source>
        <translation>没有差异</translation>
    </message>
    <message>
        <source>1 difference, underlined</source>
        <translation>1 处差异（已画线）</translation>
    </message>
    <message>
        <source>{count} differences, underlined</source>
        <translation>{count} 处差异（已画线）</translation>
    </message>
    <message>
        <source>difference {index} of {count}</source>
        <translation>第 {index} 处差异，共 {count} 处</translation>
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
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Counts {weight} times</source>
        <translation>按 {weight} 次计</translation>
    </message>
</context>
<context>
    <name>Documentation</name>
    <message>
        <source>Picture: {caption}</source>
        <translation>插图：{caption}</translation>
    </message>
    <message>
        <source>*The dialog of recipes lists them: Training &gt; Recipe….*</source>
        <translation>*见配方对话框：训练 &gt; 配方…。*</translation>
    </message>
    <message>
        <source>*The dialog of exports says it of your tokenizer.*</source>
        <translation>*导出对话框会针对你的分词器说明这一点。*</translation>
    </message>
</context>
<context>
    <name>DocumentationBox</name>
    <message>
        <source>Documentation</source>
        <translation>文档</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Find in all pages</source>
        <translation>在所有页面中查找</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>各页</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
</context>
<context>
    <name>EncodeFilesDialog</name>
    <message>
        <source>Encode files</source>
        <translation>编码文件</translation>
    </message>
    <message>
        <source>What to encode</source>
        <translation>要编码的内容</translation>
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
        <source>1 document</source>
        <translation>1 个文档</translation>
    </message>
    <message>
        <source>{count} documents</source>
        <translation>{count} 个文档</translation>
    </message>
    <message>
        <source>The corpus</source>
        <translation>语料</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>其他文件</translation>
    </message>
    <message>
        <source>Files, folders or patterns</source>
        <translation>文件、文件夹或模式</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Token in the text that ends a document</source>
        <translation>文本中结束文档的词元</translation>
    </message>
    <message>
        <source>Only the end of a file or record</source>
        <translation>仅在文件或记录末尾</translation>
    </message>
    <message>
        <source>Token to put after each document</source>
        <translation>加在每个文档之后的词元</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Also write where documents begin</source>
        <translation>同时写入文档的起始位置</translation>
    </message>
    <message>
        <source>Output file</source>
        <translation>输出文件</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Progress of encoding</source>
        <translation>编码进度</translation>
    </message>
    <message>
        <source>Plain numbers, as nanoGPT reads them (.bin)</source>
        <translation>纯数值，供 nanoGPT 读取（.bin）</translation>
    </message>
    <message>
        <source>NumPy array, to map into memory (.npy)</source>
        <translation>NumPy 数组，可映射到内存（.npy）</translation>
    </message>
    <message>
        <source>Megatron and NeMo (.bin and .idx)</source>
        <translation>Megatron 和 NeMo（.bin 和 .idx）</translation>
    </message>
    <message>
        <source>Parquet, a list for each document (.parquet)</source>
        <translation>Parquet，每个文档一个列表（.parquet）</translation>
    </message>
    <message>
        <source>Encode</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>What a symbol without an id becomes</source>
        <translation>没有 ID 的符号变成什么</translation>
    </message>
    <message>
        <source>Id of the entry for unknown symbols</source>
        <translation>代替未知符号的词表项的 ID</translation>
    </message>
    <message>
        <source>Stop with an error</source>
        <translation>报错并停止</translation>
    </message>
    <message>
        <source>The entry with this id</source>
        <translation>此 ID 的词表项</translation>
    </message>
    <message>
        <source>{token}, as its file says</source>
        <translation>{token}，按文件的规定</translation>
    </message>
    <message>
        <source>As the tokenizer’s file says</source>
        <translation>按分词器文件的规定</translation>
    </message>
    <message>
        <source>None can occur with this tokenizer</source>
        <translation>此分词器不会遇到</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>文本(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Document ends at</source>
        <translation>文档结束于(&amp;D)</translation>
    </message>
    <message>
        <source>At a document&apos;s &amp;end, add</source>
        <translation>在文档末尾加(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Unknown symbols</source>
        <translation>未知符号(&amp;U)</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Output file</source>
        <translation>输出文件(&amp;O)</translation>
    </message>
    <message>
        <source>Files to encode</source>
        <translation>要编码的文件</translation>
    </message>
    <message>
        <source>{file} already exists and will be replaced.</source>
        <translation>“{file}”已存在，将被替换。</translation>
    </message>
    <message>
        <source>Replace {file}?</source>
        <translation>要替换“{file}”吗？</translation>
    </message>
    <message>
        <source>The file already exists in {folder}.</source>
        <translation>该文件已存在于 {folder}。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Encoding…</source>
        <translation>正在编码…</translation>
    </message>
    <message>
        <source>Stopped. Nothing was written.</source>
        <translation>已停止，未写入任何内容。</translation>
    </message>
    <message>
        <source>at “Unknown symbols” above</source>
        <translation>上方的“未知符号”</translation>
    </message>
    <message>
        <source>{path} ({size})</source>
        <translation>{path}（{size}）</translation>
    </message>
    <message>
        <source>The manifest {file} beside it tells what it was made from.</source>
        <translation>旁边的清单文件 {file} 说明它由什么得来。</translation>
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
        <source>Written</source>
        <translation>已写入</translation>
    </message>
</context>
<context>
    <name>EncodeFind</name>
    <message>
        <source>no such token</source>
        <translation>没有这个词元</translation>
    </message>
    <message>
        <source>encoding…</source>
        <translation>正在编码…</translation>
    </message>
</context>
<context>
    <name>EncodePanel</name>
    <message>
        <source>Tokens in the text</source>
        <translation>文本的词元</translation>
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
        <source>Copy ids</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Show whitespace</source>
        <translation>显示空白字符</translation>
    </message>
    <message>
        <source>Show word (pre-token) boundaries</source>
        <translation>显示词（预分词得到的片段）的边界</translation>
    </message>
    <message>
        <source>Colour tokens by id</source>
        <translation>按 ID 给词元着色</translation>
    </message>
    <message>
        <source>Colour words by the part of the splitter&apos;s expression that matched them</source>
        <translation>按命中的预分词子规则给词着色</translation>
    </message>
    <message>
        <source>Encode special tokens in the text as plain text</source>
        <translation>把文本中的特殊词元当作普通文本编码</translation>
    </message>
    <message>
        <source>Save the coloured text as a picture or copy it as HTML</source>
        <translation>把着色的文本存为图片，或复制为 HTML</translation>
    </message>
    <message>
        <source>Chat: messages in a model&apos;s chat template</source>
        <translation>对话：套用模型对话模板的消息</translation>
    </message>
    <message>
        <source>Open text…</source>
        <translation>打开文本…</translation>
    </message>
    <message>
        <source>Convert a list of ids to text</source>
        <translation>把 ID 列表转换为文本</translation>
    </message>
    <message>
        <source>Copy all ids as a list of numbers. The arrow offers other formats and the tokens. {keys} copies the selected ids.</source>
        <translation>把全部 ID 复制为数字列表。箭头中有其他格式，也可以复制词元。{keys} 复制选中的 ID。</translation>
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
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>unknown symbol</source>
        <translation>未知符号</translation>
    </message>
    <message>
        <source>&amp;Why is this not one token?</source>
        <translation>为什么这不是一个词元(&amp;W)？</translation>
    </message>
</context>
<context>
    <name>EncodeSummary</name>
    <message>
        <source>No tokenizer yet: the corpus has nothing to train on.</source>
        <translation>还没有分词器：语料中没有可供训练的内容。</translation>
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
        <source>Bytes per token: the bytes of the text, divided by its tokens. Bytes in no token count too: the tokenizer drops them, such as white space between words.</source>
        <translation>每词元字节数：文本的字节数除以词元数。不产生词元的字节也计算在内，它们被分词器丢弃，例如词之间的空白。</translation>
    </message>
    <message>
        <source>{size} ({dropped} in no token)</source>
        <translation>{size}（其中 {dropped} 字节不产生词元）</translation>
    </message>
    <message>
        <source>{size} ({dropped} of white space, in no token)</source>
        <translation>{size}（其中 {dropped} 字节是空白，不产生词元）</translation>
    </message>
    <message>
        <source>{link}Use the byte-level recipe {name}{end}</source>
        <translation>{link}改用字节级配方 {name}{end}</translation>
    </message>
    <message>
        <source>It has an id for every byte, so for any text. You can undo this.</source>
        <translation>它给每个字节都编了 ID，因此任何文本都有 ID。可以撤销。</translation>
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
        <source>no such token in this text</source>
        <translation>此文本中没有这个词元</translation>
    </message>
    <message>
        <source>1 symbol is not in the vocabulary and has no id.</source>
        <translation>有 1 个符号不在词表中，没有 ID。</translation>
    </message>
    <message>
        <source>{count} symbols are not in the vocabulary and have no id.</source>
        <translation>有 {count} 个符号不在词表中，没有 ID。</translation>
    </message>
</context>
<context>
    <name>EntriesModel</name>
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
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>alphabet</source>
        <translation>字母表</translation>
    </message>
</context>
<context>
    <name>ErrorNotices</name>
    <message>
        <source>Train to {size} entries</source>
        <translation>训练到 {size} 个条目</translation>
    </message>
    <message>
        <source>Open tokenizer…</source>
        <translation>打开分词器…</translation>
    </message>
</context>
<context>
    <name>ErrorReporter</name>
    <message>
        <source>Something went wrong. Your text is still there.</source>
        <translation>出错了，文本没有丢失。</translation>
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
        <translation>tiktoken rank 文件</translation>
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
        <source>CSV tables</source>
        <translation>CSV 表格</translation>
    </message>
    <message>
        <source>TSV tables</source>
        <translation>TSV 表格</translation>
    </message>
    <message>
        <source>One self-contained file for the tokenizers package</source>
        <translation>供 tokenizers 软件包使用的单个完整文件</translation>
    </message>
    <message>
        <source>For AutoTokenizer.from_pretrained in the transformers package</source>
        <translation>供 transformers 软件包的 AutoTokenizer.from_pretrained 使用</translation>
    </message>
    <message>
        <source>For older code and for reopening here: training.json keeps the recipe and counts</source>
        <translation>供较早的代码使用，也可在此重新打开：training.json 保存配方和次数</translation>
    </message>
    <message>
        <source>For tiktoken.Encoding, with the pattern and special tokens set in code</source>
        <translation>供 tiktoken.Encoding 使用，切分规则和特殊词元需在代码中自行指定</translation>
    </message>
    <message>
        <source>For RegexTokenizer.load in karpathy/minbpe</source>
        <translation>供 karpathy/minbpe 的 RegexTokenizer.load 使用</translation>
    </message>
    <message>
        <source>For apply_bpe in rsennrich/subword-nmt, without ids</source>
        <translation>供 rsennrich/subword-nmt 的 apply_bpe 使用，不含 ID</translation>
    </message>
    <message>
        <source>SentencePiece model</source>
        <translation>SentencePiece 模型</translation>
    </message>
    <message>
        <source>For SentencePieceProcessor in the sentencepiece package</source>
        <translation>供 sentencepiece 软件包的 SentencePieceProcessor 使用</translation>
    </message>
    <message>
        <source>GGUF vocabulary</source>
        <translation>GGUF 词表</translation>
    </message>
    <message>
        <source>For llama.cpp, without weights</source>
        <translation>供 llama.cpp 使用，不含权重</translation>
    </message>
    <message>
        <source>Merges and vocabulary for a spreadsheet (not loadable as a tokenizer)</source>
        <translation>合并和词表，供电子表格软件使用（不能作为分词器载入）</translation>
    </message>
    <message>
        <source>{reader} gives different ids.</source>
        <translation>{reader} 给出了不同的 ID。</translation>
    </message>
    <message>
        <source>{reader} gives different tokens.</source>
        <translation>{reader} 给出了不同的词元。</translation>
    </message>
    <message>
        <source>Expected: {tokens}</source>
        <translation>预期：{tokens}</translation>
    </message>
    <message>
        <source>Got: {tokens}</source>
        <translation>实际：{tokens}</translation>
    </message>
    <message>
        <source>Merges and vocabulary for a spreadsheet or a script</source>
        <translation>合并和词表，供电子表格或脚本使用</translation>
    </message>
    <message>
        <source>bpe-gui itself</source>
        <translation>bpe-gui</translation>
    </message>
    <message>
        <source>{reader} gives the same ids for {strings} test strings.</source>
        <translation>用 {reader} 重新读入后，{strings} 个测试字符串的 ID 与导出前完全一致。</translation>
    </message>
    <message>
        <source>{reader} gives the same tokens for {strings} test strings.</source>
        <translation>用 {reader} 重新读入后，{strings} 个测试字符串的词元与导出前完全一致。</translation>
    </message>
    <message>
        <source>Strings not compared, because the vocabulary lacks symbols in them: {left_out}.</source>
        <translation>含有词表外符号而未比较的字符串：{left_out}。</translation>
    </message>
    <message>
        <source>Text: {text}</source>
        <translation>文本：{text}</translation>
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
        <source>Code that loads this file with its pattern and special tokens</source>
        <translation>载入此文件的代码，含切分模式和特殊词元</translation>
    </message>
    <message>
        <source>Show the test strings…</source>
        <translation>显示测试字符串…</translation>
    </message>
    <message>
        <source>From which old tokens the embedding of each token can be made: JSON, NumPy or safetensors</source>
        <translation>每个词元的嵌入可以由哪些旧词元得到：JSON、NumPy 或 safetensors</translation>
    </message>
    <message>
        <source>Save embedding map…</source>
        <translation>保存嵌入映射…</translation>
    </message>
    <message>
        <source>The ids are new, without gaps: texts have to be encoded again, and old models do not fit.</source>
        <translation>ID 已改变，从头连续编号：文本须重新编码，旧模型不再适用。</translation>
    </message>
    <message>
        <source>The corpus or recipe has changed since this run. To export with the changes, train again first.</source>
        <translation>语料或配方在本次训练后已更改。要按更改后的内容导出，请先重新训练。</translation>
    </message>
    <message>
        <source>The embedding map leads from {name} to this tokenizer.</source>
        <translation>嵌入映射从 {name} 到这个分词器。</translation>
    </message>
    <message>
        <source>Without merges, every token is a single symbol. Train or step forward before you export.</source>
        <translation>没有合并，每个词元都只是一个符号。请先训练或前进几步再导出。</translation>
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
        <source>Output file</source>
        <translation>输出文件</translation>
    </message>
    <message>
        <source>Output folder</source>
        <translation>输出文件夹</translation>
    </message>
    <message>
        <source>{file} already exists and will be replaced.</source>
        <translation>“{file}”已存在，将被替换。</translation>
    </message>
    <message>
        <source>{files} already exist and will be replaced.</source>
        <translation>{files} 已存在，将被替换。</translation>
    </message>
    <message>
        <source>{name} is not a home folder on this computer. Enter the full path.</source>
        <translation>{name} 不是这台电脑上的用户主目录。请输入完整路径。</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Exported:</source>
        <translation>已导出：</translation>
    </message>
    <message>
        <source>Checking with {reader}…</source>
        <translation>正在用 {reader} 检查…</translation>
    </message>
    <message>
        <source>Proven: {outcome}</source>
        <translation>已验证：{outcome}</translation>
    </message>
    <message>
        <source>Embedding map</source>
        <translation>嵌入映射</translation>
    </message>
    <message>
        <source>Save embedding map</source>
        <translation>保存嵌入映射</translation>
    </message>
    <message>
        <source>Saved {path}: {kept} of {tokens} tokens have the same id in {name}, {lost} cannot be made of its tokens.</source>
        <translation>已保存 {path}：{tokens} 个词元中有 {kept} 个在 {name} 中 ID 相同，{lost} 个无法由它的词元得到。</translation>
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
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Writes</source>
        <translation>将写入</translation>
    </message>
    <message>
        <source>{name}: {entries} entries, 1 merge</source>
        <translation>{name}：{entries} 个条目，1 条合并规则</translation>
    </message>
    <message>
        <source>{name}: {entries} entries, {merges} merges</source>
        <translation>{name}：{entries} 个条目，{merges} 条合并规则</translation>
    </message>
    <message>
        <source>{path} ({size})</source>
        <translation>{path}（{size}）</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>{name} of {steps}</source>
        <translation>{name}（共 {steps} 步）</translation>
    </message>
    <message>
        <source>the tokenizer that this run continues</source>
        <translation>本次训练所延续的分词器</translation>
    </message>
    <message>
        <source>{name}, pruned</source>
        <translation>{name}（剪枝后）</translation>
    </message>
    <message>
        <source>{name}, extended</source>
        <translation>{name}（已扩充）</translation>
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
        <source>Open a text to encode</source>
        <translation>打开要编码的文本</translation>
    </message>
    <message>
        <source>Replace the corpus with {files}, or add to the corpus?</source>
        <translation>打开 {files}：替换语料，还是添加到语料？</translation>
    </message>
    <message>
        <source>This starts a new run. You can undo it.</source>
        <translation>这会重新开始训练，可以撤销。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Special tokens removed: {tokens}.</source>
        <translation>已移除特殊词元：{tokens}。</translation>
    </message>
    <message>
        <source>Added {files} to the corpus.</source>
        <translation>已添加到语料：{files}。</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <source>Opened {files} as the new corpus. The run starts over with the {recipe} recipe and a vocabulary size of {size}.</source>
        <translation>已打开新语料：{files}。训练重新开始（配方：{recipe}；词表大小：{size}）。</translation>
    </message>
</context>
<context>
    <name>FileReader</name>
    <message>
        <source>{path} is not a regular file. Open a text file.</source>
        <translation>{path} 不是普通文件。请打开文本文件。</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>“{name}”是空文件。</translation>
    </message>
    <message>
        <source>{count} files are empty: {names}.</source>
        <translation>{count} 个文件是空的：{names}。</translation>
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
        <source>{complaint} 1 more file cannot be read.</source>
        <translation>{complaint}另有 1 个文件无法读取。</translation>
    </message>
    <message>
        <source>{complaint} {count} more files cannot be read.</source>
        <translation>{complaint}另有 {count} 个文件无法读取。</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>字符编码</translation>
    </message>
    <message>
        <source>Encoding of {name}</source>
        <translation>字符编码：{name}</translation>
    </message>
    <message>
        <source>Which field has the text?</source>
        <translation>文本在哪个字段中？</translation>
    </message>
    <message>
        <source>{name}: there is no text in the field “{field}”. Choose the field that has it:</source>
        <translation>{name}：字段“{field}”中没有文本。请选择文本所在的字段：</translation>
    </message>
    <message>
        <source>{name} and {count} more</source>
        <translation>“{name}”和另外 {count} 个</translation>
    </message>
    <message>
        <source>Leave out records without text</source>
        <translation>略过没有文本的记录</translation>
    </message>
</context>
<context>
    <name>FilterField</name>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Token, id or hex</source>
        <translation>词元、ID 或字节</translation>
    </message>
    <message>
        <source>Token or hex</source>
        <translation>词元或字节</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Show only rows with this text in a token. Type the text itself, its displayed form (· or \xe4), its form in files (Ġ) or hexadecimal bytes (e4 bd). “a + b” finds a token with “a” followed by one with “b”. Uppercase letters make the search case-sensitive. ({keys})</source>
        <translation>只显示词元中含有这段文本的行。可以输入文本本身、它的显示形式（· 或 \xe4）、它在文件中的写法（Ġ），或十六进制字节（e4 bd）。“a + b”查找含“a”的词元后面跟着含“b”的词元。含大写字母时区分大小写。（{keys}）</translation>
    </message>
    <message>
        <source>A number also finds the token with this id.</source>
        <translation>输入数字还会找到 ID 为该数的词元。</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in text</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Previous match (Shift+F3)</source>
        <translation>上一个匹配项（Shift+F3）</translation>
    </message>
    <message>
        <source>Next match (F3)</source>
        <translation>下一个匹配项（F3）</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>关闭（Esc）</translation>
    </message>
    <message>
        <source>Search by</source>
        <translation>查找方式</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Token or hex</source>
        <translation>词元或字节</translation>
    </message>
    <message>
        <source>Uppercase letters make the search case-sensitive.</source>
        <translation>含大写字母时区分大小写。</translation>
    </message>
    <message>
        <source>A whole token as shown (·low or \xe4) or in hexadecimal (20 6c)</source>
        <translation>完整的词元，用显示的写法（·low 或 \xe4）或十六进制（20 6c）</translation>
    </message>
    <message>
        <source>Number of a token</source>
        <translation>词元的 ID</translation>
    </message>
</context>
<context>
    <name>FutureLine</name>
    <message>
        <source>Go</source>
        <translation>跳到</translation>
    </message>
    <message>
        <source>Go to this step</source>
        <translation>跳到这一步</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>为什么没合并？</translation>
    </message>
    <message>
        <source>Why is this not one token?</source>
        <translation>为什么这不是一个词元？</translation>
    </message>
    <message>
        <source>Step {step} makes {token} from {left} + {right}</source>
        <translation>第 {step} 步由 {left} + {right} 产生 {token}</translation>
    </message>
    <message>
        <source>No exact match; 1 contains it</source>
        <translation>没有完全相同的；1 个词元含有它</translation>
    </message>
    <message>
        <source>No exact match; {count} contain it</source>
        <translation>没有完全相同的；{count} 个词元含有它</translation>
    </message>
    <message>
        <source>No merge in this tokenizer makes {token}</source>
        <translation>此分词器中没有合并产生 {token}</translation>
    </message>
    <message>
        <source>No step makes {token} yet (further training may)</source>
        <translation>目前没有哪一步产生 {token}（继续训练也许会）</translation>
    </message>
    <message>
        <source>No step in this run makes {token}</source>
        <translation>本次训练中没有哪一步产生 {token}</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>&amp;Undo typing</source>
        <translation>撤销输入(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo typing</source>
        <translation>重做输入(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo typing in the corpus</source>
        <translation>撤销在语料中的输入(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo typing in the corpus</source>
        <translation>重做在语料中的输入(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo typing in the text</source>
        <translation>撤销在文本中的输入(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo typing in the text</source>
        <translation>重做在文本中的输入(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo recipe change</source>
        <translation>撤销更改配方(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo recipe change</source>
        <translation>重做更改配方(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo vocabulary size change</source>
        <translation>撤销更改词表大小(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo vocabulary size change</source>
        <translation>重做更改词表大小(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo special token change</source>
        <translation>撤销更改特殊词元(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo special token change</source>
        <translation>重做更改特殊词元(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo opening</source>
        <translation>撤销打开(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo opening</source>
        <translation>重做打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo adding to the corpus</source>
        <translation>撤销添加文档(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo adding to the corpus</source>
        <translation>重做添加文档(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo removing from the corpus</source>
        <translation>撤销移除文档(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo removing from the corpus</source>
        <translation>重做移除文档(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo corpus change</source>
        <translation>撤销更改语料(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo corpus change</source>
        <translation>重做更改语料(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo weight change</source>
        <translation>撤销更改权重(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo weight change</source>
        <translation>重做更改权重(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo opening the sample</source>
        <translation>撤销打开示例(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo opening the sample</source>
        <translation>重做打开示例(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo replacing the text</source>
        <translation>撤销替换文本(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo replacing the text</source>
        <translation>重做替换文本(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo starting over</source>
        <translation>撤销“重新开始”(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo starting over</source>
        <translation>重做“重新开始”(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo plan change</source>
        <translation>撤销更改计划(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo plan change</source>
        <translation>重做更改计划(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo starting the branch</source>
        <translation>撤销建立分支(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo starting the branch</source>
        <translation>重做建立分支(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo deleting the branch</source>
        <translation>撤销删除分支(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo deleting the branch</source>
        <translation>重做删除分支(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo renaming the branch</source>
        <translation>撤销重命名分支(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo renaming the branch</source>
        <translation>重做重命名分支(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Undo the tour</source>
        <translation>撤销导览(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo the tour</source>
        <translation>重做导览(&amp;R)</translation>
    </message>
</context>
<context>
    <name>JobProgress</name>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Joining</name>
    <message>
        <source>{sentence} {sentence}</source>
        <translation>{sentence}{sentence}</translation>
    </message>
    <message>
        <source>{item}, {item}</source>
        <translation>{item}、{item}</translation>
    </message>
    <message>
        <source>e.g. {example}</source>
        <translation>例如 {example}</translation>
    </message>
    <message>
        <source>{label}: {text}</source>
        <translation>{label}：{text}</translation>
    </message>
    <message>
        <source>{text} ({keys})</source>
        <translation>{text}（{keys}）</translation>
    </message>
</context>
<context>
    <name>KeysBox</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Find a key</source>
        <translation>查找按键</translation>
    </message>
    <message>
        <source>Find by key or action</source>
        <translation>查找按键或操作</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Move through the steps</source>
        <translation>在各步之间移动</translation>
    </message>
    <message>
        <source>Train</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Try something else from here</source>
        <translation>从这一步试别的做法</translation>
    </message>
    <message>
        <source>Find and look up</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Compare: next or previous difference</source>
        <translation>比较：下一处或上一处差异</translation>
    </message>
    <message>
        <source>Work with tokens</source>
        <translation>查看词元</translation>
    </message>
    <message>
        <source>Ids, Encoding and Lineage: move between items</source>
        <translation>ID、编码过程和由来：在各项之间移动</translation>
    </message>
    <message>
        <source>Ids: extend the selection</source>
        <translation>ID：扩展选择</translation>
    </message>
    <message>
        <source>Ids and Lineage: mark all equal tokens</source>
        <translation>ID 和由来：标出所有相同的词元</translation>
    </message>
    <message>
        <source>Change the view</source>
        <translation>改变视图</translation>
    </message>
    <message>
        <source>Go to the next part of the window</source>
        <translation>转到窗口的下一部分</translation>
    </message>
    <message>
        <source>Go to the next detail page</source>
        <translation>转到下一个详情页</translation>
    </message>
    <message>
        <source>Edit text</source>
        <translation>编辑文本</translation>
    </message>
    <message>
        <source>Open, save and export</source>
        <translation>打开、保存和导出</translation>
    </message>
    <message>
        <source>Get help</source>
        <translation>获取帮助</translation>
    </message>
    <message>
        <source>No key and no action has these words.</source>
        <translation>没有按键或操作包含这些词。</translation>
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
        <source>The bytes of the line, with its line break and those in no token, divided by its tokens</source>
        <translation>该行的字节数除以词元数，换行符和不属于任何词元的字节也计入</translation>
    </message>
    <message>
        <source>Position in the text</source>
        <translation>在文本中的位置</translation>
    </message>
    <message>
        <source>Sorts by length in bytes</source>
        <translation>按字节长度排序</translation>
    </message>
    <message>
        <source>Number of tokens that begin in the line</source>
        <translation>起点在该行内的词元数</translation>
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
        <translation>ID</translation>
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
        <source>no parts</source>
        <translation>没有组成部分</translation>
    </message>
    <message>
        <source>step {step}: {left} + {right}</source>
        <translation>第 {step} 步：{left} + {right}</translation>
    </message>
    <message>
        <source>step {step}: {left} + {right}, ×{count}</source>
        <translation>第 {step} 步：{left} + {right}，×{count}</translation>
    </message>
</context>
<context>
    <name>LineagePictureDialog</name>
    <message>
        <source>Picture of the lineage</source>
        <translation>由来图片</translation>
    </message>
    <message>
        <source>Picture preview</source>
        <translation>图片预览</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>另有 {count} 个</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>step {step} · ×{count}</source>
        <translation>第 {step} 步 · ×{count}</translation>
    </message>
</context>
<context>
    <name>LineageView</name>
    <message>
        <source>No words in the corpus contain it.</source>
        <translation>语料中没有含有它的词。</translation>
    </message>
    <message>
        <source>Only a training run has corpus words.</source>
        <translation>只有本次训练和分支才有语料中的词。</translation>
    </message>
    <message>
        <source>Not made yet: step {step} makes it.</source>
        <translation>尚未产生：第 {step} 步会产生它。</translation>
    </message>
    <message>
        <source>Token lineage</source>
        <translation>词元的由来</translation>
    </message>
    <message>
        <source>Point at a token to see how it was made.</source>
        <translation>将指针移到词元上，查看它的由来。</translation>
    </message>
    <message>
        <source>Words that contributed to the count</source>
        <translation>合并时计入次数的词</translation>
    </message>
</context>
<context>
    <name>ListPanel</name>
    <message>
        <source>Compared tokenizers</source>
        <translation>比较的分词器</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>添加(&amp;A)</translation>
    </message>
    <message>
        <source>Add a tokenizer</source>
        <translation>添加分词器</translation>
    </message>
    <message>
        <source>{shown} of at most {most} shown</source>
        <translation>显示 {shown} 个（最多 {most} 个）</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove the selected tokenizer from the comparison</source>
        <translation>从比较中移除所选的分词器</translation>
    </message>
    <message>
        <source>Compared</source>
        <translation>比较对象</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>A workbench for training byte-pair encoding step by step and exporting the tokenizer.</source>
        <translation>逐步训练字节对编码（BPE）并导出分词器的工作台。</translation>
    </message>
    <message>
        <source>About bpe-gui</source>
        <translation>关于 bpe-gui</translation>
    </message>
    <message>
        <source>Memory in use: {used}. Memory available: {free}.</source>
        <translation>已用内存：{used}。可用内存：{free}。</translation>
    </message>
    <message>
        <source>Workspaces</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>The sample replaced the corpus and the text.</source>
        <translation>示例替换了语料和文本。</translation>
    </message>
    <message>
        <source>1 merge</source>
        <translation>1 条合并规则</translation>
    </message>
    <message>
        <source>{count} merges</source>
        <translation>{count} 条合并规则</translation>
    </message>
    <message>
        <source>Started over. The run had {merges}.</source>
        <translation>已重新开始。原来的训练有 {merges}。</translation>
    </message>
    <message>
        <source>Open a tour</source>
        <translation>打开导览</translation>
    </message>
    <message>
        <source>Tours (*.toml)</source>
        <translation>导览 (*.toml)</translation>
    </message>
    <message>
        <source>Diagnostics copied. They name the opened files but contain none of their text.</source>
        <translation>已复制诊断信息。其中有打开过的文件的名称，但没有文件的内容。</translation>
    </message>
    <message>
        <source>Nothing was inserted: a line of {count} characters is too long to edit here. Break it into shorter lines, or save it as a file and open the file to train on it.</source>
        <translation>未插入任何内容：有一行长达 {count} 个字符，太长，无法在此编辑。请把它分成较短的行；若要用它训练，请存为文件再打开。</translation>
    </message>
    <message>
        <source>Removed {title}.</source>
        <translation>已移除“{title}”。</translation>
    </message>
</context>
<context>
    <name>MeasuresTable</name>
    <message>
        <source>Measures of the texts</source>
        <translation>文本的各项指标</translation>
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
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
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
        <source>&amp;Clear list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>project</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>{kind}, missing</source>
        <translation>{kind}（缺失）</translation>
    </message>
    <message>
        <source>Open sa&amp;mple</source>
        <translation>打开示例(&amp;M)</translation>
    </message>
    <message>
        <source>Guided &amp;tours</source>
        <translation>导览(&amp;T)</translation>
    </message>
    <message>
        <source>{place} of {count}</source>
        <translation>第 {place} 站，共 {count} 站</translation>
    </message>
    <message>
        <source>&amp;Open a tour…</source>
        <translation>打开导览(&amp;O)…</translation>
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
        <source>&amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
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
    <name>MergeDialog</name>
    <message>
        <source>Add tokens to {name}</source>
        <translation>为 {name} 加入词元</translation>
    </message>
    <message>
        <source>Tokenizer with the tokens to add</source>
        <translation>提供词元的分词器</translation>
    </message>
    <message>
        <source>Maximum number of tokens to add</source>
        <translation>最多加入的词元数</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Ordinary tokens to add</source>
        <translation>要添加的普通词元</translation>
    </message>
    <message>
        <source>Special tokens to add or rename</source>
        <translation>要加入或改名的特殊词元</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Export and open…</source>
        <translation>导出并打开…</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>One per line: a new token, optionally with its id, or old → new to rename a reserved one.</source>
        <translation>每行一个：新词元，可附上 ID；或者用“旧名 → 新名”给预留的词元改名。</translation>
    </message>
    <message>
        <source>One per line, usually with the space before the word. They are made by further merges.</source>
        <translation>每行一个，通常连同词前的空格。它们由新增的合并规则得到。</translation>
    </message>
    <message>
        <source>&amp;Tokens of</source>
        <translation>词元来自(&amp;T)</translation>
    </message>
    <message>
        <source>At &amp;most</source>
        <translation>最多(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Ordinary tokens</source>
        <translation>普通词元(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Special tokens</source>
        <translation>特殊词元(&amp;S)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Old ids do not change. New tokens come after them, except special ones with an id of their own. The embedding map will start from {name}.</source>
        <translation>已有 ID 不变。新词元排在其后，自带 ID 的特殊词元除外。嵌入映射将从 {name} 出发。</translation>
    </message>
    <message>
        <source>Added: {count} ({tokens}).</source>
        <translation>已加入 {count} 个（{tokens}）。</translation>
    </message>
    <message>
        <source>Added: 0.</source>
        <translation>已加入 0 个。</translation>
    </message>
    <message>
        <source>Left out: {left} ({tokens}), because no merge of two tokens makes them or no text has them.</source>
        <translation>略去 {left} 个（{tokens}），因为没有两个词元能合并成它们，或者没有文本会用到它们。</translation>
    </message>
    <message>
        <source>Special tokens added or renamed: {count} ({tokens}).</source>
        <translation>加入或改名的特殊词元：{count} 个（{tokens}）。</translation>
    </message>
    <message>
        <source>A model needs {rows} rows of embeddings for it: its ids go from 0 to {last}.</source>
        <translation>模型的嵌入矩阵需要 {rows} 行：它的 ID 从 0 到 {last}。</translation>
    </message>
    <message>
        <source>The run’s corpus “{corpus}” has none of these ordinary tokens, so they save nothing in it.</source>
        <translation>训练用语料“{corpus}”中没有这些普通词元，因此没有节省。</translation>
    </message>
    <message>
        <source>Tokens that the ordinary ones save in the run’s corpus “{corpus}”: {fewer} ({most}).</source>
        <translation>普通词元在训练用语料“{corpus}”中节省的词元数：{fewer}（{most}）。</translation>
    </message>
    <message>
        <source>Adding the tokens, and looking for texts that produce them…</source>
        <translation>正在添加词元，并寻找能得到它们的文本…</translation>
    </message>
    <message>
        <source>Already tokens: {left} ({tokens}).</source>
        <translation>已是词元：{left} 个（{tokens}）。</translation>
    </message>
    <message>
        <source>Left out: {left} ({tokens}), because this tokenizer always divides them.</source>
        <translation>略去 {left} 个（{tokens}），因为此分词器总会把它们切开。</translation>
    </message>
    <message>
        <source>Left out: {left} ({tokens}), because this tokenizer lacks their characters.</source>
        <translation>略去 {left} 个（{tokens}），因为此分词器没有其中的字符。</translation>
    </message>
</context>
<context>
    <name>MergeLists</name>
    <message>
        <source>Only merges that are not in both</source>
        <translation>只看一方独有的合并</translation>
    </message>
    <message>
        <source>Merges side by side</source>
        <translation>合并对照</translation>
    </message>
    <message>
        <source>Choose two tokenizers in the list, or add another one.</source>
        <translation>请在列表中选两个分词器，或再添加一个。</translation>
    </message>
    <message>
        <source>Their merges are the same.</source>
        <translation>两者的合并相同。</translation>
    </message>
    <message>
        <source>Their merges are the same up to step {step}, where {name} ends.</source>
        <translation>两者的合并到第 {step} 步为止都相同，{name} 到此结束。</translation>
    </message>
    <message>
        <source>They diverge at step {step}. Merges only in {A}: {first}, only in {B}: {second}.</source>
        <translation>两者从第 {step} 步起不同。{A} 独有的合并：{first} 条；{B} 独有的：{second} 条。</translation>
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
        <source>chosen by you</source>
        <translation>由你指定</translation>
    </message>
    <message>
        <source>replayed by the plan</source>
        <translation>按计划重放</translation>
    </message>
    <message>
        <source>1 other pair had the same count</source>
        <translation>另有 1 个符号对次数相同</translation>
    </message>
    <message>
        <source>{ties} other pairs had the same count</source>
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
        <source>Words at this step</source>
        <translation>这一步的词</translation>
    </message>
    <message>
        <source>Only merges that never occur in this corpus</source>
        <translation>只看在此语料中从未出现的合并</translation>
    </message>
    <message>
        <source>Only ties: merges whose pair was as frequent as others. A row goes to the step where they tie.</source>
        <translation>只看并列：次数与其他符号对相同的合并。点一行即转到并列的那一步。</translation>
    </message>
    <message>
        <source>Ties</source>
        <translation>并列</translation>
    </message>
    <message>
        <source>Filter words</source>
        <translation>筛选词</translation>
    </message>
    <message>
        <source>Show only words with this text, or with these hexadecimal bytes (e4 bd)</source>
        <translation>只显示含有这段文本的词，可以直接输入，也可以输入十六进制字节（e4 bd）</translation>
    </message>
    <message>
        <source>Clear the selected token (Esc in a table)</source>
        <translation>取消选中词元（在表格中按 Esc）</translation>
    </message>
    <message>
        <source>The corpus or recipe has changed since this run. The next step starts a new one.</source>
        <translation>语料或配方在本次训练后已更改。走下一步会开始新的训练。</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>重新训练</translation>
    </message>
    <message>
        <source>Replace this run by one that is trained with the current corpus and recipe. You can undo this.</source>
        <translation>用当前的语料和配方重新训练，取代本次训练。可以撤销。</translation>
    </message>
    <message>
        <source>Train again with the current corpus and recipe</source>
        <translation>用当前的语料和配方重新训练</translation>
    </message>
    <message>
        <source>Next merge</source>
        <translation>下一次合并</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>导览</translation>
    </message>
    <message>
        <source>{count} shown</source>
        <translation>显示 {count} 个</translation>
    </message>
    <message>
        <source>“=2” means that 2 other pairs were as frequent; {rule}</source>
        <translation>“=2”表示另有 2 个符号对次数相同；{rule}</translation>
    </message>
    <message>
        <source>Matching merges out of all known merges</source>
        <translation>匹配的合并 / 全部已知的合并</translation>
    </message>
    <message>
        <source>Merges done out of all known merges</source>
        <translation>已完成的合并 / 全部已知的合并</translation>
    </message>
    <message>
        <source>Which pair is next?</source>
        <translation>下一步合并哪一对？</translation>
    </message>
    <message>
        <source>No pairs are left: every word is a single token.</source>
        <translation>没有符号对了：每个词都已是一个词元。</translation>
    </message>
    <message>
        <source>No pairs match the filter.</source>
        <translation>没有匹配的符号对。</translation>
    </message>
    <message>
        <source>Pairs for step {step}</source>
        <translation>第 {step} 步的候选符号对</translation>
    </message>
    <message>
        <source>For step {step}</source>
        <translation>第 {step} 步的候选</translation>
    </message>
    <message>
        <source>Words at this step · {words}</source>
        <translation>这一步的词 · {words}</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>Words with {token} · {words}</source>
        <translation>含有 {token} 的词 · {words}</translation>
    </message>
    <message>
        <source>All words</source>
        <translation>全部词</translation>
    </message>
    <message>
        <source>All words: {token} comes at step {step}</source>
        <translation>全部词：{token} 在第 {step} 步才产生</translation>
    </message>
    <message>
        <source>1 word</source>
        <translation>1 个词</translation>
    </message>
    <message>
        <source>{count} words</source>
        <translation>{count} 个词</translation>
    </message>
    <message>
        <source>1 place</source>
        <translation>1 处</translation>
    </message>
    <message>
        <source>{count} places</source>
        <translation>{count} 处</translation>
    </message>
    <message>
        <source>Changed: {words}</source>
        <translation>改动：{words}</translation>
    </message>
    <message>
        <source>No words match the filter.</source>
        <translation>没有符合筛选条件的词。</translation>
    </message>
    <message>
        <source>No merges match the filter.</source>
        <translation>没有匹配的合并。</translation>
    </message>
    <message>
        <source>No merges yet.</source>
        <translation>还没有合并。</translation>
    </message>
    <message>
        <source>No merges yet. Step forward to make the first one.</source>
        <translation>还没有合并。前进一步，完成第一次合并。</translation>
    </message>
    <message>
        <source>Merges so far</source>
        <translation>已有的合并</translation>
    </message>
    <message>
        <source>Filter pairs</source>
        <translation>筛选符号对</translation>
    </message>
    <message>
        <source>Filter merges</source>
        <translation>筛选合并</translation>
    </message>
    <message>
        <source>Show all words</source>
        <translation>显示全部词</translation>
    </message>
    <message>
        <source>Merges</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>All words: no token {token} at this step</source>
        <translation>全部词：这一步没有词元 {token}</translation>
    </message>
    <message>
        <source>All words: no {token} side by side at this step</source>
        <translation>所有词：此步没有相邻的 {token}</translation>
    </message>
    <message>
        <source>Changed: {words}, {places}</source>
        <translation>改动：{words}，{places}</translation>
    </message>
    <message>
        <source>No words yet.</source>
        <translation>还没有词。</translation>
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
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Number of tokens in the encoded text</source>
        <translation>编码后的词元数</translation>
    </message>
    <message>
        <source>Fertility: average number of tokens per whitespace-separated word. In Chinese or Japanese, such a word may be a whole clause.</source>
        <translation>生育率（fertility）：平均每个以空白分隔的词需要多少个词元。在中文或日文里，这样的词可能是整个分句。</translation>
    </message>
    <message>
        <source>Share of tokens that cover exactly one byte, such as a basic Latin letter or part of another character</source>
        <translation>恰好覆盖一个字节的词元所占的比例，例如基本拉丁字母，或其他字符的一部分</translation>
    </message>
    <message>
        <source>No merges yet: step forward or train to compare steps.</source>
        <translation>还没有合并：前进一步或开始训练后，即可对比。</translation>
    </message>
    <message>
        <source>After the merges up to this step</source>
        <translation>到这一步为止的合并全部完成后</translation>
    </message>
    <message>
        <source>After all merges in the run</source>
        <translation>本次训练的合并全部完成后</translation>
    </message>
    <message>
        <source>{figure}%</source>
        <translation>{figure}%</translation>
    </message>
    <message>
        <source>bytes per token</source>
        <translation>每词元字节数</translation>
    </message>
    <message>
        <source>latest {step}</source>
        <translation>最新步 {step}</translation>
    </message>
    <message>
        <source>vs. latest</source>
        <translation>与最新步相比</translation>
    </message>
    <message>
        <source>Compression: the UTF-8 bytes of the text, with those in no token, divided by its tokens</source>
        <translation>压缩率：文本的 UTF-8 字节数除以词元数，不属于任何词元的字节也计入</translation>
    </message>
    <message>
        <source>characters per token</source>
        <translation>每词元字符数</translation>
    </message>
    <message>
        <source>The Unicode code points of the text, with those in no token, divided by its tokens</source>
        <translation>文本的 Unicode 码点数除以词元数，不属于任何词元的码点也计入</translation>
    </message>
    <message>
        <source>tokens per space-separated word</source>
        <translation>每词词元数（词以空白分隔）</translation>
    </message>
    <message>
        <source>single-byte tokens</source>
        <translation>单字节词元</translation>
    </message>
    <message>
        <source>Difference from the last step so far, in percent or percentage points (pp)</source>
        <translation>与目前最后一步的差异，以百分比或百分点（pp）表示</translation>
    </message>
    <message>
        <source>{figure} pp</source>
        <translation>{figure} 个百分点</translation>
    </message>
</context>
<context>
    <name>NeverButton</name>
    <message>
        <source>Show only the merges or tokens that never occur in this corpus (×0)</source>
        <translation>只显示在此语料中从未出现的合并或词元（×0）</translation>
    </message>
</context>
<context>
    <name>Numbers</name>
    <message>
        <source>{figure}%</source>
        <translation>{figure}%</translation>
    </message>
    <message>
        <source>{figure}M</source>
        <translation>{figure}M</translation>
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
    <name>NumbersModel</name>
    <message>
        <source>base</source>
        <translation>基准</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>分词器</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Number of tokens in the encoded text, with those that stand for unknown symbols</source>
        <translation>所编码文本的词元数，包括代表未知符号的词元</translation>
    </message>
    <message>
        <source>vs. base</source>
        <translation>与基准比</translation>
    </message>
    <message>
        <source>Bytes/token</source>
        <translation>字节/词元</translation>
    </message>
    <message>
        <source>Compression: the UTF-8 bytes of the text, with those in no token, divided by its tokens</source>
        <translation>压缩率：文本的 UTF-8 字节数除以词元数，不属于任何词元的字节也计入</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Only here</source>
        <translation>独有</translation>
    </message>
    <message>
        <source>{tokens} ({count} unknown)</source>
        <translation>{tokens}（{count} 个未知）</translation>
    </message>
    <message>
        <source>Difference in the number of tokens from the base, the first tokenizer of the pair</source>
        <translation>与基准（对比中的第一个分词器）相比的词元数差异</translation>
    </message>
    <message>
        <source>Number of entries</source>
        <translation>条目数</translation>
    </message>
    <message>
        <source>Number of tokens that no other tokenizer in this table has</source>
        <translation>此表中其他分词器都没有的词元数</translation>
    </message>
</context>
<context>
    <name>NumbersTable</name>
    <message>
        <source>Compared tokenizers and their numbers</source>
        <translation>比较的分词器及其数据</translation>
    </message>
</context>
<context>
    <name>NumbersView</name>
    <message>
        <source>Numbers per line</source>
        <translation>各行的数据</translation>
    </message>
    <message>
        <source>The text is empty.</source>
        <translation>文本为空。</translation>
    </message>
</context>
<context>
    <name>ObjectNames</name>
    <message>
        <source>Main run</source>
        <translation>本次训练</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>{name}, step {step}</source>
        <translation>{name}，第 {step} 步</translation>
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
        <source>File name patterns</source>
        <translation>文件名模式</translation>
    </message>
    <message>
        <source>First files found</source>
        <translation>最先找到的文件</translation>
    </message>
    <message>
        <source>* matches any part of a name, ? one character, ** folders at any depth.</source>
        <translation>* 匹配名称的任意部分，? 匹配一个字符，** 匹配任意层级的文件夹。</translation>
    </message>
    <message>
        <source>Separate patterns with semicolons. Hidden files are skipped.</source>
        <translation>用分号分隔多个模式。会跳过隐藏文件。</translation>
    </message>
    <message>
        <source>Enter a pattern, such as {example}.</source>
        <translation>请输入模式，例如 {example}。</translation>
    </message>
    <message>
        <source>{folder} is not a readable folder.</source>
        <translation>{folder} 不是可读取的文件夹。</translation>
    </message>
    <message>
        <source>No matching files.</source>
        <translation>没有匹配的文件。</translation>
    </message>
    <message>
        <source>more files match, but this is the limit</source>
        <translation>还有更多匹配的文件，但已达上限</translation>
    </message>
    <message>
        <source>1 unreadable folder: {folder}</source>
        <translation>1 个无法读取的文件夹：{folder}</translation>
    </message>
    <message>
        <source>{count} unreadable folders</source>
        <translation>{count} 个无法读取的文件夹</translation>
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
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Replace corpus</source>
        <translation>替换语料</translation>
    </message>
    <message>
        <source>Add to corpus</source>
        <translation>添加到语料</translation>
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
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Searching… {found} so far</source>
        <translation>正在搜索…已找到 {found}</translation>
    </message>
    <message>
        <source>1 file, {size}</source>
        <translation>1 个文件，{size}</translation>
    </message>
    <message>
        <source>{count} files, {size}</source>
        <translation>{count} 个文件，{size}</translation>
    </message>
</context>
<context>
    <name>OpenedBar</name>
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
        <translation>1 条合并规则</translation>
    </message>
    <message>
        <source>{count} merges</source>
        <translation>{count} 条合并规则</translation>
    </message>
    <message>
        <source>Pattern and special tokens…</source>
        <translation>切分模式和特殊词元…</translation>
    </message>
    <message>
        <source>Runs and open tokenizers</source>
        <translation>本次训练、分支和打开的分词器</translation>
    </message>
    <message>
        <source>Close this tokenizer</source>
        <translation>关闭此分词器</translation>
    </message>
    <message>
        <source>Replay this tokenizer on the corpus</source>
        <translation>在语料上重放此分词器</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Replay on the corpus</source>
        <translation>在语料上重放</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>叠加显示</translation>
    </message>
    <message>
        <source>Choose the splitter</source>
        <translation>选择预分词规则</translation>
    </message>
    <message>
        <source>This file does not say how text is split. Choose the splitter of its model.</source>
        <translation>此文件没有说明文本如何切分。请选择该模型所用的预分词规则。</translation>
    </message>
    <message>
        <source>Compare runs</source>
        <translation>比较本次训练与分支</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>{name} · paused</source>
        <translation>{name} · 已暂停</translation>
    </message>
    <message>
        <source>Splitter: {name}</source>
        <translation>预分词规则：{name}</translation>
    </message>
    <message>
        <source>Splitter assumed: {name}</source>
        <translation>预分词规则（假定）：{name}</translation>
    </message>
    <message>
        <source>1 branch</source>
        <translation>1 个分支</translation>
    </message>
    <message>
        <source>{count} branches</source>
        <translation>{count} 个分支</translation>
    </message>
    <message>
        <source>1 open tokenizer</source>
        <translation>打开了 1 个分词器</translation>
    </message>
    <message>
        <source>{count} open tokenizers</source>
        <translation>打开了 {count} 个分词器</translation>
    </message>
    <message>
        <source>{size} of memory</source>
        <translation>占用内存 {size}</translation>
    </message>
    <message>
        <source>branch</source>
        <translation>分支</translation>
    </message>
    <message>
        <source>tokenizer file ({format})</source>
        <translation>分词器文件（{format}）</translation>
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
        <source>1 token without a merge</source>
        <translation>1 个词元没有对应的合并</translation>
    </message>
    <message>
        <source>{count} tokens without a merge</source>
        <translation>{count} 个词元没有对应的合并</translation>
    </message>
    <message>
        <source>ids up to {last}</source>
        <translation>ID 最大为 {last}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>OverlayLine</name>
    <message>
        <source>Show this run</source>
        <translation>切换过去</translation>
    </message>
    <message>
        <source>not trained on this corpus yet</source>
        <translation>尚未在此语料上训练</translation>
    </message>
    <message>
        <source>training to the same step…</source>
        <translation>正在训练到同一步…</translation>
    </message>
    <message>
        <source>ends before this step</source>
        <translation>在这一步之前已结束</translation>
    </message>
    <message>
        <source>different tokens, but the same number</source>
        <translation>词元不同，数量相同</translation>
    </message>
    <message>
        <source>same tokens</source>
        <translation>词元相同</translation>
    </message>
    <message>
        <source>{fact} here</source>
        <translation>{fact}</translation>
    </message>
    <message>
        <source>{fact} in the first {size}</source>
        <translation>{fact}（前 {size}）</translation>
    </message>
</context>
<context>
    <name>OwnTokens</name>
    <message>
        <source>Tokens that only one has</source>
        <translation>一方独有的词元</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Only in {name}: {count}</source>
        <translation>{name} 独有：{count}</translation>
    </message>
</context>
<context>
    <name>OwnTokensModel</name>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>PairModel</name>
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
        <source>Rank by the rules of the recipe</source>
        <translation>按配方规则的排名</translation>
    </message>
    <message>
        <source>First symbol of the pair</source>
        <translation>符号对的第一个符号</translation>
    </message>
    <message>
        <source>Second symbol of the pair</source>
        <translation>符号对的第二个符号</translation>
    </message>
    <message>
        <source>Token that the merge makes</source>
        <translation>合并产生的词元</translation>
    </message>
    <message>
        <source>Number of occurrences in the corpus</source>
        <translation>在语料中出现的次数</translation>
    </message>
    <message>
        <source>Change in count from the last step</source>
        <translation>最近一步使次数增减了多少</translation>
    </message>
    <message>
        <source>“=”: as frequent as the next pair, so they tie for the next merge</source>
        <translation>“=”：与下一个符号对次数相同，并列为下一步的候选</translation>
    </message>
    <message>
        <source>the other run merges this pair next</source>
        <translation>叠加显示的一方下一步合并此对</translation>
    </message>
    <message>
        <source>banned</source>
        <translation>已禁用</translation>
    </message>
    <message>
        <source>next pair to merge</source>
        <translation>下一个要合并的符号对</translation>
    </message>
    <message>
        <source>not merged: {reason}</source>
        <translation>不会合并：{reason}</translation>
    </message>
    <message>
        <source>created by the last step</source>
        <translation>由最近一步产生</translation>
    </message>
    <message>
        <source>… ({bytes} bytes in total)</source>
        <translation>…（共 {bytes} 字节）</translation>
    </message>
    <message>
        <source>new</source>
        <translation>新</translation>
    </message>
    <message>
        <source>{matches} of {pairs} pairs</source>
        <translation>{pairs} 对中有 {matches} 对匹配</translation>
    </message>
    <message>
        <source>Number of occurrences in the weighted corpus</source>
        <translation>在加权后的语料中出现的次数</translation>
    </message>
    <message>
        <source>wins the tie with pairs of the same count</source>
        <translation>次数与其他符号对相同，并列规则选中此对</translation>
    </message>
    <message>
        <source>same count as {pair}, which wins the tie</source>
        <translation>次数与 {pair} 相同，并列规则选中后者</translation>
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
</context>
<context>
    <name>PairPanel</name>
    <message>
        <source>Base: the first tokenizer of the pair</source>
        <translation>基准：对比中的第一个分词器</translation>
    </message>
    <message>
        <source>Second tokenizer of the pair</source>
        <translation>第二个分词器</translation>
    </message>
    <message>
        <source>Add another tokenizer to see here how the two differ.</source>
        <translation>再添加一个分词器，这里就会显示两者的差别。</translation>
    </message>
    <message>
        <source>First merges that differ</source>
        <translation>最先出现差异的合并</translation>
    </message>
    <message>
        <source>Find in the tokens that only one has</source>
        <translation>在一方独有的词元中查找</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>两两对比</translation>
    </message>
</context>
<context>
    <name>PauseNotices</name>
    <message>
        <source>Training paused: {runs}. Each continues when you show it again.</source>
        <translation>训练已暂停：{runs}。切换回去时会各自继续。</translation>
    </message>
    <message>
        <source>Training paused: {runs}. It continues when you show it again.</source>
        <translation>训练已暂停：{runs}。切换回去时会继续。</translation>
    </message>
</context>
<context>
    <name>PictureDialog</name>
    <message>
        <source>Picture of the tokens</source>
        <translation>词元图片</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>所选内容</translation>
    </message>
    <message>
        <source>Whole text</source>
        <translation>全部文本</translation>
    </message>
    <message>
        <source>Picture preview</source>
        <translation>图片预览</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Visible text</source>
        <translation>可见文本</translation>
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
        <source>&amp;Range</source>
        <translation>范围(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>格式(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>Only the beginning fits: {shown} of {whole}.</source>
        <translation>只容得下开头部分：{whole} 中的 {shown}。</translation>
    </message>
    <message>
        <source>A PDF can show more.</source>
        <translation>PDF 可以容纳更多。</translation>
    </message>
    <message>
        <source>Copied as HTML and plain text.</source>
        <translation>已复制为 HTML 和纯文本。</translation>
    </message>
    <message>
        <source>Copied the beginning as HTML and plain text: {shown} of {whole}.</source>
        <translation>已将开头部分复制为 HTML 和纯文本：{whole} 中的 {shown}。</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
</context>
<context>
    <name>PictureSaving</name>
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
        <source>Saved: {path} ({size})</source>
        <translation>已保存：{path}（{size}）</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
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
        <source>File format</source>
        <translation>文件格式</translation>
    </message>
    <message>
        <source>PNG image</source>
        <translation>PNG 图像</translation>
    </message>
    <message>
        <source>SVG drawing</source>
        <translation>SVG 矢量图</translation>
    </message>
    <message>
        <source>PDF document</source>
        <translation>PDF 文档</translation>
    </message>
    <message>
        <source>{width} × {height} pixels</source>
        <translation>{width} × {height} 像素</translation>
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
        <source>Creating picture…</source>
        <translation>正在生成图片…</translation>
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
        <translation>ID {id}</translation>
    </message>
    <message>
        <source>ids {ids}</source>
        <translation>ID {ids}</translation>
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
        <translation>不切分</translation>
    </message>
    <message>
        <source>dropout not applied</source>
        <translation>不使用 dropout</translation>
    </message>
    <message>
        <source>Splitter</source>
        <translation>预分词规则</translation>
    </message>
    <message>
        <source>Roles</source>
        <translation>角色</translation>
    </message>
    <message>
        <source>Chat templates</source>
        <translation>对话模板</translation>
    </message>
    <message>
        <source>Also kept</source>
        <translation>同时保留</translation>
    </message>
    <message>
        <source>lowercase</source>
        <translation>转为小写</translation>
    </message>
    <message>
        <source>accents removed</source>
        <translation>去除重音符号</translation>
    </message>
    <message>
        <source>control characters removed</source>
        <translation>去除控制字符</translation>
    </message>
    <message>
        <source>whitespace as {text}</source>
        <translation>空白写作 {text}</translation>
    </message>
    <message>
        <source>pattern replacements</source>
        <translation>按模式替换</translation>
    </message>
    <message>
        <source>{text} prepended</source>
        <translation>前面加 {text}</translation>
    </message>
    <message>
        <source>whitespace trimmed</source>
        <translation>去除首尾空白</translation>
    </message>
    <message>
        <source>character replacements</source>
        <translation>字符替换</translation>
    </message>
    <message>
        <source>spaces around ideographs</source>
        <translation>汉字两侧加空格</translation>
    </message>
    <message>
        <source>spaces collapsed</source>
        <translation>合并连续空格</translation>
    </message>
    <message>
        <source>words and punctuation split</source>
        <translation>词与标点分开</translation>
    </message>
    <message>
        <source>split at whitespace</source>
        <translation>按空白切分</translation>
    </message>
    <message>
        <source>single digits split</source>
        <translation>数字逐位分开</translation>
    </message>
    <message>
        <source>numbers split</source>
        <translation>数字分开</translation>
    </message>
    <message>
        <source>punctuation split</source>
        <translation>标点分开</translation>
    </message>
    <message>
        <source>scripts split</source>
        <translation>按文字系统切分</translation>
    </message>
    <message>
        <source>words of {number} characters</source>
        <translation>每 {number} 个字符切成一词</translation>
    </message>
    <message>
        <source>split at {text}</source>
        <translation>按 {text} 切分</translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>the first step is 1.</source>
        <translation>步号从 1 开始。</translation>
    </message>
    <message>
        <source>enter a number of merges and the splitter to use then.</source>
        <translation>请输入合并次数，以及此后使用的预分词规则。</translation>
    </message>
    <message>
        <source>line {line} begins with {step}, too. Remove one of the two.</source>
        <translation>第 {line} 行开头也是 {step}，请删去其中一行。</translation>
    </message>
    <message>
        <source>it must begin with a number, not “{text}”.</source>
        <translation>必须以数字开头，而不是“{text}”。</translation>
    </message>
    <message>
        <source>enter two tokens separated by a space.</source>
        <translation>请输入以空格分隔的两个词元。</translation>
    </message>
    <message>
        <source>{name} replayed on the corpus: every merge occurs in it.</source>
        <translation>已在语料上重放 {name}：它的所有合并都在语料中出现。</translation>
    </message>
    <message>
        <source>{name} replayed on the corpus: 1 of {merges} merges never occurs in it.</source>
        <translation>已在语料上重放 {name}：{merges} 条合并规则中有 1 条从未在语料中出现。</translation>
    </message>
    <message>
        <source>{name} replayed on the corpus: {absent} of {merges} merges never occur in it.</source>
        <translation>已在语料上重放 {name}：{merges} 条合并规则中有 {absent} 条从未在语料中出现。</translation>
    </message>
    <message>
        <source>1 merge makes a token that an earlier merge makes, and shares its id.</source>
        <translation>有 1 条合并规则产生的词元与更早的合并相同，共用其 ID。</translation>
    </message>
    <message>
        <source>{count} merges make tokens that earlier merges make, and share their ids.</source>
        <translation>有 {count} 条合并规则产生的词元与更早的合并相同，共用其 ID。</translation>
    </message>
    <message>
        <source>1 merge is left out, because a part of it is not a token at its step.</source>
        <translation>有 1 条合并规则被略去，因为轮到它时，它的某一部分还不是词元。</translation>
    </message>
    <message>
        <source>{count} merges are left out, because a part of each is not a token at its step.</source>
        <translation>有 {count} 条合并规则被略去，因为轮到它们时，其中某一部分还不是词元。</translation>
    </message>
    <message>
        <source>1 token has no merge and is never made.</source>
        <translation>有 1 个词元没有对应的合并，不会产生。</translation>
    </message>
    <message>
        <source>{count} tokens have no merge and are never made.</source>
        <translation>有 {count} 个词元没有对应的合并，不会产生。</translation>
    </message>
    <message>
        <source>The tokens that the tokenizer adds to each text are left out.</source>
        <translation>分词器在每段文本首尾添加的词元会略去。</translation>
    </message>
    <message>
        <source>Training continues from here to {size} entries.</source>
        <translation>训练从这里继续，直到 {size} 个条目。</translation>
    </message>
    <message>
        <source>{name} splits the corpus by its own steps, and keeps these and its ids.</source>
        <translation>{name} 按自己的步骤切分语料，并保留这些步骤和它的 ID。</translation>
    </message>
    <message>
        <source>no merge makes {part}, and it is not in the alphabet</source>
        <translation>没有合并产生{part}，它也不在字母表中</translation>
    </message>
    <message>
        <source>{part} is not made until step {step}</source>
        <translation>{part}要到第 {step} 步才产生</translation>
    </message>
    <message>
        <source>step {step}, which makes {part}, is left out</source>
        <translation>产生{part}的第 {step} 步已被略去</translation>
    </message>
    <message>
        <source>1 merge replayed</source>
        <translation>沿用前 1 次合并</translation>
    </message>
    <message>
        <source>{count} merges replayed</source>
        <translation>沿用前 {count} 次合并</translation>
    </message>
    <message>
        <source>1 id kept</source>
        <translation>保留 1 个 ID</translation>
    </message>
    <message>
        <source>{count} ids kept</source>
        <translation>保留 {count} 个 ID</translation>
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
        <source>without {pairs}</source>
        <translation>禁用 {pairs}</translation>
    </message>
    <message>
        <source>without {count} pairs</source>
        <translation>禁用 {count} 个符号对</translation>
    </message>
    <message>
        <source>1 pattern of banned tokens</source>
        <translation>1 个禁用词元的模式</translation>
    </message>
    <message>
        <source>{count} patterns of banned tokens</source>
        <translation>{count} 个禁用词元的模式</translation>
    </message>
    <message>
        <source>{pair} at step {step}</source>
        <translation>第 {step} 步合并 {pair}</translation>
    </message>
    <message>
        <source>{count} steps chosen by you</source>
        <translation>你指定了 {count} 步</translation>
    </message>
    <message>
        <source>languages take turns</source>
        <translation>各语言轮流</translation>
    </message>
    <message>
        <source>1 seed token</source>
        <translation>1 个种子词元</translation>
    </message>
    <message>
        <source>{count} seed tokens</source>
        <translation>{count} 个种子词元</translation>
    </message>
    <message>
        <source>1 change of splitter</source>
        <translation>更换 1 次预分词规则</translation>
    </message>
    <message>
        <source>{count} changes of splitter</source>
        <translation>更换 {count} 次预分词规则</translation>
    </message>
    <message>
        <source>whole words join</source>
        <translation>整词相连</translation>
    </message>
    <message>
        <source>tokens of at most {count} bytes</source>
        <translation>词元不超过 {count} 字节</translation>
    </message>
    <message>
        <source>tokens of at most {count} characters</source>
        <translation>词元不超过 {count} 个字符</translation>
    </message>
    <message>
        <source>tokens of at most {count} words</source>
        <translation>词元不超过 {count} 个词</translation>
    </message>
    <message>
        <source>no letters with digits</source>
        <translation>字母不与数字合并</translation>
    </message>
    <message>
        <source>no mixed scripts</source>
        <translation>不混用多种文字</translation>
    </message>
    <message>
        <source>no leading space</source>
        <translation>空格不与后面的文本合并</translation>
    </message>
    <message>
        <source>no token across character boundaries</source>
        <translation>词元不跨字符边界</translation>
    </message>
    <message>
        <source>tokens of at most 1 character</source>
        <translation>词元不超过 1 个字符</translation>
    </message>
    <message>
        <source>tokens of at most 1 word</source>
        <translation>词元不超过 1 个词</translation>
    </message>
    <message>
        <source>banned by you</source>
        <translation>你禁用了它</translation>
    </message>
    <message>
        <source>banned by the pattern {pattern}</source>
        <translation>匹配禁用词元的模式 {pattern}</translation>
    </message>
    <message>
        <source>a token already</source>
        <translation>已是词元</translation>
    </message>
    <message>
        <source>the name of a byte</source>
        <translation>字节的名称</translation>
    </message>
    <message>
        <source>longer than {limit} bytes</source>
        <translation>超过 {limit} 字节</translation>
    </message>
    <message>
        <source>longer than {limit} characters</source>
        <translation>超过 {limit} 个字符</translation>
    </message>
    <message>
        <source>more than {limit} words</source>
        <translation>超过 {limit} 个词</translation>
    </message>
    <message>
        <source>letters with digits</source>
        <translation>字母与数字混合</translation>
    </message>
    <message>
        <source>mixed scripts</source>
        <translation>混用多种文字</translation>
    </message>
    <message>
        <source>a leading space</source>
        <translation>空格后接其他文本</translation>
    </message>
    <message>
        <source>across a character boundary</source>
        <translation>跨越了字符边界</translation>
    </message>
    <message>
        <source>longer than 1 character</source>
        <translation>超过 1 个字符</translation>
    </message>
    <message>
        <source>more than 1 word</source>
        <translation>超过 1 个词</translation>
    </message>
</context>
<context>
    <name>PlanDialog</name>
    <message>
        <source>Plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>Pairs that are never merged</source>
        <translation>从不合并的符号对</translation>
    </message>
    <message>
        <source>Tokens that are never made</source>
        <translation>从不生成的词元</translation>
    </message>
    <message>
        <source>Merges chosen by you</source>
        <translation>你指定的合并</translation>
    </message>
    <message>
        <source>Changes of the splitter</source>
        <translation>更换预分词规则</translation>
    </message>
    <message>
        <source>The recipe “parity” trains as ParityBpeTrainer in tokenizers and “bpe-gui train --language”.</source>
        <translation>配方“parity”的训练与 tokenizers 的 ParityBpeTrainer 和“bpe-gui train --language”一致。</translation>
    </message>
    <message>
        <source>Open plan…</source>
        <translation>打开计划…</translation>
    </message>
    <message>
        <source>Save plan…</source>
        <translation>保存计划…</translation>
    </message>
    <message>
        <source>Apply to this run</source>
        <translation>应用到本次训练</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>&amp;Banned pairs</source>
        <translation>禁用的符号对(&amp;B)</translation>
    </message>
    <message>
        <source>Banned &amp;tokens</source>
        <translation>禁用的词元(&amp;T)</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>The step, from 1, and the pair to merge there, whatever its count.</source>
        <translation>步号（从 1 数起），以及在该步合并的符号对，不论其次数。</translation>
    </message>
    <message>
        <source>&amp;Superwords</source>
        <translation>超词(&amp;S)</translation>
    </message>
    <message>
        <source>Forced merges</source>
        <translation>指定的合并</translation>
    </message>
    <message>
        <source>Superwords</source>
        <translation>超词</translation>
    </message>
    <message>
        <source>the first</source>
        <translation>前</translation>
    </message>
    <message>
        <source>merges of</source>
        <translation>条合并规则，来自</translation>
    </message>
    <message>
        <source>bytes at most</source>
        <translation>字节以内</translation>
    </message>
    <message>
        <source>characters at most</source>
        <translation>个字符以内</translation>
    </message>
    <message>
        <source>words at most</source>
        <translation>个词以内</translation>
    </message>
    <message>
        <source>No letters with digits</source>
        <translation>字母不与数字合并</translation>
    </message>
    <message>
        <source>Merges to replay</source>
        <translation>要重放的合并</translation>
    </message>
    <message>
        <source>Seed tokens</source>
        <translation>种子词元</translation>
    </message>
    <message>
        <source>Number of merges to replay</source>
        <translation>要重放的合并数</translation>
    </message>
    <message>
        <source>Languages</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>one language</source>
        <translation>只有一种语言</translation>
    </message>
    <message>
        <source>a language in each folder</source>
        <translation>每个文件夹一种语言</translation>
    </message>
    <message>
        <source>a language in each document</source>
        <translation>每个文档一种语言</translation>
    </message>
    <message>
        <source>Whose turn it is</source>
        <translation>轮到哪种语言</translation>
    </message>
    <message>
        <source>whose text is the longest</source>
        <translation>文本最长的语言</translation>
    </message>
    <message>
        <source>whose text has been shortened the least</source>
        <translation>文本缩短最少的语言</translation>
    </message>
    <message>
        <source>Apply to a new branch</source>
        <translation>应用到新分支</translation>
    </message>
    <message>
        <source>Start this run over with the plan. You can undo this.</source>
        <translation>按计划重新开始本次训练。可以撤销。</translation>
    </message>
    <message>
        <source>&amp;Replay</source>
        <translation>重放(&amp;R)</translation>
    </message>
    <message>
        <source>One pair per line, as in merges.txt.</source>
        <translation>每行一个符号对，写法同 merges.txt。</translation>
    </message>
    <message>
        <source>One regular expression per line. It must match the whole token.</source>
        <translation>每行一个正则表达式，须匹配整个词元。</translation>
    </message>
    <message>
        <source>Seed t&amp;okens</source>
        <translation>种子词元(&amp;O)</translation>
    </message>
    <message>
        <source>One per line. They are found in words before anything merges, and are never divided.</source>
        <translation>每行一个。任何合并之前先在词中找出它们，之后不再拆开。</translation>
    </message>
    <message>
        <source>&amp;Languages</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Forced merges</source>
        <translation>指定的合并(&amp;F)</translation>
    </message>
    <message>
        <source>After how many merges, and a splitter’s name or expression, or join: merge words that are one token.</source>
        <translation>写在多少次合并之后，再写预分词规则的名称或表达式；或写 join，合并已是一个词元的整词。</translation>
    </message>
    <message>
        <source>the turn is that of the one</source>
        <translation>轮到</translation>
    </message>
    <message>
        <source>No mixed scripts</source>
        <translation>不混用多种文字</translation>
    </message>
    <message>
        <source>No leading space</source>
        <translation>空格不与后面的文本合并</translation>
    </message>
    <message>
        <source>Whole characters or parts of one</source>
        <translation>词元不跨字符边界（完整字符，或单个字符的一部分）</translation>
    </message>
    <message>
        <source>the plan</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>No plan: training chooses every merge.</source>
        <translation>没有计划：每次合并都由训练自行选择。</translation>
    </message>
    <message>
        <source>“{text}” is not the name of a splitter, so it is a regular expression.</source>
        <translation>“{text}”不是预分词规则的名称，因此会作为正则表达式使用。</translation>
    </message>
    <message>
        <source>Did you mean {name}?</source>
        <translation>是否想用 {name}？</translation>
    </message>
    <message>
        <source>Banned pairs</source>
        <translation>禁用的符号对</translation>
    </message>
    <message>
        <source>Banned tokens</source>
        <translation>禁用的词元</translation>
    </message>
    <message>
        <source>{part}, line {line}: {problem}</source>
        <translation>{part}，第 {line} 行：{problem}</translation>
    </message>
    <message>
        <source>Open plan</source>
        <translation>打开计划</translation>
    </message>
    <message>
        <source>Plans (*.json)</source>
        <translation>计划 (*.json)</translation>
    </message>
    <message>
        <source>Save plan</source>
        <translation>保存计划</translation>
    </message>
    <message>
        <source>Saved as {path} (merges to replay: {count}).</source>
        <translation>已保存为 {path}（重放 {count} 条合并规则）。</translation>
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
        <source>Remove from list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Autosave failed: {reason}</source>
        <translation>自动保存失败：{reason}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
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
        <source>Save your work on “{name}” as a project?</source>
        <translation>要把对“{name}”所做的工作保存为项目吗？</translation>
    </message>
    <message>
        <source>Unsaved changes will be lost.</source>
        <translation>如果不保存，更改会丢失。</translation>
    </message>
    <message>
        <source>The merges in the file will be lost.</source>
        <translation>文件中的合并会丢失。</translation>
    </message>
    <message>
        <source>“{name}” contains a different corpus. Saving replaces it with this one.</source>
        <translation>“{name}”中保存的是另一份语料。保存后将替换为当前语料。</translation>
    </message>
    <message>
        <source>The corpus and the merges in the file will be lost.</source>
        <translation>文件中的语料和合并会丢失。</translation>
    </message>
    <message>
        <source>bpe-gui projects (*{suffix})</source>
        <translation>bpe-gui 项目 (*{suffix})</translation>
    </message>
    <message>
        <source>Save the changes to “{name}”?</source>
        <translation>要保存对“{name}”的更改吗？</translation>
    </message>
    <message>
        <source>Merges in the project: {saved}. Saving replaces them with {now}.</source>
        <translation>项目中有 {saved} 条合并规则。保存后将替换为 {now} 条。</translation>
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
        <translation>“{name}”在哪里？</translation>
    </message>
</context>
<context>
    <name>ProjectRestorer</name>
    <message>
        <source>Locate…</source>
        <translation>定位…</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>排除缺失的文件</translation>
    </message>
    <message>
        <source>Changed since the project was saved: {files}.</source>
        <translation>项目保存之后有更改的文件：{files}。</translation>
    </message>
    <message>
        <source>Missing: {files}.</source>
        <translation>缺失的文件：{files}。</translation>
    </message>
    <message>
        <source>The merges were trained before the corpus or recipe changed.</source>
        <translation>这些合并是在语料或配方更改之前训练得到的。</translation>
    </message>
    <message>
        <source>The project still contains the saved merges.</source>
        <translation>项目中仍有已保存的合并。</translation>
    </message>
    <message>
        <source>The saved merges are shown.</source>
        <translation>显示的是已保存的合并。</translation>
    </message>
    <message>
        <source>Leave out and retrain</source>
        <translation>排除缺失的文件并重新训练</translation>
    </message>
    <message>
        <source>Retrain</source>
        <translation>重新训练</translation>
    </message>
    <message>
        <source>Train on the current files</source>
        <translation>用文件的当前内容训练</translation>
    </message>
    <message>
        <source>Show saved merges</source>
        <translation>显示已保存的合并</translation>
    </message>
    <message>
        <source>From merge {number} on, the merges differ from the saved ones.</source>
        <translation>从第 {number} 条合并规则起，与已保存的不同。</translation>
    </message>
    <message>
        <source>{files} and {count} more</source>
        <translation>{files}，另有 {count} 个</translation>
    </message>
</context>
<context>
    <name>ProofTextsDialog</name>
    <message>
        <source>First the cases on which tokenizers often differ, then your text and the beginning of the corpus, line by line and whole.</source>
        <translation>先是各种分词器常有分歧的情形，然后是你的文本和语料的开头：先逐行，再整篇。</translation>
    </message>
    <message>
        <source>Test strings of the proof</source>
        <translation>用于核对的测试字符串</translation>
    </message>
    <message>
        <source>(empty)</source>
        <translation>（空）</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>PrunePanel</name>
    <message>
        <source>Export pruned…</source>
        <translation>导出剪枝结果…</translation>
    </message>
    <message>
        <source>Export pruned tokenizer</source>
        <translation>导出剪枝后的分词器</translation>
    </message>
    <message>
        <source>Pruning</source>
        <translation>剪枝</translation>
    </message>
    <message>
        <source>Without text, it is not known which tokens are needed.</source>
        <translation>没有文本，就无法知道需要哪些词元。</translation>
    </message>
    <message>
        <source>There are no merges to leave out.</source>
        <translation>没有可以省去的合并。</translation>
    </message>
    <message>
        <source>{removed} of {entries} entries and 1 merge are neither used in these texts nor needed to build the tokens that are.</source>
        <translation>{entries} 个条目中的 {removed} 个，以及 1 条合并规则，在这些文本中既未使用，也不是构成已用词元所必需的。</translation>
    </message>
    <message>
        <source>Without them, these texts would have different tokens, so the pruned tokenizer cannot be exported.</source>
        <translation>去掉后，这些文本的词元会改变，因此不能导出剪枝后的分词器。</translation>
    </message>
    <message>
        <source>{removed} of {entries} entries and {merges} merges are neither used in these texts nor needed to build the tokens that are.</source>
        <translation>{entries} 个条目中的 {removed} 个，以及 {merges} 条合并规则，在这些文本中既未使用，也不是构成已用词元所必需的。</translation>
    </message>
    <message>
        <source>Without them, these texts keep exactly the same tokens, as encoding them again has shown.</source>
        <translation>去掉后，这些文本的词元完全不变（已重新编码核对）。</translation>
    </message>
    <message>
        <source>These texts need every merge, so there is nothing to leave out.</source>
        <translation>这些文本需要每一条合并规则，没有可以去掉的。</translation>
    </message>
    <message>
        <source>The held-out text would change by {tokens} token ({share}).</source>
        <translation>验证文本的词元数变化：{tokens}（{share}）。</translation>
    </message>
    <message>
        <source>The held-out text would change by {tokens} tokens ({share}).</source>
        <translation>验证文本的词元数变化：{tokens}（{share}）。</translation>
    </message>
</context>
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>%1 File</source>
        <translation>%1 文件</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>查找范围(&amp;L)：</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>文件名(&amp;N)：</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>文件类型(&amp;T)：</translation>
    </message>
</context>
<context>
    <name>QFileSystemModel</name>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Left</source>
        <translation>←</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>→</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>Discard</source>
        <translation>不保存</translation>
    </message>
</context>
<context>
    <name>RanksDialog</name>
    <message>
        <source>Pattern and special tokens</source>
        <translation>切分模式和特殊词元</translation>
    </message>
    <message>
        <source>Splitting pattern</source>
        <translation>切分模式</translation>
    </message>
    <message>
        <source>Special tokens with their ids, one per line</source>
        <translation>特殊词元及其 ID，每行一个</translation>
    </message>
    <message>
        <source>{name} contains only ranks. Enter the splitting pattern and the special tokens that its publisher specifies.</source>
        <translation>{name} 只含 rank（合并的次序）。请输入其发布者说明的切分模式和特殊词元。</translation>
    </message>
    <message>
        <source>The name of an OpenAI pattern or a regular expression.</source>
        <translation>OpenAI 模式的名称，或一个正则表达式。</translation>
    </message>
    <message>
        <source>One per line, followed by a space and its id. A token without an id gets the next free one.</source>
        <translation>每行一个，后跟空格和 ID。不写 ID 则使用下一个空闲的 ID。</translation>
    </message>
    <message>
        <source>Reopen</source>
        <translation>重新打开</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>切分模式</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>Passed over: {other} with {count} ({reason}).</source>
        <translation>已跳过 {other}（{count} 次）：{reason}。</translation>
    </message>
    <message>
        <source>Chosen by you for this step.</source>
        <translation>这一步由你指定。</translation>
    </message>
    <message>
        <source>Replayed by the plan.</source>
        <translation>按计划重放。</translation>
    </message>
    <message>
        <source>Passed over: {other} with {count} ({reason}), and {more} more.</source>
        <translation>已跳过 {other}（{count} 次）：{reason}；另外还跳过 {more} 对。</translation>
    </message>
    <message>
        <source>Replayed by the plan; training would choose {other} with {count}.</source>
        <translation>按计划重放；否则训练会选择 {other}（{count} 次）。</translation>
    </message>
    <message>
        <source>Chosen by you; training would choose {other} with {count}.</source>
        <translation>由你指定；否则训练会选择 {other}（{count} 次）。</translation>
    </message>
    <message>
        <source>Given by the tokenizer; training would end here.</source>
        <translation>由分词器给定；若自行训练，会到此结束。</translation>
    </message>
    <message>
        <source>Given by the tokenizer; training would choose it, too.</source>
        <translation>由分词器给定；若自行训练，也会选择它。</translation>
    </message>
    <message>
        <source>Given by the tokenizer; training would choose {other} with {count}.</source>
        <translation>由分词器给定；若自行训练，会选择 {other}（{count} 次）。</translation>
    </message>
    <message>
        <source>It is the only pair that can be merged.</source>
        <translation>这是唯一可以合并的符号对。</translation>
    </message>
    <message>
        <source>It is the most frequent pair; {other} follows with {count}.</source>
        <translation>次数最多；其次是 {other}，{count} 次。</translation>
    </message>
    <message>
        <source>Tied with {other} ({rule}).</source>
        <translation>与 {other} 次数相同（{rule}）。</translation>
    </message>
    <message>
        <source>Size reached; next would be</source>
        <translation>词表已满；若继续，下一次合并</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Instead of {other} with {count}.</source>
        <translation>而不是 {other}（{count} 次）。</translation>
    </message>
    <message>
        <source>{other} follows with {count}.</source>
        <translation>其次是 {other}，{count} 次。</translation>
    </message>
    <message>
        <source>Tied with {other}.</source>
        <translation>与 {other} 次数相同。</translation>
    </message>
    <message>
        <source>It is the most frequent pair of all languages together.</source>
        <translation>它是所有语言合在一起次数最多的符号对。</translation>
    </message>
    <message>
        <source>Turn of {language}: most of its symbols are left ({costs}).</source>
        <translation>轮到 {language}：它剩下的符号比例最大（{costs}）。</translation>
    </message>
    <message>
        <source>Turn of {language}: its text is the longest ({costs}).</source>
        <translation>轮到 {language}：它的文本最长（{costs}）。</translation>
    </message>
    <message>
        <source>Turn of {language}: those before it had their share, or have no pairs ({costs}).</source>
        <translation>轮到 {language}：排在前面的语言已用完轮次，或没有符号对了（{costs}）。</translation>
    </message>
    <message>
        <source>There, the pair has {count}.</source>
        <translation>此符号对在其中出现 {count} 次。</translation>
    </message>
    <message>
        <source>Tied with {other} and 1 other pair ({rule}).</source>
        <translation>与 {other} 及另外 1 对次数相同（{rule}）。</translation>
    </message>
    <message>
        <source>Tied with {other} and {more} other pairs ({rule}).</source>
        <translation>与 {other} 及另外 {more} 对次数相同（{rule}）。</translation>
    </message>
    <message>
        <source>Next would be</source>
        <translation>若继续，下一次合并</translation>
    </message>
    <message>
        <source>Tied with {other} and {more} more.</source>
        <translation>与 {other} 及另外 {more} 对次数相同。</translation>
    </message>
    <message>
        <source>Stopped at {size} of {target} entries.</source>
        <translation>词表停在 {size} 个词元，目标是 {target} 个。</translation>
    </message>
    <message>
        <source>The vocabulary has reached its target size.</source>
        <translation>词表已达到设定的大小。</translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}.</source>
        <translation>下一步合并 {pair}：它{times}。</translation>
    </message>
    <message>
        <source>Counting the words in the corpus…</source>
        <translation>正在统计语料中的词…</translation>
    </message>
    <message>
        <source>No words: the corpus was not counted.</source>
        <translation>没有词：语料未经统计。</translation>
    </message>
    <message>
        <source>Training… Cancel keeps the merges made so far.</source>
        <translation>正在训练。取消时会保留已完成的合并。</translation>
    </message>
    <message>
        <source>These are the merges saved in the project, without pairs, words or reasons.</source>
        <translation>这些是项目中保存的合并，看不到符号对、词频和选择理由。</translation>
    </message>
    <message>
        <source>This tokenizer was opened from a file without its corpus, so it has no pairs, words or reasons to show.</source>
        <translation>此分词器是从文件打开的，不含语料，因此看不到符号对、词频和选择理由。</translation>
    </message>
    <message>
        <source>Choose your own run at the top to see its pairs, words and reasons.</source>
        <translation>在顶部切换到本次训练或分支，即可查看符号对、词和理由。</translation>
    </message>
    <message>
        <source>Replay it on the corpus to see them.</source>
        <translation>把它的合并在一份语料上重做一遍，就能看到。</translation>
    </message>
    <message>
        <source>There is nothing left to merge: you banned the only pair left.</source>
        <translation>没有可合并的了：仅剩的一对已被你禁用。</translation>
    </message>
    <message>
        <source>There is nothing left to merge: your plan bans every pair that is left.</source>
        <translation>没有可合并的了：剩下的符号对都已被计划禁用。</translation>
    </message>
    <message>
        <source>There is nothing left to merge: no pairs remain.</source>
        <translation>没有可合并的了：已经没有符号对。</translation>
    </message>
    <message>
        <source>There is nothing left to merge: the best pair, {pair}, occurs {times}, and the minimum count is {limit}.</source>
        <translation>没有可合并的了：最优的符号对 {pair} 只{times}，低于最低次数 {limit}。</translation>
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
    <message>
        <source>{token} left the vocabulary at step {step}, because it no longer stood alone</source>
        <translation>{token} 在第 {step} 步移出词表，因为它不再独立出现</translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message>
        <source>Custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>Mixed Chinese and English: ideographs merge with each other, and only words of letters end in &lt;/w&gt;.</source>
        <translation>中英文混合：汉字之间相互合并，只有单词以 &lt;/w&gt; 结尾。</translation>
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
        <translation>预分词规则</translation>
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
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Characters</source>
        <translation>字符</translation>
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
        <source>The byte-level trainer and tokenizer from the Stanford CS336 assignment.</source>
        <translation>斯坦福 CS336 作业中的字节级训练器和分词器。</translation>
    </message>
    <message>
        <source>The example in the CS336 handout: characters, whitespace-separated words, ids from 257.</source>
        <translation>CS336 讲义中的例子：以字符为单位，按空白切分，ID 从 257 开始。</translation>
    </message>
    <message>
        <source>BPE by hand: characters, with &lt;/w&gt; in place of the space before a word.</source>
        <translation>手算 BPE：以字符为单位，用 &lt;/w&gt; 代替词前的空格。</translation>
    </message>
    <message>
        <source>OctopusMind/BBPE: bytes in GPT-2&apos;s printable spelling, ids sorted by token spelling.</source>
        <translation>OctopusMind/BBPE：字节采用 GPT-2 的可打印写法，ID 按词元写法排序。</translation>
    </message>
    <message>
        <source>Textbook BPE: characters and &lt;/w&gt;. Parts that no longer occur leave the vocabulary.</source>
        <translation>教科书式 BPE：字符加 &lt;/w&gt;。不再独立出现的符号移出词表。</translation>
    </message>
    <message>
        <source>RegexTokenizer.train from karpathy/minbpe, with the GPT-4 pattern.</source>
        <translation>karpathy/minbpe 的 RegexTokenizer.train，使用 GPT-4 的切分模式。</translation>
    </message>
    <message>
        <source>bpe_train from OpenAI&apos;s tiktoken._educational.</source>
        <translation>OpenAI 的 tiktoken._educational 中的 bpe_train。</translation>
    </message>
    <message>
        <source>ByteLevelBPETokenizer.train from Hugging Face&apos;s tokenizers package.</source>
        <translation>Hugging Face 的 tokenizers 软件包中的 ByteLevelBPETokenizer.train。</translation>
    </message>
    <message>
        <source>learn_bpe from rsennrich/subword-nmt, the original BPE for translation.</source>
        <translation>rsennrich/subword-nmt 的 learn_bpe，最初用于机器翻译的 BPE。</translation>
    </message>
    <message>
        <source>ParityBpeTrainer from Hugging Face&apos;s tokenizers package: languages take turns (train_fair).</source>
        <translation>Hugging Face tokenizers 包的 ParityBpeTrainer：各语言轮流选择合并（train_fair）。</translation>
    </message>
    <message>
        <source>SentencePiece&apos;s BPE trainer, with its options at their defaults.</source>
        <translation>SentencePiece 的 BPE 训练器，各选项均为默认值。</translation>
    </message>
    <message>
        <source>Text to symbols</source>
        <translation>从文本到符号</translation>
    </message>
    <message>
        <source>Pair selection</source>
        <translation>选择符号对</translation>
    </message>
    <message>
        <source>SentencePiece</source>
        <translation>SentencePiece</translation>
    </message>
    <message>
        <source>Minimum count</source>
        <translation>最低次数</translation>
    </message>
    <message>
        <source>Special tokens in the corpus</source>
        <translation>语料中的特殊词元</translation>
    </message>
    <message>
        <source>Normalization</source>
        <translation>规范化</translation>
    </message>
    <message>
        <source>Space before a text</source>
        <translation>文本前加空格</translation>
    </message>
    <message>
        <source>Extra spaces</source>
        <translation>多余空格</translation>
    </message>
    <message>
        <source>Character coverage</source>
        <translation>字符覆盖率</translation>
    </message>
    <message>
        <source>Split at spaces</source>
        <translation>在空格处切分</translation>
    </message>
    <message>
        <source>Split at scripts</source>
        <translation>在文字系统变化处切分</translation>
    </message>
    <message>
        <source>Split at numbers</source>
        <translation>在数字处切分</translation>
    </message>
    <message>
        <source>Split digits</source>
        <translation>逐个切分数字</translation>
    </message>
    <message>
        <source>Space as a suffix</source>
        <translation>空格作后缀</translation>
    </message>
    <message>
        <source>Longest piece</source>
        <translation>最长子词单元</translation>
    </message>
    <message>
        <source>The symbols in a word before any merge.</source>
        <translation>词在合并之前由哪些符号组成。</translation>
    </message>
    <message>
        <source>Whether &lt;/w&gt; marks the end or start of a word.</source>
        <translation>是否用 &lt;/w&gt; 标记词尾或词首。</translation>
    </message>
    <message>
        <source>Whether a pair that occurs twice in a word counts twice.</source>
        <translation>在同一个词中出现两次的符号对是否计两次。</translation>
    </message>
    <message>
        <source>Training stops when the best pair has a lower count.</source>
        <translation>最优符号对的次数低于此值时停止训练。</translation>
    </message>
    <message>
        <source>Whether to drop a part that no longer occurs on its own.</source>
        <translation>是否删除不再单独出现的部分。</translation>
    </message>
    <message>
        <source>Whether training sees special tokens in the corpus as text.</source>
        <translation>训练时是否把语料中的特殊词元当作文本。</translation>
    </message>
    <message>
        <source>Where special tokens come in the id order.</source>
        <translation>特殊词元在 ID 顺序中的位置。</translation>
    </message>
    <message>
        <source>The order in which tokens get their ids.</source>
        <translation>词元按什么顺序获得 ID。</translation>
    </message>
    <message>
        <source>How bytes are written in files and for sorting.</source>
        <translation>字节在文件中以及排序时的写法。</translation>
    </message>
    <message>
        <source>The first line of merges.txt, which some programs require.</source>
        <translation>merges.txt 的首行，有些程序需要它。</translation>
    </message>
    <message>
        <source>How characters are replaced before anything else.</source>
        <translation>首先按什么规则替换字符。</translation>
    </message>
    <message>
        <source>Whether each text gets a ▁ in front.</source>
        <translation>是否在每段文本前加上 ▁。</translation>
    </message>
    <message>
        <source>Whether outer spaces are dropped and several become one.</source>
        <translation>是否去掉首尾空格，并把连续空格合成一个。</translation>
    </message>
    <message>
        <source>The share of the text whose characters get into the vocabulary.</source>
        <translation>词表中的字符要覆盖文本的多大比例。</translation>
    </message>
    <message>
        <source>Whether other characters become bytes instead of &lt;unk&gt;.</source>
        <translation>其余字符是否变成字节，而不是 &lt;unk&gt;。</translation>
    </message>
    <message>
        <source>Whether a piece stays within one word.</source>
        <translation>子词单元是否不跨越词。</translation>
    </message>
    <message>
        <source>Whether a piece stays within one script, such as Latin.</source>
        <translation>子词单元是否只含一种文字，例如拉丁字母。</translation>
    </message>
    <message>
        <source>Whether digits count as a script of their own.</source>
        <translation>数字是否自成一种文字。</translation>
    </message>
    <message>
        <source>Whether each digit is a piece.</source>
        <translation>是否每个数字单独成为子词单元。</translation>
    </message>
    <message>
        <source>Whether ▁ belongs to the word before it.</source>
        <translation>▁ 是否属于它前面的词。</translation>
    </message>
    <message>
        <source>The most characters in a piece.</source>
        <translation>一个子词单元最多有多少个字符。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无标记</translation>
    </message>
    <message>
        <source>Greatest pair</source>
        <translation>字典序最大的一对</translation>
    </message>
    <message>
        <source>First pair seen</source>
        <translation>最先出现的一对</translation>
    </message>
    <message>
        <source>Smallest ids</source>
        <translation>ID 最小的一对</translation>
    </message>
    <message>
        <source>Shortest token</source>
        <translation>最短的词元</translation>
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
        <translation>移除不再独立出现的符号</translation>
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
        <source>Taken out</source>
        <translation>单独取出，不参与训练</translation>
    </message>
    <message>
        <source>Kept as text</source>
        <translation>作为文本保留</translation>
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
        <source>Merge order</source>
        <translation>按合并顺序</translation>
    </message>
    <message>
        <source>Unchanged</source>
        <translation>原样</translation>
    </message>
    <message>
        <source>UTF-8 bytes: 256 symbols can spell any text.</source>
        <translation>UTF-8 字节：用 256 个符号就能表示任何文本。</translation>
    </message>
    <message>
        <source>Unicode characters: only those in the corpus can be encoded.</source>
        <translation>Unicode 字符：只能编码语料中有的字符。</translation>
    </message>
    <message>
        <source>GPT-2: letters, digits or punctuation with the preceding space, or endings like &apos;s.</source>
        <translation>GPT-2：连续的字母、数字或标点，连同前面的空格；&apos;s 之类的词尾单独切出。</translation>
    </message>
    <message>
        <source>GPT-4o: like GPT-4, but a word also ends where capitals begin.</source>
        <translation>GPT-4o：同 GPT-4，且在大写字母开始处也断词。</translation>
    </message>
    <message>
        <source>Splits at whitespace, which is dropped.</source>
        <translation>在空白处切分，空白丢弃。</translation>
    </message>
    <message>
        <source>Splits at spaces and line breaks, which are dropped.</source>
        <translation>在空格和换行处切分，空格和换行丢弃。</translation>
    </message>
    <message>
        <source>Runs of Chinese characters, runs of other letters and digits, and single punctuation marks.</source>
        <translation>连续的汉字、连续的其他字母和数字，以及单个标点。</translation>
    </message>
    <message>
        <source>The whole text is one word, so merges may cross spaces.</source>
        <translation>整个文本是一个词，因此合并可以跨越空格。</translation>
    </message>
    <message>
        <source>Words have no boundary marker.</source>
        <translation>词没有边界标记。</translation>
    </message>
    <message>
        <source>&lt;/w&gt; is a separate symbol after the last character.</source>
        <translation>&lt;/w&gt; 是独立的符号，位于末字符之后。</translation>
    </message>
    <message>
        <source>The last character and &lt;/w&gt; form one symbol from the start.</source>
        <translation>末字符与 &lt;/w&gt; 从一开始就是一个符号。</translation>
    </message>
    <message>
        <source>&lt;/w&gt; is a separate symbol in place of the space before a word.</source>
        <translation>&lt;/w&gt; 是独立的符号，代替词前的空格。</translation>
    </message>
    <message>
        <source>The pair whose first remaining occurrence in the corpus is earliest.</source>
        <translation>在当前语料中首次出现位置最靠前的一对。</translation>
    </message>
    <message>
        <source>The pair that makes the shortest token, then the one that sorts first.</source>
        <translation>得到最短词元的那一对；若仍相同，取排序最靠前的。</translation>
    </message>
    <message>
        <source>Every occurrence counts: in “aaa”, the pair “a” + “a” occurs twice.</source>
        <translation>每次出现都计：在“aaa”中，“a”+“a”出现两次。</translation>
    </message>
    <message>
        <source>A word counts once, however often it contains the pair.</source>
        <translation>无论含有该符号对几次，一个词只计一次。</translation>
    </message>
    <message>
        <source>After a merge, a part that no longer occurs on its own leaves the vocabulary.</source>
        <translation>合并之后，不再单独出现的部分移出词表。</translation>
    </message>
    <message>
        <source>Bytes by value or characters by code point.</source>
        <translation>字节按数值、字符按码点排列。</translation>
    </message>
    <message>
        <source>Bytes in GPT-2&apos;s order, printable ones first. Only for bytes.</source>
        <translation>字节按 GPT-2 的顺序，可打印的在前。仅用于字节。</translation>
    </message>
    <message>
        <source>Characters 0 to 255 first, even if they do not occur. Only for characters.</source>
        <translation>字符 0 到 255 在前，即使不出现。仅用于字符。</translation>
    </message>
    <message>
        <source>They are taken out before text is split, and nothing merges across them.</source>
        <translation>切分文本之前先取出特殊词元，合并不会跨越它们。</translation>
    </message>
    <message>
        <source>They are split, counted and merged like any other text.</source>
        <translation>像其他文本一样切分、计数和合并。</translation>
    </message>
    <message>
        <source>Before everything else, starting at id 0.</source>
        <translation>在所有词元之前，从 ID 0 开始。</translation>
    </message>
    <message>
        <source>Assigned after training, sorted by token spelling.</source>
        <translation>训练结束后按词元写法的顺序分配。</translation>
    </message>
    <message>
        <source>Bytes and characters are written as they are.</source>
        <translation>字节和字符都照原样写。</translation>
    </message>
    <message>
        <source>Every byte is written as a visible character. A space becomes Ġ.</source>
        <translation>每个字节写作一个可见字符。空格写作 Ġ。</translation>
    </message>
    <message>
        <source>ties go to the pair that sorts first</source>
        <translation>并列时取排序最前的一对</translation>
    </message>
    <message>
        <source>ties go to the pair that sorts last</source>
        <translation>并列时取字典序最大的一对</translation>
    </message>
    <message>
        <source>ties go to the shortest token, then to the one that sorts first</source>
        <translation>次数相同时取词元最短的，再取排序最靠前的</translation>
    </message>
    <message>
        <source>split by a regular expression</source>
        <translation>按正则表达式切分</translation>
    </message>
    <message>
        <source>split by a custom regular expression</source>
        <translation>按自定义正则表达式切分</translation>
    </message>
    <message>
        <source>split at whitespace</source>
        <translation>按空白切分</translation>
    </message>
    <message>
        <source>split at spaces</source>
        <translation>按空格切分</translation>
    </message>
    <message>
        <source>{splitter} splitting</source>
        <translation>按 {splitter} 规则切分</translation>
    </message>
    <message>
        <source>Sorted after training</source>
        <translation>训练后排序</translation>
    </message>
    <message>
        <source>Choose how to split, or write a regular expression.</source>
        <translation>选择切分方式，或输入正则表达式。</translation>
    </message>
    <message>
        <source>Which of several pairs with the highest count is merged.</source>
        <translation>多个符号对的次数同为最高时，合并哪一个。</translation>
    </message>
    <message>
        <source>The order of the first symbols, which sets their ids.</source>
        <translation>初始符号的顺序，决定它们的 ID。</translation>
    </message>
    <message>
        <source>GPT-2&apos;s printable table</source>
        <translation>GPT-2 可打印字符表</translation>
    </message>
    <message>
        <source>GPT-4: like GPT-2, but any one character may begin a word, such as “(”; up to three digits; endings in any case.</source>
        <translation>GPT-4：同 GPT-2，但词前可带任意一个其他字符，如“。学”；一个词至多三位数字；词尾不分大小写。</translation>
    </message>
    <message>
        <source>The pair that sorts last, comparing bytes on the left, then on the right.</source>
        <translation>字典序最大的一对：按字节先比较左边，再比较右边。</translation>
    </message>
    <message>
        <source>The pair with the smallest id on the left, then on the right.</source>
        <translation>左边 ID 最小的对；相同则取右边 ID 最小的。</translation>
    </message>
    <message>
        <source>Every merge adds one token, and none is ever dropped.</source>
        <translation>每次合并增加一个词元，从不删除。</translation>
    </message>
    <message>
        <source>Between the alphabet and the first merge.</source>
        <translation>在字母表与第一次合并之间。</translation>
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
        <source>ties go to the pair seen first in the corpus</source>
        <translation>并列时取语料中最先出现的一对</translation>
    </message>
    <message>
        <source>ties go to the pair with the smallest ids</source>
        <translation>并列时取 ID 最小的一对</translation>
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
        <source>Chinese and English words</source>
        <translation>按中英文切分</translation>
    </message>
    <message>
        <source>no splitting</source>
        <translation>不切分</translation>
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
        <translation>移除不再独立出现的符号</translation>
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
        <source>Try it</source>
        <translation>试用</translation>
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
        <source>Show how this splitter splits a text, and what changes in the corpus</source>
        <translation>显示此预分词规则如何切分一段文本，以及语料中有哪些变化</translation>
    </message>
    <message>
        <source>Fixed: {name} contains word counts made with this splitter. To use another one, count the text again.</source>
        <translation>已固定：{name} 中的词频是用这个预分词规则统计的。要换用其他预分词规则，请重新统计文本。</translation>
    </message>
    <message>
        <source>Reset to {preset}</source>
        <translation>还原为 {preset}</translation>
    </message>
    <message>
        <source>Based on {preset} (settings changed: {count}).</source>
        <translation>以 {preset} 为基础（更改了 {count} 个选项）。</translation>
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
        <translation>恢复未保存的内容</translation>
    </message>
    <message>
        <source>Unsaved work</source>
        <translation>未保存的内容</translation>
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
        <source>bpe-gui closed before this work was saved. Choose what to restore.</source>
        <translation>上次退出时有以下未保存的内容。请选择要恢复哪一份。</translation>
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
        <source>bpe-gui closed before your work was saved ({name}, {time}).</source>
        <translation>上次退出时有未保存的内容：{name}（{time}）。要恢复吗？</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>bpe-gui closed {count} times before your work was saved.</source>
        <translation>有 {count} 份内容未保存，bpe-gui 就退出了。要恢复吗？</translation>
    </message>
    <message>
        <source>step {step} of {count}</source>
        <translation>第 {step} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>{size} of text</source>
        <translation>{size} 文本</translation>
    </message>
    <message>
        <source>text to encode</source>
        <translation>要编码的文本</translation>
    </message>
</context>
<context>
    <name>ReplayActions</name>
    <message>
        <source>{name}, continued</source>
        <translation>{name}（继续训练）</translation>
    </message>
    <message>
        <source>{name}, replayed</source>
        <translation>{name}（重放）</translation>
    </message>
    <message>
        <source>The tokenizer has {entries} entries, so training to {size} adds none.</source>
        <translation>此分词器有 {entries} 个条目，因此训练到 {size} 个不会增加条目。</translation>
    </message>
    <message>
        <source>Which ones?</source>
        <translation>哪些？</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>and {count} more</source>
        <translation>以及另外 {count} 条</translation>
    </message>
    <message>
        <source>{name}: merges left out</source>
        <translation>{name}：被略去的合并</translation>
    </message>
</context>
<context>
    <name>ReplayModel</name>
    <message>
        <source>Symbols</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>whole word</source>
        <translation>整个词</translation>
    </message>
    <message>
        <source>Next merge</source>
        <translation>下一次合并</translation>
    </message>
    <message>
        <source>done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>step {step}</source>
        <translation>第 {step} 步</translation>
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
        <source>Go to start</source>
        <translation>到开头</translation>
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
        <source>Go to end</source>
        <translation>到结尾</translation>
    </message>
    <message>
        <source>Place the caret in a word to see how it is encoded.</source>
        <translation>把光标放在一个词中，即可查看它如何编码。</translation>
    </message>
    <message>
        <source>Merges in the word</source>
        <translation>该词的合并</translation>
    </message>
    <message>
        <source>Next: {left} + {right}, the earliest merge among the pairs in this word (step {step}).</source>
        <translation>下一步：{left} + {right}，在该词现有的符号对中最早合并（第 {step} 步）。</translation>
    </message>
    <message>
        <source>Done: the word is a single token.</source>
        <translation>完成：该词已是单个词元。</translation>
    </message>
    <message>
        <source>Done: no merge so far applies to the remaining pairs.</source>
        <translation>编码完成：剩下的相邻符号对都不在合并规则表里。</translation>
    </message>
    <message>
        <source>merge {merge} of {merges}</source>
        <translation>第 {merge} 次合并，共 {merges} 次</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Every entry is used.</source>
        <translation>每个条目都用到了。</translation>
    </message>
    <message>
        <source>symbols of the alphabet: {count}</source>
        <translation>字母表中的符号：{count}</translation>
    </message>
    <message>
        <source>single bytes: {count}</source>
        <translation>单个字节：{count}</translation>
    </message>
    <message>
        <source>needed by nothing: {count}</source>
        <translation>完全不需要：{count}</translation>
    </message>
    <message>
        <source>Tokenizer report</source>
        <translation>分词器报告</translation>
    </message>
    <message>
        <source>The text is empty, so there is nothing to measure.</source>
        <translation>文本为空，没有可测量的内容。</translation>
    </message>
    <message>
        <source>entries: {entries} · merges: {merges} · special tokens: {special}</source>
        <translation>条目：{entries} · 合并：{merges} · 特殊词元：{special}</translation>
    </message>
    <message>
        <source>bytes per token</source>
        <translation>每词元字节数</translation>
    </message>
    <message>
        <source>single-byte tokens</source>
        <translation>单字节词元</translation>
    </message>
    <message>
        <source>Rényi efficiency</source>
        <translation>Rényi 效率</translation>
    </message>
    <message>
        <source>entries never used</source>
        <translation>从未使用的条目</translation>
    </message>
    <message>
        <source>Gini coefficient over texts</source>
        <translation>各文本间的基尼系数</translation>
    </message>
    <message>
        <source>1 token ({share}) stands for a symbol that has no id in this vocabulary.</source>
        <translation>有 1 个词元（{share}）代表在此词表中没有 ID 的符号。</translation>
    </message>
    <message>
        <source>{count} tokens ({share}) stand for symbols that have no id in this vocabulary.</source>
        <translation>有 {count} 个词元（{share}）代表在此词表中没有 ID 的符号。</translation>
    </message>
    <message>
        <source>Documents that could not be read and are left out: {count}</source>
        <translation>无法读取而略去的文档：{count}</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>documents</source>
        <translation>文档数</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Compression: the UTF-8 bytes of the text, with those in no token, divided by its tokens</source>
        <translation>压缩率：文本的 UTF-8 字节数除以词元数，不属于任何词元的字节也计入</translation>
    </message>
    <message>
        <source>Marginal gain</source>
        <translation>边际收益</translation>
    </message>
    <message>
        <source>Most used</source>
        <translation>最常用</translation>
    </message>
    <message>
        <source>The entries that occur most often in the text.</source>
        <translation>在文本中出现次数最多的词条。</translation>
    </message>
    <message>
        <source>all texts</source>
        <translation>全部文本</translation>
    </message>
    <message>
        <source>held out: {name}</source>
        <translation>验证文本：{name}</translation>
    </message>
    <message>
        <source>Gini coefficient over the texts: {per_byte} for tokens per byte. Where the texts are translations of one another: {of_tokens} for their numbers of tokens.</source>
        <translation>各文本间的基尼系数：按每字节词元数为 {per_byte}。如果这些文本互为译文：按词元数为 {of_tokens}。</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Price and fairness</source>
        <translation>价格与公平性</translation>
    </message>
    <message>
        <source>How large should the vocabulary be?</source>
        <translation>词表应该多大？</translation>
    </message>
    <message>
        <source>Measured on held-out text, which was not trained on.</source>
        <translation>在没参与训练的文本（验证文本）上测得。</translation>
    </message>
    <message>
        <source>knee</source>
        <translation>拐点</translation>
    </message>
    <message>
        <source>Bytes per token by size of the vocabulary</source>
        <translation>每词元字节数随词表大小的变化</translation>
    </message>
    <message>
        <source>{sentence} {sentence}</source>
        <translation>{sentence}{sentence}</translation>
    </message>
    <message>
        <source>Too little text to tell (tokens: {tokens}, entries that training added: {entries}).</source>
        <translation>文本太少，无法判断：只有 {tokens} 个词元，而训练增加了 {entries} 个条目。</translation>
    </message>
    <message>
        <source>All texts: from {first} at {fewest} entries to {last} at {most} entries.</source>
        <translation>全部文本：从 {fewest} 个条目时的 {first} 到 {most} 个条目时的 {last}。</translation>
    </message>
    <message>
        <source>Held-out text: from {first} at {fewest} entries to {last} at {most} entries.</source>
        <translation>验证文本：从 {fewest} 个条目时的 {first} 到 {most} 个条目时的 {last}。</translation>
    </message>
    <message>
        <source>{count} unused ({kinds}).</source>
        <translation>{count} 个未使用（{kinds}）。</translation>
    </message>
    <message>
        <source>id {id}, length in bytes: {bytes}, occurrences in the text: {count}</source>
        <translation>ID {id}，{bytes} 字节，在文本中出现 {count} 次</translation>
    </message>
    <message>
        <source>The knee of the curve so far is at {entries} entries, with {compression} bytes per token: from there to its end, it rises more slowly than up to there. In a longer run, the knee comes later.</source>
        <translation>目前曲线的拐点在 {entries} 个条目处，每词元 {compression} 字节：从此处到末尾，曲线上升得比之前慢。训练得更久，拐点会后移。</translation>
    </message>
    <message>
        <source>From {entries} entries on, {more} more save less than {share} of the tokens.</source>
        <translation>从 {entries} 个条目起，再增加 {more} 个节省的词元不到 {share}。</translation>
    </message>
    <message>
        <source>entries</source>
        <translation>条目数</translation>
    </message>
    <message>
        <source>up to</source>
        <translation>增至</translation>
    </message>
    <message>
        <source>Tokens per word (fertility)</source>
        <translation>每词词元数（fertility）</translation>
    </message>
    <message>
        <source>Single-byte tokens</source>
        <translation>单字节词元</translation>
    </message>
    <message>
        <source>% of tokens</source>
        <translation>占词元的 %</translation>
    </message>
    <message>
        <source>efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>During training</source>
        <translation>训练过程</translation>
    </message>
    <message>
        <source>held out</source>
        <translation>验证文本</translation>
    </message>
    <message>
        <source>From {first} at {fewest} entries to {last} at {most} entries.</source>
        <translation>从 {fewest} 个条目时的 {first} 到 {most} 个条目时的 {last}。</translation>
    </message>
    <message>
        <source>entries of the vocabulary</source>
        <translation>词表条目数</translation>
    </message>
    <message>
        <source>Never used</source>
        <translation>从未使用</translation>
    </message>
    <message>
        <source>Scaffolds</source>
        <translation>中间词元</translation>
    </message>
    <message>
        <source>Never used themselves, but parts of tokens that are.</source>
        <translation>自身从未使用，但是所用词元的组成部分。</translation>
    </message>
    <message>
        <source>Removable</source>
        <translation>可删除</translation>
    </message>
    <message>
        <source>Pruning can leave these out: the text keeps exactly the same tokens.</source>
        <translation>剪枝可以去掉它们：文本的词元保持不变。</translation>
    </message>
    <message>
        <source>Nearly dead</source>
        <translation>几乎不用</translation>
    </message>
    <message>
        <source>Up to the last step, {more} more entries save at least {share} of the tokens.</source>
        <translation>直到最后一步，每增加 {more} 个条目都能节省至少 {share} 的词元。</translation>
    </message>
    <message>
        <source>They occur in the text, but at most {count} times.</source>
        <translation>它们在文本中出现，但最多 {count} 次。</translation>
    </message>
    <message>
        <source>Longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>The longest entries in bytes.</source>
        <translation>按字节计最长的条目。</translation>
    </message>
    <message>
        <source>Partial characters</source>
        <translation>不完整的字符</translation>
    </message>
    <message>
        <source>Their bytes begin or end inside a character.</source>
        <translation>它们的字节在一个字符中间开始或结束。</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Duplicates up to case or leading space</source>
        <translation>仅大小写或前导空格不同的重复项</translation>
    </message>
    <message>
        <source>Groups of entries that differ only in case or in a space before them.</source>
        <translation>仅在大小写或前面的空格上不同的条目，分组列出。</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>…还有 {count} 个</translation>
    </message>
    <message>
        <source>Lengths and frequencies</source>
        <translation>长度与频率</translation>
    </message>
    <message>
        <source>% of entries</source>
        <translation>占条目的 %</translation>
    </message>
    <message>
        <source>Entries have {mean} bytes on average.</source>
        <translation>条目平均有 {mean} 个字节。</translation>
    </message>
    <message>
        <source>Length of tokens</source>
        <translation>词元长度</translation>
    </message>
    <message>
        <source>from</source>
        <translation>起始条目数</translation>
    </message>
    <message>
        <source>% of all</source>
        <translation>占全部的 %</translation>
    </message>
    <message>
        <source>Occurrences in the text: {first} of the most frequent token, {last} of the token of rank {rank}.</source>
        <translation>最常见的词元在文本中出现 {first} 次，排名第 {rank} 的出现 {last} 次。</translation>
    </message>
    <message>
        <source>Frequency by rank (Zipf)</source>
        <translation>按排名的频率（齐夫定律）</translation>
    </message>
    <message>
        <source>rank of the token</source>
        <translation>词元的排名</translation>
    </message>
    <message>
        <source>occurrences</source>
        <translation>出现次数</translation>
    </message>
    <message>
        <source>bytes per token gained</source>
        <translation>增加的每词元字节数</translation>
    </message>
    <message>
        <source>tokens saved</source>
        <translation>节省的词元</translation>
    </message>
    <message>
        <source>A word is what stands between white space, so it is the same for every tokenizer. In Chinese, Japanese or Thai, it may be a whole clause, and tokens per word say nothing.</source>
        <translation>词是空白之间的内容，对每个分词器都一样。在中文、日文或泰文里，它可能是整个分句，每词词元数就没有意义。</translation>
    </message>
    <message>
        <source>Fertility is the number of tokens per word (Rust et al. 2021), without special tokens. A piece is what the splitter makes (a pre-token); it stays whole if it is a single token.</source>
        <translation>生育率（fertility）是每个词的词元数（Rust 等，2021），不计特殊词元。片段是预分词规则切出来的；只由一个词元构成的片段是完整的。</translation>
    </message>
    <message>
        <source>A single-byte token stands for one byte, whether that is a whole character or not.</source>
        <translation>单字节词元代表一个字节，不论它是不是一个完整的字符。</translation>
    </message>
    <message>
        <source>The Rényi efficiency (Zouhar et al. 2023) has the order {order}; entries that never occur are left out, as in the authors’ tokenization-scorer.</source>
        <translation>Rényi 效率（Zouhar 等，2023）的阶为 {order}；从未出现的条目不计入，与作者的 tokenization-scorer 相同。</translation>
    </message>
    <message>
        <source>The Gini coefficient is 0 if all texts need the same number of tokens per byte, and the nearer to 1, the more unequal these numbers are.</source>
        <translation>各文本每字节的词元数相同时，基尼系数为 0；越接近 1，这些数相差越大。</translation>
    </message>
    <message>
        <source>The knee is the point farthest above the chord between the ends of the curve, with both axes scaled to the same length (Kneedle, Satopää et al. 2011).</source>
        <translation>拐点是把两轴缩放到相同长度后，曲线上高出两端连线最多的点（Kneedle，Satopää 等，2011）。</translation>
    </message>
    <message>
        <source>How this is measured</source>
        <translation>测量方法</translation>
    </message>
    <message>
        <source>Number of documents</source>
        <translation>文档数</translation>
    </message>
    <message>
        <source>Size in UTF-8 bytes</source>
        <translation>UTF-8 字节数</translation>
    </message>
    <message>
        <source>Number of tokens</source>
        <translation>词元数</translation>
    </message>
    <message>
        <source>Share of tokens that stand for a single byte</source>
        <translation>只代表一个字节的词元所占比例</translation>
    </message>
    <message>
        <source>Rényi efficiency of order 2.5: how evenly the vocabulary is used, at most 1</source>
        <translation>2.5 阶 Rényi 效率：词表使用的均匀程度，最大为 1</translation>
    </message>
    <message>
        <source>Rényi eff.</source>
        <translation>Rényi 效率</translation>
    </message>
    <message>
        <source>bytes/token</source>
        <translation>字节/词元</translation>
    </message>
    <message>
        <source>words between spaces</source>
        <translation>空白分隔的词</translation>
    </message>
    <message>
        <source>Number of words between white space, the same for every tokenizer; other pages count the splitter’s pieces</source>
        <translation>空白分隔的词的个数，对每个分词器都一样；其他页面里的词数是预分词规则切出的片段数</translation>
    </message>
    <message>
        <source>tokens per word between spaces</source>
        <translation>每个空白分隔的词的词元数</translation>
    </message>
    <message>
        <source>Fertility: average number of tokens per word between white space. It says nothing about Chinese, Japanese or Thai, where a whole clause is such a word.</source>
        <translation>生育率（fertility）：空白之间的每个词平均有几个词元。在中文、日文或泰文里，这样的词是整个分句，所以没有意义。</translation>
    </message>
    <message>
        <source>tokens/word</source>
        <translation>词元/词</translation>
    </message>
    <message>
        <source>tokens per word between spaces (fertility)</source>
        <translation>每个空白分隔的词的词元数（fertility）</translation>
    </message>
    <message>
        <source>whole pieces</source>
        <translation>完整的片段</translation>
    </message>
    <message>
        <source>Share of the splitter’s pieces (pre-tokens) that are a single token</source>
        <translation>预分词得到的片段中，只由一个词元构成的所占的比例</translation>
    </message>
    <message>
        <source>pieces that stay whole</source>
        <translation>保持完整的片段</translation>
    </message>
    <message>
        <source>% of pieces</source>
        <translation>片段百分比</translation>
    </message>
    <message>
        <source>Pieces of the splitter that stay whole</source>
        <translation>保持完整的片段</translation>
    </message>
    <message>
        <source>single bytes</source>
        <translation>单字节</translation>
    </message>
    <message>
        <source>Measured on the texts above. If they were trained on, held-out text tells more.</source>
        <translation>在以上文本上测得。如果训练用的就是它们，换一份没参与训练的文本（验证文本）来测更可靠。</translation>
    </message>
    <message>
        <source>scaffolds of other tokens: {count}</source>
        <translation>其他词元的中间词元：{count}</translation>
    </message>
    <message>
        <source>{value} {measure}</source>
        <translation>{measure} {value}</translation>
    </message>
    <message>
        <source>{entries} entries (step {step}): {value}</source>
        <translation>{entries} 个条目（第 {step} 步）：{value}</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>当前步</translation>
    </message>
    <message>
        <source>From {entries} to {following} entries ({added} more): {share} of the tokens saved, {ratio} more bytes per token</source>
        <translation>从 {entries} 到 {following} 个条目（增加 {added} 个）：节省 {share} 的词元，每词元增加 {ratio} 字节</translation>
    </message>
    <message>
        <source>Marginal gain per entry</source>
        <translation>每个条目的边际收益</translation>
    </message>
    <message>
        <source>Marginal gain per {size} entries</source>
        <translation>每 {size} 个条目的边际收益</translation>
    </message>
    <message>
        <source>% of the tokens saved</source>
        <translation>节省的词元（%）</translation>
    </message>
    <message>
        <source>{size} bytes: {entries} of the entries, {tokens} of the tokens</source>
        <translation>{size} 字节：占条目的 {entries}，占词元的 {tokens}</translation>
    </message>
    <message>
        <source>{size} bytes or more: {entries} of the entries, {tokens} of the tokens</source>
        <translation>{size} 字节或更多：占条目的 {entries}，占词元的 {tokens}</translation>
    </message>
    <message>
        <source>1 byte: {entries} of the entries, {tokens} of the tokens</source>
        <translation>1 字节：占条目的 {entries}，占词元的 {tokens}</translation>
    </message>
    <message>
        <source>rank {rank}, occurrences in the texts: {count}</source>
        <translation>第 {rank} 名：在文本中出现 {count} 次</translation>
    </message>
    <message>
        <source>lines</source>
        <translation>行数</translation>
    </message>
    <message>
        <source>Number of lines that are not blank</source>
        <translation>非空白行的行数</translation>
    </message>
    <message>
        <source>tokens/line</source>
        <translation>词元/行</translation>
    </message>
    <message>
        <source>Average number of tokens per line, with each line encoded by itself</source>
        <translation>平均每行的词元数，每一行单独编码</translation>
    </message>
    <message>
        <source>premium</source>
        <translation>溢价</translation>
    </message>
    <message>
        <source>Tokens per line divided by those of the reference text: 2 means twice as many</source>
        <translation>每行的词元数除以参照文本每行的词元数：2 表示多一倍</translation>
    </message>
    <message>
        <source>95% interval</source>
        <translation>95% 区间</translation>
    </message>
    <message>
        <source>95% bootstrap interval of the premium: how much it depends on which lines were measured</source>
        <translation>溢价的 95% 自助法区间：溢价在多大程度上取决于测量了哪些行</translation>
    </message>
    <message>
        <source>resampled</source>
        <translation>抽样方式</translation>
    </message>
    <message>
        <source>In pairs: the same lines of both texts, as they have the same number of lines</source>
        <translation>成对：两份文本行数相同，因此抽取相同的行</translation>
    </message>
    <message>
        <source>of the context</source>
        <translation>占上下文</translation>
    </message>
    <message>
        <source>Tokens of the text divided by the context window</source>
        <translation>文本的词元数除以上下文窗口的词元数</translation>
    </message>
    <message>
        <source>price</source>
        <translation>价格</translation>
    </message>
    <message>
        <source>Tokens of the text at the price per million tokens</source>
        <translation>按每百万词元的价格计算的文本费用</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>参照</translation>
    </message>
    <message>
        <source>in pairs</source>
        <translation>成对</translation>
    </message>
    <message>
        <source>separately</source>
        <translation>分别</translation>
    </message>
    <message>
        <source>The premium is the tokens per line divided by those of {reference}, for texts with the same content (Petrov et al., “Language Model Tokenizers Introduce Unfairness Between Languages”, NeurIPS 2023).</source>
        <translation>溢价是每行的词元数除以 {reference} 每行的词元数，用于内容相同的文本（Petrov 等，《Language Model Tokenizers Introduce Unfairness Between Languages》，NeurIPS 2023）。</translation>
    </message>
    <message>
        <source>The interval covers {share} of {resamples} bootstrap resamples of the lines: in pairs if both texts have the same number of lines, otherwise of each text separately.</source>
        <translation>区间涵盖按行自助抽样 {resamples} 次所得结果的 {share}：两份文本行数相同时成对抽样，否则分别抽样。</translation>
    </message>
    <message>
        <source>A context window of {context} tokens is assumed.</source>
        <translation>假定上下文窗口为 {context} 个词元。</translation>
    </message>
    <message>
        <source>A million tokens are taken to cost {price}.</source>
        <translation>按每百万词元 {price} 计价。</translation>
    </message>
</context>
<context>
    <name>ReportBar</name>
    <message>
        <source>Texts to measure</source>
        <translation>要测量的文本</translation>
    </message>
    <message>
        <source>Held-out text</source>
        <translation>验证文本</translation>
    </message>
    <message>
        <source>Text that was not trained on. It shows how large the vocabulary should be, and what pruning costs.</source>
        <translation>未用于训练的文本。由它可知词表应有多大，以及剪枝的代价。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Stop and keep the previous report</source>
        <translation>停止并保留之前的报告</translation>
    </message>
    <message>
        <source>Save page…</source>
        <translation>保存网页…</translation>
    </message>
    <message>
        <source>Save the report as one HTML page with its charts</source>
        <translation>将报告连同图表保存为一个 HTML 网页</translation>
    </message>
    <message>
        <source>Save tables…</source>
        <translation>保存表格…</translation>
    </message>
    <message>
        <source>Save the tables of the report as CSV files in a folder</source>
        <translation>将报告的表格以 CSV 文件保存到文件夹</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Held out</source>
        <translation>验证文本</translation>
    </message>
</context>
<context>
    <name>ReportPage</name>
    <message>
        <source>The held-out 10% was taken out of the corpus; Undo puts it back.</source>
        <translation>验证用的 10% 已从语料中取出，撤销即可放回。</translation>
    </message>
    <message>
        <source>This corpus cannot be divided here. Choose a file as held-out text instead.</source>
        <translation>此语料无法在这里划分。请改选一个文件作为验证文本。</translation>
    </message>
    <message>
        <source>10% of the corpus is held out. Training on the rest; you can undo it.</source>
        <translation>已取出语料的 10% 作验证，正在用其余部分训练。此操作可以撤销。</translation>
    </message>
    <message>
        <source>Choose the texts to measure, and press “Measure”.</source>
        <translation>请选择要测量的文本，然后点按“测量”。</translation>
    </message>
    <message>
        <source>There is no tokenizer yet. Type or open a corpus and train on it.</source>
        <translation>还没有分词器。请输入或打开语料并进行训练。</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>重新测量</translation>
    </message>
    <message>
        <source>Pages of the report</source>
        <translation>报告的各页</translation>
    </message>
    <message>
        <source>Measures</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
    <message>
        <source>The target vocabulary size is now {size}. Train to reach it.</source>
        <translation>目标词表大小现为 {size}。训练即可达到该大小。</translation>
    </message>
    <message>
        <source>The target vocabulary size is now {size}, and this is the step that has it.</source>
        <translation>目标词表大小现在是 {size}，当前显示的就是达到它的那一步。</translation>
    </message>
    <message>
        <source>Wait until the other work is done. Then choose again.</source>
        <translation>请等其他工作完成后再选。</translation>
    </message>
    <message>
        <source>No merges yet: step forward or train, then measure again.</source>
        <translation>还没有合并：请先前进一步或训练，然后重新测量。</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>正在测量…</translation>
    </message>
    <message>
        <source>1 document is left out.</source>
        <translation>有 1 个文档未计入。</translation>
    </message>
    <message>
        <source>At this step, {name} has {size} entries. Export it here to get that size.</source>
        <translation>在这一步，{name} 有 {size} 个条目。在此导出即可得到这个大小。</translation>
    </message>
    <message>
        <source>{count} documents are left out.</source>
        <translation>有 {count} 个文档未计入。</translation>
    </message>
    <message>
        <source>{name}: {entries} entries, 1 merge.</source>
        <translation>{name}：{entries} 个条目，1 条合并规则。</translation>
    </message>
    <message>
        <source>{name}: {entries} entries, {merges} merges.</source>
        <translation>{name}：{entries} 个条目，{merges} 条合并规则。</translation>
    </message>
    <message>
        <source>The window now shows no tokenizer.</source>
        <translation>窗口现在没有分词器。</translation>
    </message>
    <message>
        <source>The window now shows another tokenizer: {name}.</source>
        <translation>窗口现在显示的是另一个分词器：{name}。</translation>
    </message>
    <message>
        <source>It has changed since then.</source>
        <translation>此后它已有改动。</translation>
    </message>
    <message>
        <source>The window now shows another step.</source>
        <translation>窗口现在显示的是另一步。</translation>
    </message>
    <message>
        <source>Other texts are chosen now.</source>
        <translation>现在选择的是其他文本。</translation>
    </message>
    <message>
        <source>These texts have changed since they were measured.</source>
        <translation>测量之后，这些文本已有改动。</translation>
    </message>
    <message>
        <source>These numbers are of {name}.</source>
        <translation>这些数字属于“{name}”。</translation>
    </message>
    <message>
        <source>Cancelled.</source>
        <translation>已取消。</translation>
    </message>
    <message>
        <source>Out of date when saved.</source>
        <translation>保存时已过时。</translation>
    </message>
    <message>
        <source>Replace the tables in this folder?</source>
        <translation>要替换此文件夹中的表格吗？</translation>
    </message>
    <message>
        <source>These files already exist: {files}.</source>
        <translation>以下文件已存在：{files}。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Folder for the tables</source>
        <translation>存放表格的文件夹</translation>
    </message>
    <message>
        <source>Wait until the report is finished, or cancel it. Then save again.</source>
        <translation>请等待报告完成，或取消它，然后再保存。</translation>
    </message>
    <message>
        <source>Saved: {files}</source>
        <translation>已保存：{files}</translation>
    </message>
</context>
<context>
    <name>Reporting</name>
    <message>
        <source>Text to encode</source>
        <translation>要编码的文本</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Find a command, sample, recipe or tour</source>
        <translation>查找命令、示例、配方或导览</translation>
    </message>
    <message>
        <source>Words to find</source>
        <translation>要查找的词语</translation>
    </message>
    <message>
        <source>Words, such as BBPE, CS336, &lt;/w&gt; or 中英文</source>
        <translation>词语，例如 BBPE、CS336、&lt;/w&gt; 或 中英文</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>找到的内容</translation>
    </message>
    <message>
        <source>Sample: {title}</source>
        <translation>示例：{title}</translation>
    </message>
    <message>
        <source>Recipe: {name}</source>
        <translation>配方：{name}</translation>
    </message>
    <message>
        <source>Tour: {title}</source>
        <translation>导览：{title}</translation>
    </message>
    <message>
        <source>Command: {title}</source>
        <translation>命令：{title}</translation>
    </message>
    <message>
        <source>Nothing has these words.</source>
        <translation>没有内容含有这些词语。</translation>
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
        <source>Special tokens, one per line</source>
        <translation>特殊词元，每行一个</translation>
    </message>
    <message>
        <source>None (one per line)</source>
        <translation>无（每行一个）</translation>
    </message>
    <message>
        <source>This recipe trains on them like on any other text; they also get ids.</source>
        <translation>此配方训练时将它们视为普通文本；它们也会获得 id。</translation>
    </message>
    <message>
        <source>Cut out before the text is split. Merges never cross them.</source>
        <translation>在切分文本之前先行分离。合并不会跨越特殊词元。</translation>
    </message>
    <message>
        <source>Make {tokens} special</source>
        <translation>把 {tokens} 设为特殊词元</translation>
    </message>
    <message>
        <source>Fixed: {name} contains word counts made with these special tokens.</source>
        <translation>已固定：{name} 中的词频是用这些特殊词元统计的。</translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation>特殊词元</translation>
    </message>
</context>
<context>
    <name>Splitter</name>
    <message>
        <source>other words, such as those in capitals</source>
        <translation>其他词，例如全大写的词</translation>
    </message>
    <message>
        <source>contractions: don&apos;t, we&apos;re</source>
        <translation>缩写：don&apos;t、we&apos;re</translation>
    </message>
    <message>
        <source>contractions: don&apos;t, WE&apos;RE</source>
        <translation>缩写：don&apos;t、WE&apos;RE</translation>
    </message>
    <message>
        <source>letters, with the space before them</source>
        <translation>字母，连同前面的空格</translation>
    </message>
    <message>
        <source>digits, with the space before them</source>
        <translation>数字，连同前面的空格</translation>
    </message>
    <message>
        <source>whitespace at the very end</source>
        <translation>文本末尾的空白</translation>
    </message>
    <message>
        <source>whitespace</source>
        <translation>空白</translation>
    </message>
    <message>
        <source>others, with the space before them</source>
        <translation>其他字符及其前面的空格</translation>
    </message>
    <message>
        <source>words that end in lowercase letters, and letters without case</source>
        <translation>以小写字母结尾的词，以及汉字等不分大小写的文字</translation>
    </message>
    <message>
        <source>others, with line breaks after them</source>
        <translation>其他字符及其后面的换行</translation>
    </message>
    <message>
        <source>whitespace except the last</source>
        <translation>除最后一个外的空白</translation>
    </message>
    <message>
        <source>a line break and whitespace before it</source>
        <translation>一个换行及其前面的空白</translation>
    </message>
    <message>
        <source>line breaks and space before them</source>
        <translation>换行及其前面的空白</translation>
    </message>
    <message>
        <source>one whitespace character</source>
        <translation>一个空白字符</translation>
    </message>
    <message>
        <source>letters, with one character before them</source>
        <translation>字母，连同前面的一个字符</translation>
    </message>
    <message>
        <source>up to three digits</source>
        <translation>至多三位数字</translation>
    </message>
    <message>
        <source>one digit</source>
        <translation>一位数字</translation>
    </message>
    <message>
        <source>digits</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>letters</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>letters, digits and _</source>
        <translation>字母、数字和 _</translation>
    </message>
    <message>
        <source>one other character</source>
        <translation>一个其他字符</translation>
    </message>
    <message>
        <source>other characters</source>
        <translation>其他字符</translation>
    </message>
    <message>
        <source>everything but whitespace</source>
        <translation>空白以外的字符</translation>
    </message>
    <message>
        <source>everything but spaces and line breaks</source>
        <translation>空格和换行以外的字符</translation>
    </message>
    <message>
        <source>Chinese characters</source>
        <translation>汉字</translation>
    </message>
    <message>
        <source>other letters and digits</source>
        <translation>其他字母和数字</translation>
    </message>
    <message>
        <source>any one character</source>
        <translation>任意一个字符</translation>
    </message>
    <message>
        <source>the whole text</source>
        <translation>整个文本</translation>
    </message>
</context>
<context>
    <name>SplitterLegend</name>
    <message>
        <source>Parts of the splitter&apos;s expression</source>
        <translation>预分词规则表达式的各部分</translation>
    </message>
</context>
<context>
    <name>SplitterParts</name>
    <message>
        <source>This tokenizer splits text in several steps, so there is no single expression to show.</source>
        <translation>此分词器分几步切分文本，没有单一的表达式可显示。</translation>
    </message>
    <message>
        <source>Words are not shown, because your regular expression may take a long time on a text of this size.</source>
        <translation>未显示词：文本太长，自定义的正则表达式可能需要很久。</translation>
    </message>
    <message>
        <source>The text is larger than {size}, so only the words in view are counted.</source>
        <translation>文本超过 {size}，因此只统计可见的词。</translation>
    </message>
</context>
<context>
    <name>SplitterPreview</name>
    <message>
        <source>Text to try the splitter on</source>
        <translation>用来试用预分词规则的文本</translation>
    </message>
</context>
<context>
    <name>SplitterTrial</name>
    <message>
        <source>Words that change</source>
        <translation>有变化的词</translation>
    </message>
    <message>
        <source>Did you mean {name}?</source>
        <translation>是否想用 {name}？</translation>
    </message>
    <message>
        <source>No word found: no text in the corpus matches this expression, so nothing can be trained.</source>
        <translation>没有切出任何词：语料中没有文本匹配此表达式，无法训练。</translation>
    </message>
    <message>
        <source>Characters in no word: {count} of {total}, whitespace only. Such characters are dropped without an error: nothing is trained on them, and no id encodes them.</source>
        <translation>{total} 个字符中有 {count} 个不属于任何词，全部是空白。它们会被丢弃而不报错：不参与训练，也没有 ID 表示它们。</translation>
    </message>
    <message>
        <source>Characters in no word: {count} of {total}, for example {example}; of these, whitespace: {spaces}. Such characters are dropped without an error: nothing is trained on them, and no id encodes them.</source>
        <translation>{total} 个字符中有 {count} 个不属于任何词，例如 {example}；其中 {spaces} 个是空白。它们会被丢弃而不报错：不参与训练，也没有 ID 表示它们。</translation>
    </message>
    <message>
        <source>Words that change: {changed} of {words}; unique words: {before} → {after}.</source>
        <translation>有变化的词：{words} 个中有 {changed} 个；不重复词：{before} → {after}。</translation>
    </message>
    <message>
        <source>In the first {count} characters of the corpus.</source>
        <translation>仅统计语料的前 {count} 个字符。</translation>
    </message>
</context>
<context>
    <name>StartCard</name>
    <message>
        <source>Type or paste text to train on, or drop files here.</source>
        <translation>在此输入或粘贴训练文本，也可以把文件拖到这里。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>The tokens of all words of the corpus, each word as often as it occurs</source>
        <translation>语料中所有词的词元总数，每个词按出现次数计算</translation>
    </message>
    <message>
        <source>Words of the corpus at this step: {tokens}, {share} fewer than at step 0</source>
        <translation>语料中的词在这一步共有 {tokens}，比第 0 步少 {share}</translation>
    </message>
    <message>
        <source>The alphabet already has {entries} entries, but the vocabulary size is {size}. {link}Raise it to {more}{end}.</source>
        <translation>字母表和特殊词元共 {entries} 个条目，而词表大小是 {size}，没有合并的余地。{link}把词表大小调到 {more}{end}。</translation>
    </message>
    <message>
        <source>Press {keys} to merge {left} + {right}.</source>
        <translation>按 {keys} 合并 {left} + {right}。</translation>
    </message>
    <message>
        <source>Press {keys} to merge {left} + {right}. Or take the {tour}two-minute tour{end}, or {compare}compare your sentence with GPT-4’s tokens{end}.</source>
        <translation>按 {keys} 合并 {left} + {right}。也可以{tour}看两分钟导览{end}，或{compare}把你的句子与 GPT-4 的词元对比{end}。</translation>
    </message>
    <message>
        <source>Press {keys} to merge {left} + {right}. Or take the {tour}two-minute tour{end}, or {compare}compare your sentence with another tokenizer’s tokens{end}.</source>
        <translation>按 {keys} 合并 {left} + {right}。也可以{tour}看两分钟导览{end}，或{compare}把你的句子与另一个分词器的词元对比{end}。</translation>
    </message>
</context>
<context>
    <name>StopNotices</name>
    <message>
        <source>Go back to step {step}</source>
        <translation>回到第 {step} 步</translation>
    </message>
</context>
<context>
    <name>SumLine</name>
    <message>
        <source>{count} of {total} selected</source>
        <translation>已选 {total} 个中的 {count} 个</translation>
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
        <source>{share} of your text</source>
        <translation>占你的文本 {share}</translation>
    </message>
</context>
<context>
    <name>SystemErrors</name>
    <message>
        <source>Permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>不允许此操作</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>这是文件夹</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>不是文件夹</translation>
    </message>
    <message>
        <source>File exists</source>
        <translation>文件已存在</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>文件系统是只读的</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>文件名太长</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>打开的文件太多</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>输入/输出错误</translation>
    </message>
</context>
<context>
    <name>TextChoiceBox</name>
    <message>
        <source>10% of the corpus</source>
        <translation>语料的 10%</translation>
    </message>
    <message>
        <source>Choose the texts to measure</source>
        <translation>选择要测量的文本</translation>
    </message>
    <message>
        <source>Choose a folder with texts to measure</source>
        <translation>选择含有要测量的文本的文件夹</translation>
    </message>
    <message>
        <source>{count} files</source>
        <translation>{count} 个文件</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Corpus</source>
        <translation>语料</translation>
    </message>
    <message>
        <source>Text to encode</source>
        <translation>要编码的文本</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
</context>
<context>
    <name>TextColumn</name>
    <message>
        <source>unknown symbol</source>
        <translation>未知符号</translation>
    </message>
    <message>
        <source>Text by {name}</source>
        <translation>{name} 的文本</translation>
    </message>
    <message>
        <source>Ids by {name}</source>
        <translation>{name} 的 ID</translation>
    </message>
</context>
<context>
    <name>TextCommands</name>
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
    <name>TextFinder</name>
    <message>
        <source>searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>1 match</source>
        <translation>1 个匹配项</translation>
    </message>
    <message>
        <source>{count} matches</source>
        <translation>{count} 个匹配项</translation>
    </message>
    <message>
        <source>{index} of {total}</source>
        <translation>{index} / {total}</translation>
    </message>
</context>
<context>
    <name>TextOpener</name>
    <message>
        <source>{name} is too large to show with its tokens. The limit is {limit}.</source>
        <translation>“{name}”太大，无法连同词元一起显示。上限是 {limit}。</translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation>正在读取“{name}”…</translation>
    </message>
    <message>
        <source>{name} replaced the text to encode.</source>
        <translation>要编码的文本已替换为“{name}”。</translation>
    </message>
</context>
<context>
    <name>TimelinePanel</name>
    <message>
        <source>The text: {tokens}</source>
        <translation>文本：{tokens}</translation>
    </message>
    <message>
        <source>Step 0: alphabet only</source>
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
        <source>Step {step}</source>
        <translation>第 {step} 步</translation>
    </message>
    <message>
        <source>Count of the pair merged at each step. The logarithmic scale keeps later, much smaller counts visible.</source>
        <translation>每一步合并的符号对的次数。采用对数刻度，使后面小得多的次数也能看清。</translation>
    </message>
    <message>
        <source>Average length of new tokens in bytes, on a logarithmic scale. The file has no pair counts.</source>
        <translation>每步新词元的字节数（对数刻度）。文件中没有符号对的次数。</translation>
    </message>
    <message>
        <source>step 0</source>
        <translation>第 0 步</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>superwords</source>
        <translation>超词</translation>
    </message>
    <message>
        <source>Timeline: training step</source>
        <translation>时间线：训练步</translation>
    </message>
    <message>
        <source>No merges yet. The count of each merged pair will be shown here.</source>
        <translation>还没有合并。这里将显示每次合并的符号对的次数。</translation>
    </message>
    <message>
        <source>average bytes per new token (the file has no counts)</source>
        <translation>每步新词元的字节数（文件中没有次数）</translation>
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
        <source>Token and text details</source>
        <translation>词元和文本的详情</translation>
    </message>
    <message>
        <source>Detail pages</source>
        <translation>详情页</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation>编码过程</translation>
    </message>
    <message>
        <source>Lineage</source>
        <translation>由来</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>统计</translation>
    </message>
    <message>
        <source>Why not?</source>
        <translation>为什么没合并？</translation>
    </message>
    <message>
        <source>Picture of the lineage…</source>
        <translation>由来图片…</translation>
    </message>
    <message>
        <source>Show the token&apos;s parts, and what it became part of, as a picture to save or copy</source>
        <translation>把该词元的组成以及含有它的词元画成图片，可保存或复制</translation>
    </message>
    <message>
        <source>not in the text</source>
        <translation>文本中没有</translation>
    </message>
    <message>
        <source>once in the text</source>
        <translation>在文本中出现 1 次</translation>
    </message>
    <message>
        <source>{count} times in the text</source>
        <translation>在文本中出现 {count} 次</translation>
    </message>
    <message>
        <source>in the corpus only within larger tokens at this step</source>
        <translation>这一步，它在语料中只出现在更长的词元里</translation>
    </message>
    <message>
        <source>1 word</source>
        <translation>1 个词</translation>
    </message>
    <message>
        <source>{count} words</source>
        <translation>{count} 个词</translation>
    </message>
    <message>
        <source>once in the weighted corpus</source>
        <translation>在加权后的语料中出现 1 次</translation>
    </message>
    <message>
        <source>{count} times in the weighted corpus</source>
        <translation>在加权后的语料中出现 {count} 次</translation>
    </message>
    <message>
        <source>once in the corpus</source>
        <translation>在语料中出现 1 次</translation>
    </message>
    <message>
        <source>{count} times in the corpus</source>
        <translation>在语料中出现 {count} 次</translation>
    </message>
    <message>
        <source>{times}, in {words}</source>
        <translation>{times}，见于 {words}</translation>
    </message>
    <message>
        <source>Special tokens are cut out before any merge, so no merges make them.</source>
        <translation>特殊词元在任何合并之前就已分离，因此没有合并可看。</translation>
    </message>
    <message>
        <source>This word is too long for its merges to be shown.</source>
        <translation>这个词太长，无法显示它的合并。</translation>
    </message>
    <message>
        <source>The text is too long to show its words with this tokenizer. Try a shorter text.</source>
        <translation>文本太长，无法用此分词器显示其中的词。请换一段较短的文本。</translation>
    </message>
    <message>
        <source>no step: {left} + {right} may not be merged ({reason})</source>
        <translation>没有哪一步产生它：不能合并 {left} 和 {right}（{reason}）</translation>
    </message>
    <message>
        <source>{token} is not in the corpus at this step</source>
        <translation>这一步的语料中没有 {token}</translation>
    </message>
    <message>
        <source>{token} is not in the weighted corpus at this step</source>
        <translation>这一步加权后的语料中没有 {token}</translation>
    </message>
    <message>
        <source>This token contains only part of a character. Place the caret in a word that contains the token.</source>
        <translation>这个词元只含字符的一部分。请把光标放在含有该词元的词中。</translation>
    </message>
</context>
<context>
    <name>TokenIdView</name>
    <message>
        <source>Token ids of the text</source>
        <translation>文本的词元 ID</translation>
    </message>
    <message>
        <source>{count} ids are too many to copy. Select at most {most}.</source>
        <translation>{count} 个 ID 太多，无法复制。请最多选择 {most} 个。</translation>
    </message>
    <message>
        <source>Copied {count} ids</source>
        <translation>已复制 {count} 个 ID</translation>
    </message>
    <message>
        <source>Copied 1 id</source>
        <translation>已复制 1 个 ID</translation>
    </message>
    <message>
        <source>1 symbol has no id, so {id} stands for it in what was copied: {symbol}</source>
        <translation>1 个符号没有 ID，复制的内容里以 {id} 代替：{symbol}</translation>
    </message>
    <message>
        <source>{count} symbols have no id, so {id} stands for them in what was copied. The first: {symbol}</source>
        <translation>{count} 个符号没有 ID，复制的内容里以 {id} 代替。第一个是：{symbol}</translation>
    </message>
</context>
<context>
    <name>TokenInspector</name>
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
        <source>Token details</source>
        <translation>词元详情</translation>
    </message>
    <message>
        <source>GPT-2 spelling</source>
        <translation>GPT-2 写法</translation>
    </message>
    <message>
        <source>Origin</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>Go to the step that makes this token</source>
        <translation>跳到产生该词元的步</translation>
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
        <source>{origin} · not in the vocabulary yet</source>
        <translation>{origin} · 当前步骤的词表中尚无</translation>
    </message>
    <message>
        <source>Go to step {step}</source>
        <translation>跳到第 {step} 步</translation>
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
        <source>byte {byte}, part of a character (alone: �)</source>
        <translation>字节 {byte}，某个字符的一部分（单独解码为 �）</translation>
    </message>
    <message>
        <source>byte {first} of {size} of {character}, {name}</source>
        <translation>“{character}”的第 {first} 个字节（共 {size} 个），{name}</translation>
    </message>
    <message>
        <source>bytes {first} to {last} of {size} of {character}, {name}</source>
        <translation>“{character}”的第 {first} 到 {last} 个字节（共 {size} 个），{name}</translation>
    </message>
    <message>
        <source>no known step yet</source>
        <translation>还没有合并出来</translation>
    </message>
    <message>
        <source>not in the vocabulary</source>
        <translation>不在词表中</translation>
    </message>
    <message>
        <source>special token (cut out before any merge)</source>
        <translation>特殊词元（在任何合并之前分离）</translation>
    </message>
    <message>
        <source>alphabet</source>
        <translation>字母表</translation>
    </message>
    <message>
        <source>step {step}: {left} + {right}</source>
        <translation>第 {step} 步：{left} + {right}</translation>
    </message>
    <message>
        <source>step {step}: {left} + {right}, ×{count}</source>
        <translation>第 {step} 步：{left} + {right}，×{count}</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>…还有 {count} 个</translation>
    </message>
</context>
<context>
    <name>TokenMenus</name>
    <message>
        <source>&amp;Follow “{token}” in all panels</source>
        <translation>在所有面板中跟踪“{token}”(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Go to step {step}, which makes it</source>
        <translation>跳到产生它的第 {step} 步(&amp;G)</translation>
    </message>
    <message>
        <source>Show &amp;lineage</source>
        <translation>显示由来(&amp;L)</translation>
    </message>
    <message>
        <source>Find &amp;next in text</source>
        <translation>在文本中查找下一个(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Why is this not one token?</source>
        <translation>为什么这不是一个词元(&amp;W)？</translation>
    </message>
    <message>
        <source>&amp;Copy token</source>
        <translation>复制词元(&amp;C)</translation>
    </message>
    <message>
        <source>Copy as &amp;Python bytes</source>
        <translation>复制为 Python 字节串(&amp;P)</translation>
    </message>
    <message>
        <source>Copy &amp;row</source>
        <translation>复制行(&amp;R)</translation>
    </message>
    <message>
        <source>Copy the first {count} rows as &amp;TSV</source>
        <translation>将前 {count} 行复制为 TSV(&amp;T)</translation>
    </message>
    <message>
        <source>Copy the first {count} rows as &amp;Markdown</source>
        <translation>将前 {count} 行复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>Copy all rows as &amp;TSV</source>
        <translation>将全部行复制为 TSV(&amp;T)</translation>
    </message>
    <message>
        <source>Copy all rows as &amp;Markdown</source>
        <translation>将全部行复制为 Markdown(&amp;M)</translation>
    </message>
</context>
<context>
    <name>TokenTip</name>
    <message>
        <source>contains part of {character} ({hex})</source>
        <translation>含有“{character}”的一部分（{hex}）</translation>
    </message>
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
</context>
<context>
    <name>TokenizerNameDialog</name>
    <message>
        <source>Download tokenizer by name</source>
        <translation>按名称下载分词器</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>&amp;Download and open</source>
        <translation>下载并打开(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Name of a published tokenizer</source>
        <translation>已发布分词器的名称(&amp;N)</translation>
    </message>
    <message>
        <source>hf:owner/name is a model on the Hugging Face Hub; add @revision for a specific version.
tiktoken:name is an OpenAI encoding. Only the tokenizer files are downloaded.</source>
        <translation>hf:所有者/名称 表示 Hugging Face Hub 上的一个模型，加上 @版本 可指定版本。
tiktoken:名称 表示 OpenAI 的一种编码。只会下载分词器的文件。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Write hf:owner/name, tiktoken:name, or an OpenAI model such as gpt-4.</source>
        <translation>请输入 hf:owner/name、tiktoken:name，或 OpenAI 的模型名，如 gpt-4。</translation>
    </message>
    <message>
        <source>Downloading {name}…</source>
        <translation>正在下载 {name}…</translation>
    </message>
</context>
<context>
    <name>TokenizerOpener</name>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>Download by name…</source>
        <translation>按名称下载…</translation>
    </message>
    <message>
        <source>Open tokenizer</source>
        <translation>打开分词器</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>{path} cannot be found.</source>
        <translation>找不到 {path}。</translation>
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
        <source>{name} has no splitting pattern or special tokens. The GPT-2 pattern is used, without special tokens.</source>
        <translation>{name} 不含切分模式和特殊词元。目前使用 GPT-2 的切分模式，没有特殊词元。</translation>
    </message>
    <message>
        <source>Pattern and special tokens…</source>
        <translation>切分模式和特殊词元…</translation>
    </message>
</context>
<context>
    <name>TokensPanel</name>
    <message>
        <source>List of tokens</source>
        <translation>词元列表</translation>
    </message>
    <message>
        <source>Tokens of the list</source>
        <translation>列表中的词元</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>TourCard</name>
    <message>
        <source>{place} of {count}</source>
        <translation>第 {place} 站，共 {count} 站</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>留在这里</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一站</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一站</translation>
    </message>
    <message>
        <source>Back to before the tour</source>
        <translation>回到导览前的状态</translation>
    </message>
    <message>
        <source>Next lesson: {title}</source>
        <translation>下一课：{title}</translation>
    </message>
    <message>
        <source>Make one from a sample</source>
        <translation>用示例做一个</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>替我做</translation>
    </message>
    <message>
        <source>Show it again</source>
        <translation>重新显示</translation>
    </message>
    <message>
        <source>Open one</source>
        <translation>打开一个</translation>
    </message>
</context>
<context>
    <name>TourGuide</name>
    <message>
        <source>← goes back. Press → to go forward.</source>
        <translation>← 是后退。请按 → 前进。</translation>
    </message>
    <message>
        <source>The window shows something else now.</source>
        <translation>窗口里显示的已经不是这里讲的内容了。</translation>
    </message>
</context>
<context>
    <name>TransportBar</name>
    <message>
        <source>Go to step</source>
        <translation>跳到指定步</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
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
        <source>Target vocabulary size</source>
        <translation>目标词表大小</translation>
    </message>
    <message>
        <source>Target vocabulary size, or a number of merges such as “50 merges”</source>
        <translation>目标词表大小，也可以输入合并次数，例如“50 次合并”</translation>
    </message>
    <message>
        <source>Step to go to, or a vocabulary size such as “500 entries”</source>
        <translation>要转到的步数，也可以输入词表大小，例如“500 个条目”</translation>
    </message>
    <message>
        <source>The published trainer to reproduce. Choose “Recipe…” to change its settings.</source>
        <translation>要复现的公开训练器。选择“配方…”可更改其选项。</translation>
    </message>
    <message>
        <source>Train up to the vocabulary size</source>
        <translation>训练到设定的词表大小</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Export tokenizer</source>
        <translation>导出分词器</translation>
    </message>
    <message>
        <source>Playback speed in steps per second</source>
        <translation>播放速度（每秒步数）</translation>
    </message>
    <message>
        <source>{speed} steps/s</source>
        <translation>{speed} 步/秒</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>= 1 merge</source>
        <translation>= 1 次合并</translation>
    </message>
    <message>
        <source>= {count} merges</source>
        <translation>= {count} 次合并</translation>
    </message>
    <message>
        <source>≤ 1 merge</source>
        <translation>≤ 1 次合并</translation>
    </message>
    <message>
        <source>≤ {count} merges</source>
        <translation>≤ {count} 次合并</translation>
    </message>
    <message>
        <source>ends at {size}</source>
        <translation>止于 {size}</translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation>第 {step} 步，共 {steps} 步</translation>
    </message>
    <message>
        <source>step {step} of at most {steps}</source>
        <translation>第 {step} 步，最多 {steps} 步</translation>
    </message>
</context>
<context>
    <name>UndoOffers</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Its training did not come back: only the last three runs are kept.</source>
        <translation>训练结果没有恢复：只保留最近三次训练。</translation>
    </message>
    <message>
        <source>Train again</source>
        <translation>重新训练</translation>
    </message>
</context>
<context>
    <name>Until</name>
    <message>
        <source>Step {step} made the token “{token}”.</source>
        <translation>第 {step} 步产生了词元“{token}”。</translation>
    </message>
    <message>
        <source>Step {step} made “{word}” one token.</source>
        <translation>第 {step} 步使“{word}”成为一个词元。</translation>
    </message>
    <message>
        <source>1 earlier merge was given by the plan and was not counted.</source>
        <translation>此前有 1 条合并规则由计划指定，不计在内。</translation>
    </message>
    <message>
        <source>until “{token}” appears</source>
        <translation>直到出现“{token}”</translation>
    </message>
    <message>
        <source>until “{word}” is one token</source>
        <translation>直到“{word}”成为一个词元</translation>
    </message>
    <message>
        <source>until a count is below {count}</source>
        <translation>直到次数低于 {count}</translation>
    </message>
    <message>
        <source>until a merge saves less than {share}</source>
        <translation>直到一次合并节省的词元少于 {share}</translation>
    </message>
    <message>
        <source>until there are enough ties</source>
        <translation>直到并列次数足够</translation>
    </message>
    <message>
        <source>{count} earlier merges were given by the plan and were not counted.</source>
        <translation>此前有 {count} 条合并规则由计划指定，不计在内。</translation>
    </message>
    <message>
        <source>“{token}” is already a token.</source>
        <translation>“{token}”已经是词元。</translation>
    </message>
    <message>
        <source>“{word}” is already one token.</source>
        <translation>“{word}”已经是一个词元。</translation>
    </message>
    <message>
        <source>once</source>
        <translation>出现 1 次</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>出现 {count} 次</translation>
    </message>
    <message>
        <source>At step {step}, the next pair, {pair}, occurs {times}.</source>
        <translation>到第 {step} 步，下一个符号对 {pair} {times}。</translation>
    </message>
    <message>
        <source>At step {step}, the next merge, {pair}, would save {percent}% of the tokens.</source>
        <translation>到第 {step} 步，下一次合并 {pair} 只能节省 {percent}% 的词元。</translation>
    </message>
    <message>
        <source>At step {step}, 1 other pair occurs as often as {pair}.</source>
        <translation>到第 {step} 步，另有 1 个符号对与 {pair} 次数相同。</translation>
    </message>
    <message>
        <source>At step {step}, {count} other pairs occur as often as {pair}.</source>
        <translation>到第 {step} 步，另有 {count} 个符号对与 {pair} 次数相同。</translation>
    </message>
    <message>
        <source>{text}: nothing is left to merge after step {steps}.</source>
        <translation>{text}：第 {steps} 步之后已没有可合并的符号对。</translation>
    </message>
    <message>
        <source>{text} within the target vocabulary size of {size} entries.</source>
        <translation>到目标词表大小 {size} 个条目为止，{text}。</translation>
    </message>
    <message>
        <source>“{token}” did not become a token</source>
        <translation>“{token}”没有成为词元</translation>
    </message>
    <message>
        <source>“{word}” did not become one token</source>
        <translation>“{word}”没有成为一个词元</translation>
    </message>
    <message>
        <source>No merge had a count below {count}</source>
        <translation>没有次数低于 {count} 的合并</translation>
    </message>
    <message>
        <source>No merge saved less than {share} of the tokens</source>
        <translation>没有哪次合并节省的词元少于 {share}</translation>
    </message>
    <message>
        <source>There were not enough ties</source>
        <translation>并列次数不够</translation>
    </message>
</context>
<context>
    <name>UntilPopup</name>
    <message>
        <source>Run until</source>
        <translation>运行直到</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>A token appears</source>
        <translation>出现某个词元</translation>
    </message>
    <message>
        <source>A word is one token</source>
        <translation>某个词成为一个词元</translation>
    </message>
    <message>
        <source>A pair occurs less often than</source>
        <translation>符号对的次数低于</translation>
    </message>
    <message>
        <source>A merge saves less than</source>
        <translation>一次合并节省的比例低于</translation>
    </message>
    <message>
        <source>A tie for the most frequent pair</source>
        <translation>最常见的符号对出现并列</translation>
    </message>
    <message>
        <source>Stops before the merge, with the tied pairs in view. 1 is the next tie, 2 the one after it.</source>
        <translation>停在合并之前，同时列出次数相同的符号对。1 表示下一次并列，2 表示再下一次。</translation>
    </message>
    <message>
        <source>Run until the condition is met</source>
        <translation>运行到满足此条件为止</translation>
    </message>
    <message>
        <source>Stops after the merge that makes the token. A space may be typed as ·.</source>
        <translation>停在产生该词元的合并之后。空格可写作“·”。</translation>
    </message>
    <message>
        <source>Stops after the merge that makes it one token, at the beginning of a text or after a space.</source>
        <translation>停在使它成为一个词元的合并之后，无论它在文本开头还是在空格之后。</translation>
    </message>
    <message>
        <source>Stops before the first merge whose pair occurs less often.</source>
        <translation>停在首个次数更低的合并之前。</translation>
    </message>
    <message>
        <source>Stops before the first merge that saves a smaller share of the tokens of the corpus.</source>
        <translation>停在首个节省比例更小的合并之前（占语料词元数的比例）。</translation>
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
        <source>Hex</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Number of the token in encoded text</source>
        <translation>编码后的文本中代表该词元的数字</translation>
    </message>
    <message>
        <source>Spaces are shown as ·</source>
        <translation>空格显示为 ·</translation>
    </message>
    <message>
        <source>Bytes in hexadecimal</source>
        <translation>字节（十六进制）</translation>
    </message>
    <message>
        <source>Number of bytes</source>
        <translation>字节数</translation>
    </message>
    <message>
        <source>Training step that made the token</source>
        <translation>产生该词元的训练步</translation>
    </message>
</context>
<context>
    <name>VocabularyPanel</name>
    <message>
        <source>Find in the vocabulary</source>
        <translation>在词表中查找</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>Only tokens that never occur in this corpus</source>
        <translation>只看在此语料中从未出现的词元</translation>
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
        <source>{shown} of {count} entries</source>
        <translation>{count} 个条目中的 {shown} 个</translation>
    </message>
</context>
<context>
    <name>WeightDialog</name>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Weight of {documents}</source>
        <translation>权重：{documents}</translation>
    </message>
    <message>
        <source>Set weight</source>
        <translation>设置权重</translation>
    </message>
    <message>
        <source>How often to count {documents}:</source>
        <translation>计多少次（{documents}）：</translation>
    </message>
    <message>
        <source>3 counts the text three times, 0.1 counts a tenth of it. The count of each word is rounded to a whole number.</source>
        <translation>3 表示文本计三次，0.1 表示只计十分之一。每个词的次数四舍五入为整数。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>WhyNot</name>
    <message>
        <source>Is “{text}” one token?</source>
        <translation>“{text}”是一个词元吗？</translation>
    </message>
    <message>
        <source>Is “{text}” in “{word}” one token?</source>
        <translation>“{word}”中的“{text}”是一个词元吗？</translation>
    </message>
    <message>
        <source>Not quite: {token} stays in one piece, but the vocabulary has no id for it.</source>
        <translation>不完全是：{token} 没有被切开，但词表中没有它的 ID。</translation>
    </message>
    <message>
        <source>Its id is {id}.</source>
        <translation>它的 ID 是 {id}。</translation>
    </message>
    <message>
        <source>Yes: {token} is one token, made at step {step} from {left} and {right}.</source>
        <translation>是：{token} 是一个词元，在第 {step} 步由 {left} 与 {right} 合并而成。</translation>
    </message>
    <message>
        <source>Yes: {token} is a special token, which is taken whole before any merge.</source>
        <translation>是：{token} 是特殊词元，在任何合并之前就已整个分离。</translation>
    </message>
    <message>
        <source>Yes: {token} is one token, in the alphabet from the start.</source>
        <translation>是：{token} 是一个词元，从一开始就在字母表中。</translation>
    </message>
    <message>
        <source>Yes: {token} is one token, which is taken whole without any merge.</source>
        <translation>是：{token} 是一个词元，不经合并就整个取用。</translation>
    </message>
    <message>
        <source>These letters occur {times} in the corpus, in {words}.</source>
        <translation>这段文本在语料中{times}，见于 {words}。</translation>
    </message>
    <message>
        <source>No: there is a word boundary between {before} and {after}, and merges never cross one.</source>
        <translation>不是：{before} 与 {after} 之间是词边界，合并不会跨越它。</translation>
    </message>
    <message>
        <source>No: {token} is a special token, which is taken out of the text whole before any merge. So there is a boundary between {before} and {after}.</source>
        <translation>不是：{token} 是特殊词元，在任何合并之前就从文本中整个取出。因此 {before} 与 {after} 之间有边界。</translation>
    </message>
    <message>
        <source>It is one of {count} boundaries in this text.</source>
        <translation>这段文本中共有 {count} 个边界，这是其中一个。</translation>
    </message>
    <message>
        <source>No: it is part of {token}, which is always taken whole.</source>
        <translation>不是：它属于总是整个取用的 {token}。</translation>
    </message>
    <message>
        <source>The id of the whole is {id}.</source>
        <translation>整个词元的 ID 是 {id}。</translation>
    </message>
    <message>
        <source>No: it begins or ends inside {unit}, which is one symbol from the start.</source>
        <translation>不是：它切开了 {unit}，而后者从一开始就是一个符号。</translation>
    </message>
    <message>
        <source>No: no word in the corpus contains {text}, so training never saw it.</source>
        <translation>不是：语料中没有词含有 {text}，因此训练时从未见过它。</translation>
    </message>
    <message>
        <source>Words whose weighted count rounds to 0 are left out.</source>
        <translation>加权次数四舍五入后为 0 的词已略去。</translation>
    </message>
    <message>
        <source>Just before step {step}, it was {parts}.</source>
        <translation>就在第 {step} 步之前，它是 {parts}。</translation>
    </message>
    <message>
        <source>No longer: {left} was one token until step {step} merged it with {right}.</source>
        <translation>不再是：{left} 原是一个词元，直到第 {step} 步与后面的 {right} 合并。</translation>
    </message>
    <message>
        <source>No longer: {right} was one token until step {step} merged {left} with it.</source>
        <translation>不再是：{right} 原是一个词元，直到第 {step} 步与前面的 {left} 合并。</translation>
    </message>
    <message>
        <source>No: {left} was merged with the {right} after it at step {step}, before {text} could be one token.</source>
        <translation>不是：{left} 在第 {step} 步与后面的 {right} 合并，{text} 来不及成为一个词元。</translation>
    </message>
    <message>
        <source>No: {right} was merged with the {left} before it at step {step}, before {text} could be one token.</source>
        <translation>不是：{right} 在第 {step} 步与前面的 {left} 合并，{text} 来不及成为一个词元。</translation>
    </message>
    <message>
        <source>In {word}, the most frequent word with these letters, {left} was merged with the {right} after it at step {step}.</source>
        <translation>{word} 是含有这段文本的最常见的词，其中 {left} 在第 {step} 步与它后面的 {right} 合并了。</translation>
    </message>
    <message>
        <source>In {word}, the most frequent word with these letters, {right} was merged with the {left} before it at step {step}.</source>
        <translation>{word} 是含有这段文本的最常见的词，其中 {right} 在第 {step} 步与它前面的 {left} 合并了。</translation>
    </message>
    <message>
        <source>In {word}, the most frequent word with these letters, step {step} will merge {left} with the {right} after it.</source>
        <translation>{word} 是含有这段文本的最常见的词，第 {step} 步会把其中的 {left} 与它后面的 {right} 合并。</translation>
    </message>
    <message>
        <source>In {word}, the most frequent word with these letters, step {step} will merge {right} with the {left} before it.</source>
        <translation>{word} 是含有这段文本的最常见的词，第 {step} 步会把其中的 {right} 与它前面的 {left} 合并。</translation>
    </message>
    <message>
        <source>These letters occur {times} in the corpus, in {words}, and that merge took them every time.</source>
        <translation>这段文本在语料中{times}，见于 {words}：每一处都先发生了那次合并。</translation>
    </message>
    <message>
        <source>These letters occur {times} in the corpus, in {words}. That merge took them {taken_times}, in {taken_words}.</source>
        <translation>这段文本在语料中{times}，见于 {words}。其中先发生那次合并的{taken_times}，见于 {taken_words}。</translation>
    </message>
    <message>
        <source>Not yet: step {step} makes it one token.</source>
        <translation>还不是：第 {step} 步会使它成为一个词元。</translation>
    </message>
    <message>
        <source>No: step {step} will merge {left} with the {right} after it, before {text} could be one token.</source>
        <translation>不是：第 {step} 步会先把 {left} 与后面的 {right} 合并，{text} 来不及成为一个词元。</translation>
    </message>
    <message>
        <source>No: step {step} will merge {right} with the {left} before it, before {text} could be one token.</source>
        <translation>不是：第 {step} 步会先把 {right} 与前面的 {left} 合并，{text} 来不及成为一个词元。</translation>
    </message>
    <message>
        <source>No: {left} and {right} are not next to each other in any word at this step.</source>
        <translation>不是：此时语料中没有词含有相邻的 {left} 与 {right}。</translation>
    </message>
    <message>
        <source>No: the plan of this run forbids merging {left} and {right} ({reason}).</source>
        <translation>不是：计划禁用了 {left} + {right}（{reason}）。</translation>
    </message>
    <message>
        <source>No: this tokenizer has no merge of {left} and {right}.</source>
        <translation>不是：此分词器没有 {left} 与 {right} 的合并。</translation>
    </message>
    <message>
        <source>No: the vocabulary was full before {left} and {right} were merged.</source>
        <translation>不是：还没有合并 {left} 与 {right}，词表就满了。</translation>
    </message>
    <message>
        <source>No: training ran out of pairs before {left} and {right} could be merged.</source>
        <translation>不是：还没有合并 {left} 与 {right}，就没有可合并的了。</translation>
    </message>
    <message>
        <source>Not yet: no known step merges {left} and {right}.</source>
        <translation>还不是：已知的步中没有合并 {left} 与 {right} 的。</translation>
    </message>
    <message>
        <source>No: {left} + {right} occurs {times}, and the minimum count is {limit}.</source>
        <translation>不是：{left} + {right} {times}，低于最低次数 {limit}，不会合并。</translation>
    </message>
    <message>
        <source>Not yet: {left} + {right} occurs {times} (rank {place} among all pairs).</source>
        <translation>还不是：{left} + {right} {times}，在所有符号对中排第 {place}。</translation>
    </message>
    <message>
        <source>That pair’s turn might come at about step {step}, but the vocabulary is full at about step {last}.</source>
        <translation>大约要到第 {step} 步才可能轮到这一对，但词表在大约第 {last} 步就满了。</translation>
    </message>
    <message>
        <source>If the order stayed the same, that pair’s turn would come at about step {step}.</source>
        <translation>如果次序保持不变，大约在第 {step} 步轮到这一对。</translation>
    </message>
    <message>
        <source>It matches {part} in the splitter&apos;s expression.</source>
        <translation>预分词规则用 {part} 匹配到它。</translation>
    </message>
    <message>
        <source>It matches {part} ({kind}) in the splitter&apos;s expression.</source>
        <translation>预分词规则用 {part}（{kind}）匹配到它。</translation>
    </message>
    <message>
        <source>At this step, it is {parts}.</source>
        <translation>在这一步，它被切成：{parts}。</translation>
    </message>
    <message>
        <source>No: splitting into words drops this text, so no token contains it.</source>
        <translation>不是：切分成词时，这段文本会被丢弃，因此没有词元含有它。</translation>
    </message>
    <message>
        <source>No: all or part of this text has no symbol, because the vocabulary lacks it or a normalizer removes it.</source>
        <translation>不是：这段文本的全部或一部分没有对应的符号，因为词表中没有它，或者规范化会去掉它。</translation>
    </message>
    <message>
        <source>No: no word in the corpus contains {text}, so training never made it one token.</source>
        <translation>不是：语料中没有词含有 {text}，训练没有机会把它合并成一个词元。</translation>
    </message>
    <message>
        <source>Step {step} merges {left} and {right}.</source>
        <translation>第 {step} 步合并 {left} 与 {right}。</translation>
    </message>
    <message>
        <source>At this step, {left} + {right} occurs {times} (rank {place} among all pairs).</source>
        <translation>此时 {left} + {right} {times}，在所有符号对中排第 {place}。</translation>
    </message>
    <message>
        <source>once</source>
        <translation>出现 1 次</translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation>出现 {count} 次</translation>
    </message>
    <message>
        <source>1 word</source>
        <translation>1 个词</translation>
    </message>
    <message>
        <source>{count} words</source>
        <translation>{count} 个词</translation>
    </message>
    <message>
        <source>The splitter drops the text before it.</source>
        <translation>它前面的部分在切分成词时会被丢弃。</translation>
    </message>
    <message>
        <source>The special token {word} ends there.</source>
        <translation>{word} 在此结束：它是特殊词元。</translation>
    </message>
    <message>
        <source>The word {word} ends there.</source>
        <translation>词 {word} 在此结束。</translation>
    </message>
    <message>
        <source>The splitter drops the text after it.</source>
        <translation>它后面的部分在切分成词时会被丢弃。</translation>
    </message>
    <message>
        <source>The special token {word} begins there.</source>
        <translation>{word} 从此开始：它是特殊词元。</translation>
    </message>
    <message>
        <source>The word {word} begins there.</source>
        <translation>词 {word} 从此开始。</translation>
    </message>
</context>
<context>
    <name>WhyNotPage</name>
    <message>
        <source>Why is this not one token?</source>
        <translation>为什么这不是一个词元？</translation>
    </message>
    <message>
        <source>Type text, or select some above</source>
        <translation>输入文本，或在上方选择一段</translation>
    </message>
    <message>
        <source>The text to explain. If empty, the selected text is explained.</source>
        <translation>要询问的文本；留空则为上方选中的文本</translation>
    </message>
    <message>
        <source>Clear the text in question</source>
        <translation>清除要询问的文本</translation>
    </message>
    <message>
        <source>Show the boundary</source>
        <translation>显示词边界</translation>
    </message>
    <message>
        <source>Show the pair</source>
        <translation>显示符号对</translation>
    </message>
    <message>
        <source>Show its lineage</source>
        <translation>显示它的由来</translation>
    </message>
    <message>
        <source>Go to step {step}</source>
        <translation>跳到第 {step} 步</translation>
    </message>
    <message>
        <source>The answer will appear when training is done.</source>
        <translation>正在训练，稍后给出答案。</translation>
    </message>
    <message>
        <source>Select part of the text to encode, or type text here, to see why it is not one token.</source>
        <translation>在要编码的文本中选择一段，或在此输入一段，查看它为什么不是一个词元。</translation>
    </message>
    <message>
        <source>The words around it are too long to search. Try a shorter text.</source>
        <translation>它周围的词太长，无法检查。请换一段较短的文本。</translation>
    </message>
    <message>
        <source>This is too long to be one token. Select less.</source>
        <translation>这一段太长，不可能是一个词元。请少选一些。</translation>
    </message>
</context>
<context>
    <name>WordModel</name>
    <message>
        <source>1 word</source>
        <translation>1 个词</translation>
    </message>
    <message>
        <source>{count} words</source>
        <translation>{count} 个词</translation>
    </message>
    <message>
        <source>{shown} of {words}</source>
        <translation>{shown} / {words}</translation>
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
        <source>1 symbol</source>
        <translation>1 个符号</translation>
    </message>
    <message>
        <source>{count} symbols</source>
        <translation>{count} 个符号</translation>
    </message>
</context>
<context>
    <name>WorkLine</name>
    <message>
        <source>Cancel and keep what is already trained</source>
        <translation>取消；已训练好的会保留</translation>
    </message>
    <message>
        <source>Training: {name}…</source>
        <translation>正在训练：{name}…</translation>
    </message>
    <message>
        <source>Training {index} of {count}: {name}…</source>
        <translation>正在训练第 {index} 个，共 {count} 个：{name}…</translation>
    </message>
    <message>
        <source>Cancelled. 1 tokenizer was not made.</source>
        <translation>已取消。有 1 个分词器未完成。</translation>
    </message>
    <message>
        <source>Cancelled. {count} tokenizers were not made.</source>
        <translation>已取消。有 {count} 个分词器未完成。</translation>
    </message>
</context>
<context>
    <name>_Row</name>
    <message>
        <source>Close this notice</source>
        <translation>关闭此通知</translation>
    </message>
    <message>
        <source>Remove this message</source>
        <translation>删除这条消息</translation>
    </message>
    <message>
        <source>Role of message {number}</source>
        <translation>第 {number} 条消息的角色</translation>
    </message>
    <message>
        <source>Text of message {number}</source>
        <translation>第 {number} 条消息的文本</translation>
    </message>
</context>
</TS>
