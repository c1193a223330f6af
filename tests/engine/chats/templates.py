"""Templates of our own that together use every construct that published ones do, and conversations for them."""

from typing import Any, Final

CHATML: Final = """\
{%- if tools %}
    {{- '<|im_start|>system\\n' }}
    {%- if messages[0].role == 'system' %}{{- messages[0].content + '\\n\\n' }}{%- endif %}
    {{- "# Tools\\n<tools>" }}
    {%- for tool in tools %}{{- "\\n" }}{{- tool | tojson }}{%- endfor %}
    {{- "\\n</tools><|im_end|>\\n" }}
{%- elif messages[0]['role'] == 'system' %}
    {{- '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}
{%- endif %}
{%- set ns = namespace(last=-1, thinks=false) %}
{%- for message in messages[::-1] %}
    {%- set index = (messages|length - 1) - loop.index0 %}
    {%- if ns.last < 0 and message.role == "user" and message.content is string
        and not message.content.startswith('<tool_response>') %}
        {%- set ns.last = index %}
    {%- endif %}
{%- endfor %}
{%- for message in messages %}
    {%- if message.role == "user" or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}
    {%- elif message.role == "assistant" %}
        {%- set content = message.content or '' %}
        {%- set reasoning = '' %}
        {%- if message.reasoning_content is defined and message.reasoning_content is not none %}
            {%- set reasoning = message.reasoning_content %}
        {%- elif '</think>' in content %}
            {%- set reasoning = content.split('</think>')[0].rstrip('\\n').split('<think>')[-1].lstrip('\\n') %}
            {%- set content = content.split('</think>')[-1].lstrip('\\n') %}
        {%- endif %}
        {{- '<|im_start|>' + message.role }}
        {%- if reasoning and loop.index0 > ns.last %}{{- '\\n<think>\\n' + reasoning + '\\n</think>' }}{%- endif %}
        {% generation %}
        {{- '\\n' + content }}
        {%- for call in message.tool_calls or [] %}
            {%- if call.function %}{%- set call = call.function %}{%- endif %}
            {{- '\\n<tool_call>\\n{"name": "' ~ call.name ~ '", "arguments": ' }}
            {{- call.arguments if call.arguments is string else call.arguments | tojson }}{{- '}\\n</tool_call>' }}
        {%- endfor %}
        {%- endgeneration %}
        {{- '<|im_end|>\\n' }}
    {%- elif message.role == "tool" %}
        {%- if loop.first or loop.previtem.role != "tool" %}{{- '<|im_start|>user' }}{%- endif %}
        {{- '\\n<tool_response>\\n' }}{{- message.content }}{{- '\\n</tool_response>' }}
        {%- if loop.last or loop.nextitem.role != "tool" %}{{- '<|im_end|>\\n' }}{%- endif %}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}{{- '<think>\\n\\n</think>\\n\\n' }}{%- endif %}
{%- endif %}
"""
"""Tools, reasoning that is cut out of a message, and answers of tools, as in ChatML."""

INSTRUCT: Final = """\
{{ bos_token }}
{% if messages[0].role == "system" %}
    {% set system = messages[0].content | trim %}
    {% set loop_messages = messages[1:] %}
{% else %}
    {% set loop_messages = messages %}
{% endif %}
{% for message in loop_messages %}
    {% if (message.role == "user") != (loop.index0 % 2 == 0) %}
        {{ raise_exception("roles must alternate between user and assistant") }}
    {% endif %}
    {% if message.role == "user" %}
        {% if loop.first and system is defined %}
[INST] {{ system }}

{{ message.content | trim }} [/INST]
        {% else %}
[INST] {{ message.content | trim }} [/INST]
        {% endif %}
    {% else %}
        {{ " " + message.content | trim + eos_token }}
    {% endif %}
{% endfor %}
"""
"""Blocks on lines of their own, and messages that are trimmed and have to alternate."""

