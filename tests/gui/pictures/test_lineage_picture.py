"""The picture of a lineage: every token has its place, and the files hold what is painted."""

from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QFont
from PySide6.QtSvg import QSvgRenderer

from bpe_gui.engine import Lineage
from bpe_gui.gui.look.theme import background_and_tokens
from bpe_gui.gui.pictures import lineage_picture
from bpe_gui.gui.pictures.lineage_picture import (
    MAX_LEAVES,
    MAX_PRODUCTS,
    LineageLook,
    LineagePicture,
    Product,
    lineage_image,
    lineage_pdf,
    lineage_svg,
)

pytestmark = pytest.mark.usefixtures("qapp")


def leaf(token: bytes) -> Lineage:
    return Lineage(0, token, None, ())


def joined(left: Lineage, right: Lineage) -> Lineage:
    return Lineage(1, left.bytes + right.bytes, 5, (left, right))


TREES = st.recursive(
    st.sampled_from([b"a", b"\xff", "你".encode(), "م".encode(), b" "]).map(leaf),
    lambda trees: st.builds(joined, trees, trees),
    max_leaves=40,
)
SMALL = joined(joined(leaf(b"l"), leaf(b"o")), leaf(b"w"))


def picture_of(tree: Lineage, products: int = 0, label: str = "step 1,234 · ×56,789") -> LineagePicture:
    look = LineageLook(*background_and_tokens("light"), QFont("DejaVu Sans Mono", 11))
    made = [Product(tree.bytes + b"x" * number, label) for number in range(products)]
    return LineagePicture(tree, {token.bytes: label for token in nodes(tree)}, made, "and 7 more", look)


def nodes(tree: Lineage) -> Iterator[Lineage]:
    stack = [tree]
    while stack:
        token = stack.pop()
        yield token
        stack += token.parts


def boxes(picture: LineagePicture) -> list[QRectF]:
    return [node.box for node in (*lineage_picture._postorder(picture._root), *picture._products)]


@given(TREES, st.integers(0, MAX_PRODUCTS + 2))
def test_all_tokens_are_on_the_paper_and_none_overlap(tree: Lineage, products: int) -> None:
    picture = picture_of(tree, products)
    found, paper = boxes(picture), QRectF(0, 0, picture.size.width(), picture.size.height())
    assert len(found) == len(list(nodes(tree))) + min(products, MAX_PRODUCTS)
    assert all(paper.contains(box) for box in found)
    assert not any(one.intersects(other) for one, other in combinations(found, 2))


def test_a_deep_tree_ends_where_it_would_be_too_wide() -> None:
    tree = leaf(b"a")
    for _ in range(5_000):
        tree = joined(tree, leaf(b"b"))
    picture = picture_of(tree, label="")
    drawn = lineage_picture._postorder(picture._root)
    assert len(drawn) == 2 * MAX_LEAVES - 1
    assert [node.has_more for node in drawn].count(True) == 1


def test_parts_are_read_in_the_direction_of_the_token() -> None:
    def order(tree: Lineage) -> list[bytes]:
        nodes = lineage_picture._postorder(picture_of(tree)._root)
        return [node.token for node in sorted(nodes, key=lambda node: node.box.left()) if not node.parts]

    assert order(joined(leaf(b"a"), leaf(b"b"))) == [b"a", b"b"]
    assert order(joined(leaf("מ".encode()), leaf("ה".encode()))) == ["ה".encode(), "מ".encode()]


def test_the_files_hold_the_picture() -> None:
    picture = picture_of(SMALL, 2)
    image = lineage_image(picture)
    assert image.size() == (picture.size * 2).toSize()
    root = picture._root.box.center()
    assert image.pixelColor(int(root.x() * 2) - 12, int(root.y() * 2) - 20) != image.pixelColor(1, 1)
    svg = lineage_svg(picture)
    assert QSvgRenderer(QByteArray(svg)).isValid()
    assert b"step 1,234" in svg
    assert b">low<" in svg
    assert lineage_pdf(picture).startswith(b"%PDF-")
