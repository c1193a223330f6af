"""How the site's search finds Chinese text: by pairs of characters, so it needs no dictionary of words.

Sphinx asks for the package of a dictionary, without which it finds nothing, and looks for a run of Chinese characters
in a query as one word.
"""

import regex
from sphinx.search import SearchLanguage


class ChineseSearch(SearchLanguage):
    """Find a run of Chinese characters by all its pairs. A query's run is cut into twos, since most words have two."""

    lang = "zh_CN"
    language_name = "Chinese"
    js_splitter_code = r"""
const twosOf = (run) => {
  const characters = [...run];
  const twos = characters.map((_, at) => characters.slice(at).slice(0, 2).join(""));
  return characters.length < 3 || !/\p{Script=Han}/u.test(run)
    ? [run]
    : twos.filter((_, at) => at % 2 === 0 && at < twos.length - 1).concat(twos.at(-2));
};
var splitQuery = (query) =>
  (query.match(/\p{Script=Han}+|(?:[^\P{Letter}\p{Script=Han}]|[\p{Number}_])+/gu) || []).flatMap(twosOf);
"""

    def split(self, input: str) -> list[str]:
        """Return the terms under which a text is found."""
        terms = []
        for run in regex.findall(r"\p{Han}+|[[\p{L}\p{N}_]--\p{Han}]+", input, regex.VERSION1):
            is_long = len(run) > 2 and regex.match(r"\p{Han}", run)
            terms += [run[at : at + 2] for at in range(len(run) - 1)] if is_long else [run]
        return terms
