"""A rename that never writes over anything: the system decides at the moment of the rename, where it can."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from functools import cache
from typing import Any

_NO_REPLACE = 1
"""RENAME_NOREPLACE of renameat2 (Linux)."""
_EXCLUSIVE = 4
"""RENAME_EXCL of renameatx_np (macOS)."""
_CANNOT = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP}


def rename_exclusively(parent: int, name: str, there: int, new_name: str) -> None:
    """Names below opened folders. Raises FileExistsError where something of the new name is there."""
    rename, flag = _system_call()
    if rename is not None:
        done = rename(parent, os.fsencode(name), there, os.fsencode(new_name), flag)
        if done == 0:
            return
        number = ctypes.get_errno()
        if number not in _CANNOT:
            raise OSError(number, os.strerror(number), new_name)
    try:
        os.stat(new_name, dir_fd=there, follow_symlinks=False)
    except FileNotFoundError:
        os.rename(name, new_name, src_dir_fd=parent, dst_dir_fd=there)
        return
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new_name)


@cache
def _system_call() -> tuple[Any, int]:
    name, flag = ("renameatx_np", _EXCLUSIVE) if sys.platform == "darwin" else ("renameat2", _NO_REPLACE)
    try:
        call = getattr(ctypes.CDLL(None, use_errno=True), name)
    except (OSError, AttributeError, TypeError):
        return None, 0
    call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return call, flag