HEADERS: Final = """\
{% macro header(role) %}<|start|>{{ role }}<|message|>{% endmacro %}
{%- macro render(value, depth=0) -%}
    {%- if value is mapping -%}
        {%- for name, item in value | dictsort %}{{ name }}: {{ render(item, depth + 1) }}
            {%- if not loop.last %}, {% endif %}{% endfor -%}
    {%- elif value is iterable and value is not string -%}
        [{% for item in value %}{{ render(item, depth + 1) }};{% endfor %}]
    {%- else -%}
        {{ value }}
    {%- endif -%}
{%- endmacro -%}
{{- bos_token -}}
{%- if not date is defined %}{% set date = strftime_now("%Y") %}{% endif %}
{{- header("system") }}Year: {{ date[:2] }}, {{ tools | tojson(indent=2) if tools else "no tools" }}<|end|>
{%- for message in messages if message.content is defined or message.tool_calls is defined -%}
    {%- if message.role == "skip" %}{% continue %}{% elif message.role == "stop" %}{% break %}{% endif -%}
    {{- header(message["role"] | lower | replace("assistant", "model")) -}}
    {%- if message.content is string -%}
        {{- message.content -}}
    {%- else -%}
        {%- for part in message.content or [] -%}
            {{- part.text if part.type == "text" else raise_exception("no " ~ part.type) -}}
        {%- endfor -%}
    {%- endif -%}
    {%- if message.tool_calls -%}
        {%- for call in message.tool_calls %}<call>{{ call.function.name }}({{ render(call.function.arguments) }})
        {%- endfor -%}
    {%- endif -%}
    <|end|>
{%- endfor -%}
{% if add_generation_prompt %}{{ header("model") }}{% endif %}
"""
"""Macros that call themselves, filters, `continue` and `break`, and content in parts."""

ODD: Final = """\
{% set total = namespace(value=0) %}
{% for m in messages %}
    {% set total.value = total.value + (m.content or "") | length %}
{{ "%s|%-9s|" | format(loop.cycle("a", "b"), m.role) }}{{ (m.content or "").split() | join("_") | upper -}}
    {# a comment #}
    {{ {"a": 1, "b": [true, none, 1.5, "<&>'"]} | tojson }}{{ m.content | default("nothing", true) | first }}
{% endfor %}
{{ range(3) | list }}{{ dict(a=total.value > 9) }}{{ messages | map(attribute="role") | unique | list | tojson }}
{{ messages | selectattr("role", "equalto", "user") | list | length }}{{ "x" if tools is none else "y" }}{{ unknown }}
{{ [1, 2] + [3] }}{{ "a" ~ 1 }}{{ 7 // 2 }}{{ 2 ** 5 }}{{ -7 % 3 }}{{ "é" | tojson(ensure_ascii=true) }}{{ "a\\tb" }}
"""
"""Everything else: numbers, lists, formats, comments, and what is unknown."""

TEMPLATES: Final = {"chatml": CHATML, "instruct": INSTRUCT, "headers": HEADERS, "odd": ODD}
ROLES: Final = {"bos_token": "<s>", "eos_token": "</s>"}

_TOOL: Final = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Now <b>& here's</b> 天气",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
_CALL: Final = {"type": "function", "function": {"name": "weather", "arguments": {"city": "Zürich", "days": [1, 2]}}}


def message(role: str, content: object, **more: object) -> dict[str, Any]:
    """Return a message."""
    return {"role": role, "content": content, **more}


CHATS: Final[dict[str, tuple[list[dict[str, Any]], dict[str, Any]]]] = {
    "one": ([message("user", "Hello, 世界!")], {}),
    "system": ([message("system", " Be <brief>.\n"), message("user", "Hi & 'you'")], {"add_generation_prompt": True}),
    "turns": (
        [message("user", "a"), message("assistant", "b\n"), message("user", " c\n\nd "), message("assistant", "e")],
        {"add_generation_prompt": True, "enable_thinking": False},
    ),
    "empty": ([message("system", ""), message("user", "")], {"add_generation_prompt": True}),
    "white space": ([message("user", " \n"), message("assistant", "\t")], {}),
    "tools": ([message("user", "w?")], {"tools": [_TOOL], "add_generation_prompt": True}),
    "calls": (
        [
            message("user", "w?"),
            message("assistant", None, tool_calls=[_CALL]),
            message("tool", '{"t": "3"}'),
            message("tool", "warm"),
            message("assistant", "It is warm."),
        ],
        {"tools": [_TOOL]},
    ),
    "parts": ([message("user", [{"type": "text", "text": "one "}, {"type": "text", "text": "two"}])], {}),
    "thoughts": (
        [
            message("user", "x"),
            message("assistant", "<think>\nhm\n</think>\n\ny"),
            message("user", "z"),
            message("assistant", "u", reasoning="because"),
        ],
        {},
    ),
    "skipped": ([message("skip", "not"), message("user", "this"), message("stop", "or"), message("user", "that")], {}),
    "special": ([message("user", "say </s><|im_end|> twice: </s>")], {}),
    "variables": ([message("user", "x")], {"date": "1999"}),
}
"""Messages and further variables."""
