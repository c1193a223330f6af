<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Open…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open text files as the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;New text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add an empty document to the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;tokenizer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encode with a tokenizer that was saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Export tokenizer…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save vocabulary and merges as of the current step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train in the background until the vocabulary has its size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop; the steps done so far are kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the &amp;start</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to step 0, the bare alphabet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo the last merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step forward by itself, or pause</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge the next pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>To the &amp;end</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to the last step, or on to the vocabulary size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Go to step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type the number of a step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start &amp;over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop the run and begin again from the present corpus and recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Larger tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Smaller tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Usual size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;About bpe-gui</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActivityBar</name>
    <message>
        <source>Progress</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{seconds} s left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counted {done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {done} of {total}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CorpusPanel</name>
    <message>
        <source>Corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open files…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Samples</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add an empty document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Remove the selected document</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Documents of the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text of the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write or paste the text to train on, or drop files here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recipe…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Change the recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text {number}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} · {size} · preview of the first {part}; the file is read when it is counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} · {size} · preview of the first {part}; it has lines too long to be edited here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{preset}: {summary}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CorpusStatistics</name>
    <message>
        <source>characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unicode code points in the whole corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes of the whole corpus in UTF-8</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pieces that the splitter cuts the corpus into; nothing merges across two</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unique words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Different words; training looks at each of them once, with its count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EncodePanel</name>
    <message>
        <source>Show white space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour equal tokens alike</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Back to the run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy all ids as a list of numbers. Ctrl+C among the ids copies the chosen ones.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoding with the tokenizer opened from {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unknown symbol</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing to encode with yet: the corpus has nothing to train on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>encoding…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 character</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 byte</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ratio} bytes per token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>once in this text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} times in this text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 symbol is not in the vocabulary and has no id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} symbols are not in the vocabulary and have no id.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EngineError</name>
    <message>
        <source>There is no encoding named {encoding!r}; utf-8, gb18030 and cp1252 are examples.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is not valid {encoding}: the byte at offset {offset:,} (0x{byte:02X}) cannot be read. Choose another encoding, or have invalid bytes replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read as {encoding}: {reason}. Choose another encoding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} begins like {encoding} text; choose that encoding to read it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} looks like a binary file: there is a zero byte at offset {offset:,}. If it is text, choose its encoding.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} changed while it was read: it had {before:,} bytes and then {after:,}. Read it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The corpus is empty: there are no words to train on. Write or open some text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The word {word!r} is counted {count} times; words have letters, and counts start at 1.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line} is not UTF-8 text: the byte at offset {offset} cannot be read.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}, column {column}: this is not JSON ({reason}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no JSON that can be read: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the key {key!r} is there twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} cannot be written: {reason}. Nothing was changed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no tokenizer format named {name!r}; there is {names}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no tokenizer: a folder with {files} is looked for.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>vocab.json cannot hold two tokens written {token!r} (ids {first} and {second}).</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token {token!r} is not text; a recipe with the units bytes can hold it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>merges.txt cannot hold the token {token!r}: it separates tokens by spaces and merges by lines. Train with a splitter that drops white space, or choose the token spelling gpt2-printable.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is no vocabulary: it must be a JSON object of tokens and ids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the id of {token!r} is {id!r}; it must be a whole number.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the token with the id {id} is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {token!r} has the id {id}, as {other!r} has already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {token!r} holds {character!r}, which stands for no byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: the token {token!r} of this merge is not in vocab.json.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}, line {line}: {text!r} is no merge; a merge is two tokens and one space.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} is damaged: it must be a JSON object.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: its special tokens are not those of the vocabulary beside it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: the id for unknown symbols, {id!r}, is not in the vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path}: it does not hold one count for each of the {merges} merges.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recipe&apos;s min_count is {value!r}; it must be a whole number from 1 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recipe&apos;s merges_header is {value!r}; it must be true or false.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alphabet latin-1 goes with the units characters, not with bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alphabet gpt2-printable goes with the units bytes, not with characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recipe&apos;s splitter is {value!r}; it must be a name or a regular expression.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no recipe named {name!r}; the presets are {presets}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recipe is a JSON object of switches and their values.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A recipe has no switch named {name!r}; its switches are {switches}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recipe&apos;s {field} is {value!r}; it must be one of {choices}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special token number {number} is empty; it needs at least one character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The special token {token!r} is given twice; once is enough.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The special token {token!r} holds half a surrogate pair, which is no character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression is wrong at position {position}: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression cannot be used: {reason}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression searches backwards, by (?r); words come forwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The splitter&apos;s regular expression took more than {seconds:g} seconds at character {position:,}. A repetition inside a repetition, such as (a+)+, is the usual reason.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The text holds a lone surrogate (U+{code:04X}) at index {index:,}. Half a surrogate pair is no character and has no UTF-8; remove it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge {position} does not exist; this tokenizer has {merges}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The symbol {symbol!r}, number {index} of the word {word!r} at character {start:,}, has no id in this vocabulary. Train on text that holds it, or set the id for unknown symbols.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The ids make bytes that are not UTF-8 text, at byte {offset:,}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no token with the id {id!r}; the vocabulary&apos;s ids go from {low} to {high}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token with the id {id} is {token!r}; a token is at least one byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vocabulary has the id {id!r}; ids are whole numbers from 0 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The merge of rank {rank} has an empty part; both parts are at least one byte.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The id for unknown symbols, {id!r}, is not in the vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The special token {token!r} has the id {id}, which {other!r} has already.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Two special tokens have the same id.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The words were counted with the splitter {splitter!r}; count them for this recipe.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {step} does not exist; the first is step 0.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {step} is not in the run, which has {steps} steps so far.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The words were counted with the special tokens {counted}, not {asked}; count them again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number of merges is {merges}; it must be 0 or more.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The vocabulary size {size:,} is too small: the alphabet has {alphabet:,} symbols and there are {specials:,} special tokens, so it must be at least {least:,}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ErrorReporter</name>
    <message>
        <source>Something went wrong that should not have. What you typed is still there.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExportDialog</name>
    <message>
        <source>Export tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder to write to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Folder</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as of step {step}: {entries} entries, {merges} merges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{file} is in this folder already and will be replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{files} are in this folder already and will be replaced.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Written:</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{path} ({size})</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>&amp;File</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Merges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Encode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>T&amp;imeline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open &amp;sample</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open text files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Replace invalid bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose encoding…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Encoding</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} is text in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open the folder of a tokenizer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is nothing to export yet: write or open a corpus and train on it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A workbench to watch byte-pair encoding being trained, and to export the tokenizer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>About bpe-gui</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{title} was removed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MergeModel</name>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 other pair occurred as often</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{ties} other pairs occurred as often</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MergesPanel</name>
    <message>
        <source>Pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words as split now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No merges yet. Step forward to make the first.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Filter pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show only the pairs that have this text in a token (Ctrl+F)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all words again (Esc in the pair table)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges done, of those that are known</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The corpus or the recipe has changed: this run was made from the earlier one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start over with the present corpus and recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drop this run and begin again from the present corpus and recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merges</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No pair has this text in a token.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words, as split now · {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Words that hold {left} + {right} · {words}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{done} of {known}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Close this notice</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PairModel</name>
    <message>
        <source>{matches} of {pairs} pairs match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shown} of {pairs} pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pairs} pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>#</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Δ</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tie</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The order in which the recipe prefers the pairs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The symbol on the left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The symbol on the right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token that merging them makes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How often the pair occurs in the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How the last step changed the count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether the pair occurs as often as the next one</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>new</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>occurs as often as the next pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the pair that is merged next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>came into being with the last step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{before} before the last step, {now} now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes (hex): {bytes}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>code points: {points}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>and so on: {bytes} bytes</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>The words of the corpus are being counted…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training is going on. The tables show how things stood when it began.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left to merge: no two symbols stand side by side.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is left to merge: the best pair, {pair}, occurs {times}, and the recipe stops below {limit}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, as does {other}; {rule}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, as do {other} and 1 other pair; {rule}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, as do {other} and {more} other pairs; {rule}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, and there is no other pair.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{pair} is next: it occurs {times}, more often than any other pair. {other} follows with {count}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in 1 word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>in {count} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} times</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Recipe</name>
    <message>
        <source>Custom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The byte-level trainer and tokenizer of the Stanford CS336 assignment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The example of the CS336 handout: characters, words between white space, ids from 257 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>BPE worked out by hand: characters, and &lt;/w&gt; in place of the space before a word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OctopusMind/BBPE: bytes in GPT-2&apos;s printable spelling, ids in the order of the written tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The textbook kind: characters and &lt;/w&gt;; parts that are used up leave the vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Mixed Chinese and English: ideographs merge with each other, and only words end in &lt;/w&gt;.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RegexTokenizer.train of karpathy/minbpe, with the pattern of GPT-4.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bpe_train of OpenAI&apos;s tiktoken._educational.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ByteLevelBPETokenizer.train of Hugging Face&apos;s tokenizers package.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learn_bpe of rsennrich/subword-nmt, where BPE for translation began.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From text to symbols</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which pair is merged</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ids and files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Units</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Splitter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word boundary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ties</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Counting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Least count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Alphabet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Spelling</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Header</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What a word starts as, before anything is merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How text becomes words: by a name, or a regular expression.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether &lt;/w&gt; marks where a word ends or begins.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which of the pairs with the highest count is merged.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether a pair that stands twice in a word counts twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Training stops when the best pair occurs less often.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Whether a part that no longer occurs on its own is dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The order of the first symbols, which decides their ids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Where the special tokens get their ids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In which order the tokens get their ids.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How a byte is written in files, and for sorting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The first line of merges.txt, which some programs want.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No mark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; after the word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; on the last character</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; before the word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The greatest pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair seen first</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The smallest ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every occurrence</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Once per word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only grows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drops unused parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorted by value</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT-2&apos;s order</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First 256 characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the alphabet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>First</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In order of merging</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sorted after training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT-2&apos;s printable table</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bytes of UTF-8: 256 symbols spell any text.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unicode characters: only those of the corpus can be spelt.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT-2: letters, digits or signs, with the space before; endings like ’s.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT-4: as GPT-2, with at most three digits in a word and any letter case.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>GPT-4o: as GPT-4, and a word also ends where capitals begin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What stands between white space, which is dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What stands between spaces and line ends, which are dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs of Chinese characters, runs of other letters and digits, single signs.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The whole text is one word; merges may cross spaces.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A word is its own units and nothing else.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; is a symbol of its own after the last character.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last character and &lt;/w&gt; are one symbol from the start.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; is a symbol of its own in place of the space before a word.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The greatest pair, comparing left and then right as bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair whose first remaining place in the corpus is earliest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The pair with the smallest id on the left, then on the right.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Each place counts: in “aaa” the pair “a”+“a” occurs twice.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A word that holds the pair counts once, however often it does.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every merge adds one token, and none is ever dropped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After a merge, a part that no longer stands alone leaves the vocabulary.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes or characters by their value.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes in GPT-2&apos;s order: the printable ones first. Only for bytes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The characters 0 to 255 first, whether they occur or not. Only for characters.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Between the alphabet and the first merge.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Before everything else, from id 0 on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>After the last merge.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The alphabet first, then each token as it is made.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Given once, after training, in the order of the written tokens.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every byte or character as itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every byte as a visible character; a space is Ġ.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ties go to the greatest pair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ties go to the pair seen first in the corpus</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ties go to the pair with the smallest ids</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words between white space</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words between spaces</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chinese and English words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no splitting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{splitter} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>words by a regular expression of your own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; after a word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; on the last character of a word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>&lt;/w&gt; before a word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pairs count once per word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stops below {count} occurrences</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>unused parts are dropped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ids sorted after training</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RecipeDialog</name>
    <message>
        <source>Recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load recipe…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save recipe…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reset to {preset}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Like {preset}, with {count} of the switches set otherwise.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {path}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recipes (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpecialTokensField</name>
    <message>
        <source>Special tokens, one a line</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>None. One a line, such as {token}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut out of the text before it is split; nothing merges across them.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Special tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimelinePanel</name>
    <message>
        <source>Step 0: the bare alphabet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {step}: {left} + {right} → {token} ×{count}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>How often each chosen pair occurred. The scale is logarithmic: counts fall so steeply that all but the first merges would lie on the bottom line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step {step}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Timeline: step of the training</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is merged yet. Take a step to see here how often each chosen pair occurred.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenEdit</name>
    <message>
        <source>no id: this symbol is not in the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>special token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bytes {hex}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>covers no text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>holds part of {character} ({hex})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text to encode</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type or paste text to see its tokens.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenIdView</name>
    <message>
        <source>Ids of the text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenInspector</name>
    <message>
        <source>About the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Point at a token to see what it is made of.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Characters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its parts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>id {id}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{hex} ({count} bytes)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>covers no text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{held} of the {size} bytes of {character}, {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never: this symbol is not in the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>never: a special token, cut out before any merge</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>from the start: it is in the alphabet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at step {step} from {left} + {right}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>at step {step} from {left} + {right}, ×{count}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TokenView</name>
    <message>
        <source>Tokens of the text</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TransportBar</name>
    <message>
        <source>Vocabulary size to train to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The published trainer to reproduce. Its switches are under “Recipe…”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Train to the vocabulary size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Steps a second when playing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{speed} a second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go to</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>custom</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} of {steps} so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>step {step} of {steps}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VocabularyModel</name>
    <message>
        <source>special</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>alphabet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Length</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Step</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The number that stands for the token</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The token; a space is written ·</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The bytes of the token, in hexadecimal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many bytes the token has</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The step of training that made the token</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>VocabularyPanel</name>
    <message>
        <source>Token, id or hex</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Find in the vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} entries</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{count} shown</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WordModel</name>
    <message>
        <source>1 word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{words} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>more than {shown} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{shown} of {words} words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Word</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Count</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word}
1 symbol</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{word}
{symbols} symbols</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_FilterField</name>
    <message>
        <source>Clear the filter</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
