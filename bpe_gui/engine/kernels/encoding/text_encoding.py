"""Encoding text: cutting it into words, and writing the symbols of each, as ids."""

from typing import Final, NamedTuple

from bpe_gui.engine.kernels.text.gpt2_word_starts import Stretch
from bpe_gui.engine.runtime.jit import helper, inlined, kernel
from bpe_gui.engine.kernels.encoding.output_gaps import Gaps, add_gap, are_far, are_full, fill, has_gaps
from bpe_gui.engine.kernels.encoding.merge_table import BOUNDARY, MARKER_SIZE, NO_BOUNDARY, NO_ID, PREFIX, UNKNOWN, Merges, has_marker, start_of_word
from bpe_gui.engine.kernels.encoding.pending_words import COUNT, NewWords, add_word, clear, gather, is_full, is_short, merge_new_words, room_for_word
from bpe_gui.engine.kernels.training.records import Bytes, Ints, Longs
from bpe_gui.engine.kernels.text.scanning import OTHER, SPACE, last_boundary
from bpe_gui.engine.kernels.text.special_search import LONGEST, Specials, find_special, size_of
from bpe_gui.engine.kernels.text.splitting import next_words
from bpe_gui.engine.kernels.lowlevel.vectors import EIGHT
from bpe_gui.engine.kernels.encoding.word_cache import (
    WordCache,
    add_key,
    are_in_slot,
    copy_from_row,
    copy_from_slot,
    find_word,
    has_room_for_batch,
    is_empty,
    is_found,
    is_unmerged,
    keep_symbols,
)
from bpe_gui.engine.kernels.text.word_keys import BATCH, Batch, note_keys
from bpe_gui.engine.kernels.encoding.word_merging import NEIGHBORS, Bench, merge_word

# What stands in `Output.state`.
MADE, UNKNOWNS = range(2)
"""How many ids there are, and how many of them stand for what has none."""

# Why encoding ended, below 0: for want of room.
NO_CACHE: Final = -1
NO_BENCH: Final = -2

SLACK: Final = EIGHT
"""Ids more than there may be tokens, for which there must be room."""


class Output(NamedTuple):
    """The ids of a text, of which some are there already; room for as many as the text can have."""

    ids: Ints
    starts: Longs
    """Where each token starts in the text; empty if nobody asks."""
    stops: Longs
    firsts: Longs
    """By word of a batch: the number of its first token."""
    places: Longs
    """By word of a batch: where it stands in the text, if anybody asks."""
    state: Longs


class Tools(NamedTuple):
    """What encoding works with."""

    merges: Merges
    cache: WordCache
    bench: Bench
    new: NewWords
    gaps: Gaps
    batch: Batch
    classes: Bytes


@kernel
def encode_block(
    splitter: int,
    text: Bytes,
    at: int,
    end: int,
    is_last: bool,
    specials: Specials,
    special_ids: Ints,
    stretch: Stretch,
    tools: Tools,
    limit: int,
    output: Output,
) -> tuple[int, int]:
    """Encode from `at` on, up to `end`, or up to where what follows a block can no longer change the tokens.

    A block holds whole characters; if somebody asks for places, it holds the whole text.

    Only merges below rank `limit` apply. Returns where it ended, and `NO_CACHE` or `NO_BENCH` if it was for want of
    room there, else 0.
    """
    at, why = _encode_block(splitter, text, at, end, is_last, specials, special_ids, stretch, tools, limit, output)
    if has_gaps(tools.gaps):
        _fill_gaps(tools, limit, output)
    return at, why


@helper
def _encode_block(
    splitter: int,
    text: Bytes,
    at: int,
    end: int,
    is_last: bool,
    specials: Specials,
    special_ids: Ints,
    stretch: Stretch,
    tools: Tools,
    limit: int,
    output: Output,
) -> tuple[int, int]:
    """The same, but that words may be left out at its end."""
    classes = tools.classes
    # A special token that begins after this may not be here whole, or may still become a longer one.
    decided = end if is_last else end - specials.sizes[LONGEST] + 1
    while at < decided:
        stop, token = find_special(text, at, decided, end, specials)
        if token < 0:
            stop = end if is_last else last_boundary(text, at, min(decided, end - 1), classes, SPACE | OTHER)
        while at < stop:
            if not has_room_for_batch(tools.cache):
                return at, NO_CACHE
            size = next_words(splitter, text, at, stop, classes, stretch, tools.batch.begins)
            if len(output.starts) > 0:
                _note_places(tools.batch, size, output)
            done = _encode_batch(text, size, tools, limit, output)
            at = tools.batch.begins[done]
            if done < size:
                return at, NO_BENCH
        if token < 0:
            return at, 0
        _write_special(at, special_ids[token], size_of(specials, token), output)
        if are_far(tools.gaps, output.state[MADE]):
            _fill_gaps(tools, limit, output)
        at += size_of(specials, token)
    return at, 0


