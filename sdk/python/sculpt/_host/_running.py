"""The calls of the host that run: the end of the interpreter waits for them.

When the interpreter exits, Python ends daemon threads at their next step in Python, also inside of
a callback, where the host could not go on. So their calls are asked to stop before: a training ends
with a checkpoint, if it has a run folder. Then SystemExit is raised inside of callbacks that do not
return. Calls that daemon threads begin later are refused.
"""

import atexit
import contextlib
import ctypes
import importlib
import os
import sys
import threading
import time
import traceback

_SECONDS = 10.0  # the time that calls have to stop
_LAST_SECONDS = 2.0  # and after SystemExit
_STOP_SECONDS = 0.5  # between two requests to stop: the evaluation after a training needs its own

_threads: dict = {}  # the thread of each session whose call runs
_is_exiting = False


def is_exiting() -> bool:
    """Whether the interpreter exits, so that no thread can be started."""
    return _is_exiting


class Running:
    """The session's call runs while this is entered. If the interpreter exits, a call that begins
    or fails raises SystemExit, which ends the thread silently. In the main thread it works."""

    def __init__(self, session):
        self._session = session

    def __enter__(self):
        _threads[self._session] = threading.get_ident()
        try:
            self._require_interpreter()
        except SystemExit:
            _threads.pop(self._session, None)
            raise

    def __exit__(self, kind, error, _):
        _threads.pop(self._session, None)
        if error is not None:
            self._require_interpreter()

    @staticmethod
    def _require_interpreter():
        if _is_exiting and threading.current_thread() is not threading.main_thread():
            raise SystemExit("the interpreter exits")


def _wait(seconds: float) -> None:
    end = time.monotonic() + seconds
    next_stop = 0.0
    while _threads and time.monotonic() < end:
        if time.monotonic() >= next_stop:
            next_stop = time.monotonic() + _STOP_SECONDS
            for session in list(_threads):
                session.stop()
        time.sleep(0.002)


@atexit.register
def _stop_all() -> None:
    global _is_exiting
    _is_exiting = True
    _wait(_SECONDS)
    for thread in list(_threads.values()):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread),
                                                   ctypes.py_object(SystemExit))
    _wait(_LAST_SECONDS)


def end_forked_child(error: "BaseException | None") -> None:
    """Ends a child process that a callback has forked and that comes back out of it. The host's
    threads are in the parent, so its call cannot go on here. `error`: what the callback raised."""
    code = 70
    if isinstance(error, SystemExit):
        code = error.code if isinstance(error.code, int) else 0 if error.code is None else 1
    elif error is None:
        print("sculpt: a process that was forked in a callback came back out of it; end it there "
              "by os._exit(). The call goes on in its parent.", file=sys.stderr)
    else:
        traceback.print_exception(error)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(code & 255)


_COMPONENTS = "sculpt._task._components"  # python.so imports it when the first task is created


def _finish_import() -> None:
    """A child must not inherit a module that another thread has half imported."""
    if _COMPONENTS in sys.modules:
        importlib.import_module(_COMPONENTS)


# The threads of the calls are those of the parent.
os.register_at_fork(before=_finish_import, after_in_child=_threads.clear)
