"""What stands where a picture from elsewhere is not shown."""

from __future__ import annotations

from collections.abc import Mapping

from app.core.text.i18n import N_, _

_WHY: Mapping[str, str] = {
    "": N_("{name} ({host}) – not loaded"),
    "offline": N_("{name} ({host}) – not loaded: Triptych is set to stay offline"),
    "private": N_("{name} ({host}) – not loaded: this is no public address"),
    "moved": N_("{name} ({host}) – not loaded: the site sends on to another address"),
    "large": N_("{name} ({host}) – not loaded: larger than 5 MB or 20 megapixels"),
    "no_picture": N_("{name} ({host}) – not loaded: what came is no PNG, JPEG, WebP or GIF"),
    "address": N_("{name} ({host}) – not loaded: such an address is never asked"),
    "refused": N_("{name} ({host}) – not loaded: the site has no such picture, or refuses it"),
    "network": N_("{name} ({host}) – not loaded: the site could not be reached"),
}


def not_loaded(name: str, host: str, why: str, *, is_loading: bool) -> str:
    sentence = _("{name} ({host}) – loading…") if is_loading else _(_WHY.get(why, _WHY[""]))
    return sentence.format(name=name or _("Picture"), host=host)