@kernel
def encode_words(
    text: Bytes, begins: Longs, places: Longs, first: int, tools: Tools, limit: int, output: Output
) -> tuple[int, int]:
    """Encode words that lie one after another, from the word `first` on; `places` says where they stand in the text.

    Returns the word before which it ended, and why, as `encode_block` does.
    """
    first, why = _encode_words(text, begins, places, first, tools, limit, output)
    if has_gaps(tools.gaps):
        _fill_gaps(tools, limit, output)
    return first, why


@helper
def _encode_words(
    text: Bytes, begins: Longs, places: Longs, first: int, tools: Tools, limit: int, output: Output
) -> tuple[int, int]:
    """The same, but that words may be left out at its end."""
    words = len(begins) - 1
    batch = tools.batch
    while first < words:
        if not has_room_for_batch(tools.cache):
            return first, NO_CACHE
        size = min(BATCH, words - first)
        for i in range(size + 1):
            batch.begins[i] = begins[first + i]
        if len(output.starts) > 0:
            for i in range(size):
                output.places[i] = places[first + i]
        done = _encode_batch(text, size, tools, limit, output)
        first += done
        if done < size:
            return first, NO_BENCH
    return first, 0


@helper
def _note_places(batch: Batch, size: int, output: Output) -> None:
    for i in range(size):
        output.places[i] = batch.begins[i]


@helper
def _write_special(at: int, token_id: int, size: int, output: Output) -> None:
    made = output.state[MADE]
    output.ids[made] = token_id
    if len(output.starts) > 0:
        output.starts[made] = at
        output.stops[made] = at + size
    output.state[MADE] = made + 1


@helper
def _encode_batch(text: Bytes, size: int, tools: Tools, limit: int, output: Output) -> int:
    """Write the ids of the words of a batch. Returns how many words that were: fewer if one is too long.

    Kept are the ids of words. If somebody asks for places, these follow from symbols, so those are kept instead.
    """
    first, has_places = output.state[MADE], len(output.starts) > 0
    note_keys(tools.cache.slots, text, tools.batch, size)
    done, has_room = 0, True
    while has_room:
        done = _write_known(text, done, size, tools.cache, tools.batch, output)
        if done == size:
            break
        has_room = _take_new(text, done, tools, limit, output)
        done += has_room
    if are_far(tools.gaps, output.state[MADE]):
        _fill_gaps(tools, limit, output)
    if has_places:
        _write_spans(text, done, tools.merges, tools.batch, tools.classes, output)
        output.state[UNKNOWNS] += _name(tools.merges, output.ids, first, output.state[MADE])
    return done


@helper
def _write_known(text: Bytes, first: int, size: int, cache: WordCache, batch: Batch, output: Output) -> int:
    """Write what the words of a batch are encoded as, from `first` up to one that is not known. Returns which it is."""
    slots, ids, made, has_places = cache.slots, output.ids, output.state[MADE], len(output.starts) > 0
    known = size
    for word in range(first, size):
        if has_places:
            output.firsts[word] = made
        slot = batch.slots[word]
        if not is_found(slots, slot, batch.lows[word], batch.highs[word]):
            slot = find_word(cache, text, batch, word)
            if is_empty(slots, slot):
                known = word
                break
        if are_in_slot(slots, slot):
            made = copy_from_slot(slots, slot, ids, made)
        elif is_unmerged(slots, slot):
            known = word
            break
        else:
            made, unknowns = copy_from_row(cache, slot, ids, made)
            output.state[UNKNOWNS] += unknowns
    if has_places:
        output.firsts[known] = made
    output.state[MADE] = made
    return known


