"""What the operating system could not do, in our words: its own messages are in the system's language or in English.

_("Not saved: {error}").format(error=_(os_words(error)))        where a person reads it
ValueFault(path, os_words(error))                               where it is worded later, in any language
"""

from __future__ import annotations

import errno
from collections.abc import Mapping

from .i18n import N_

_WORDS: Mapping[int, str] = {
    errno.ENOENT: N_("it is not there"),
    errno.EACCES: N_("access is denied"),
    errno.EPERM: N_("access is denied"),
    errno.EEXIST: N_("it is there already"),
    errno.ENOTDIR: N_("part of the path is no folder"),
    errno.EISDIR: N_("it is a folder"),
    errno.ENOTEMPTY: N_("the folder is not empty"),
    errno.ENAMETOOLONG: N_("the name is too long"),
    errno.ELOOP: N_("links lead round in a circle"),
    errno.EINVAL: N_("the name or the operation is not possible there"),
    errno.ENOSPC: N_("the disk is full"),
    errno.EFBIG: N_("the file is too large"),
    errno.EROFS: N_("the disk can only be read"),
    errno.EIO: N_("the disk could not be read or written"),
    errno.EBUSY: N_("it is in use"),
    errno.EMFILE: N_("too many files are open"),
    errno.ENFILE: N_("too many files are open"),
    errno.ENOMEM: N_("there is not enough memory"),
    errno.ENOEXEC: N_("it is no program"),
    errno.ETIMEDOUT: N_("it took too long"),
    errno.ECONNREFUSED: N_("the connection was refused"),
    errno.ENETUNREACH: N_("the network cannot be reached"),
    errno.EHOSTUNREACH: N_("the host cannot be reached"),
    **({errno.EDQUOT: N_("the quota of the disk is used up")} if hasattr(errno, "EDQUOT") else {}),
    **({errno.ETXTBSY: N_("it is in use")} if hasattr(errno, "ETXTBSY") else {}),
    **({errno.ESTALE: N_("the network drive has changed")} if hasattr(errno, "ESTALE") else {}),
}


def os_words(error: OSError) -> str:
    """Marked for translation; the system's own words for what is not known here."""
    sentence = _WORDS.get(error.errno) if error.errno is not None else None
    return sentence or error.strerror or str(error) or type(error).__name__
