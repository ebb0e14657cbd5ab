"""The forty scenes are forty, and together they show every theme, language, width and scale."""

from __future__ import annotations

from itertools import product

from tests.gallery import SCALES, SCREENS, WIDTHS, scenes


def test_forty_scenes_cover_every_look_and_every_screen() -> None:
    found = scenes()
    assert len(found) == len({(s.name, look, w, scale) for s, look, w, scale in found}) == 40
    assert {state.name for state, *_rest in found} == set(SCREENS)
    looks = {(look.theme, look.language, width, scale) for _state, look, width, scale in found}
    assert looks == set(product(("light", "dark"), ("zh_CN", "en"), WIDTHS, SCALES))