@inlined
def _take_new(text: Bytes, word: int, tools: Tools, limit: int, output: Output) -> bool:
    """Leave a word of a batch out until it is merged with other new ones, or encode it alone if it is too long.

    Returns False if there is no room for that.
    """
    cache, batch = tools.cache, tools.batch
    slot = find_word(cache, text, batch, word)
    if is_empty(cache.slots, slot):
        if not is_short(batch.begins[word + 1] - batch.begins[word], limit):
            return _write_long(text, word, tools, limit, output)
        add_key(cache, text, batch, word, slot)
        _add_new(text, word, slot, tools)
    add_gap(tools.gaps, output.state[MADE], slot)
    if len(output.starts) > 0 or is_full(tools.new) or are_full(tools.gaps):
        _fill_gaps(tools, limit, output)
    return True


@inlined
def _add_new(text: Bytes, word: int, slot: int, tools: Tools) -> None:
    """Have a word of a batch merged together with others that are new."""
    begins, symbols = tools.batch.begins, tools.new.symbols
    first = room_for_word(tools.new)
    end = start_of_word(tools.merges, text, begins[word], begins[word + 1], tools.classes, symbols, first)
    add_word(tools.new, end, slot)


@helper
def _fill_gaps(tools: Tools, limit: int, output: Output) -> None:
    """Merge the new words, keep what is left of them, and write it where they were left out."""
    new, merges, has_places = tools.new, tools.merges, len(output.starts) > 0
    merge_new_words(merges.pairs, new, limit)
    for word in range(new.state[COUNT]):
        first, count = new.bases[word] + 1, gather(new, word)
        unknowns = 0 if has_places else _name(merges, new.symbols, first, first + count)
        keep_symbols(tools.cache, new.slots[word], new.symbols, first, count, unknowns)
    clear(new)
    output.state[MADE], unknowns = fill(tools.gaps, tools.cache, output.ids, output.state[MADE])
    output.state[UNKNOWNS] += unknowns


@helper
def _write_long(text: Bytes, word: int, tools: Tools, limit: int, output: Output) -> bool:
    """Encode a word of a batch on the bench. Returns False if it is too long for that."""
    merges, bench, begins = tools.merges, tools.bench, tools.batch.begins
    if begins[word + 1] - begins[word] + NEIGHBORS > len(bench.symbols):
        return False
    if has_gaps(tools.gaps):
        _fill_gaps(tools, limit, output)  # before much follows them
    count = start_of_word(merges, text, begins[word], begins[word + 1], tools.classes, bench.symbols, 0)
    count = merge_word(merges.pairs, bench, count, limit)
    if len(output.starts) == 0:
        output.state[UNKNOWNS] += _name(merges, bench.symbols, 0, count)
    made = output.state[MADE]
    for i in range(count):
        output.ids[made + i] = bench.symbols[i]
    output.state[MADE] = made + count
    return True


@helper
def _write_spans(text: Bytes, words: int, merges: Merges, batch: Batch, classes: Bytes, output: Output) -> None:
    """Write where the tokens of the words of a batch stand, of which the symbols are written."""
    boundary = merges.settings[BOUNDARY]
    for word in range(words):
        place = output.places[word]
        first, last = output.firsts[word], output.firsts[word + 1]
        for token in range(first, last):
            symbol = output.ids[token]
            output.starts[token] = place
            place += merges.widths[symbol] if symbol < UNKNOWN else symbol - UNKNOWN
            output.stops[token] = place
        if boundary != NO_BOUNDARY and has_marker(merges.settings, text, batch.begins[word], classes):
            if boundary == PREFIX:
                _shift(output, first, last, 1 - MARKER_SIZE)  # the marker stands for a space
            else:
                output.stops[last - 1] -= MARKER_SIZE


@helper
def _shift(output: Output, first: int, last: int, distance: int) -> None:
    """Make the first of some tokens longer by `distance`."""
    output.stops[first] += distance
    for token in range(first + 1, last):
        output.starts[token] += distance
        output.stops[token] += distance


@helper
def _name(merges: Merges, symbols: Ints, first: int, last: int) -> int:
    """Put ids in the place of symbols. Returns how many have none."""
    names, no_id = merges.ids, merges.settings[NO_ID]
    unknowns = 0
    for i in range(first, last):
        symbol = symbols[i]
        name = names[symbol] if symbol < UNKNOWN else -1
        if name < 0:
            name = no_id
            unknowns += 1
        symbols[i] = name
    return unknowns
