"""One call of the host: what it says, and how Ctrl-C stops it."""

import sys
import threading
import warnings
from ctypes import byref

from .._own_files import is_own_file
from . import _arguments, _library, _running
from ._interrupts import KeptInterrupts
from ._library import Handle, call, library


class Session:
    """A session of libsculpt. `show` is called with each text that the host says as a message;
    `results` collects what a command prints."""

    def __init__(self, threads: int = 0, plugin_path=(), show=None):
        said = _Said(show)
        self.results = said.results
        self._error = None
        self._write = _library.WRITE(said.add)
        folders, count = _library.texts(_arguments.folders(plugin_path, "plugin_path"))
        options = _library.SessionOptions(
            threads=_arguments.integer(threads, "threads", 0, 2**31 - 1, " (all cores)"),
            plugin_path=folders, plugin_path_count=count, write=self._write)
        self._owner = Handle("sculpt_session_free")
        call("sculpt_session_open", byref(options), self._owner.out())
        self.handle = self._owner.raw

    def stop(self) -> None:
        """Asks the running call to stop. Any thread."""
        library().sculpt_session_stop(self.handle)

    def keep_error(self, error: BaseException) -> None:
        """Stops the call because a callback failed; run() raises the error when it has ended."""
        if self._error is None:
            self._error = error
        self.stop()

    def run(self, function: str, *arguments) -> int:
        """call(), which Ctrl-C stops. In the main thread the call runs in a thread of its own,
        because Python handles signals only between its own instructions. This never returns
        before the call has ended, so the host may borrow what the caller holds."""
        is_alone = threading.current_thread() is not threading.main_thread()
        if is_alone or _running.is_exiting():  # then no thread can be started
            return self._finish(self._called(function, arguments))
        work = _Work(lambda: self._called(function, arguments))
        with KeptInterrupts(self.stop) as interrupts:
            work.run_in_thread(function, interrupts)
        if interrupts.error is not None:
            raise interrupts.error from work.error
        if work.error is not None and self._error is None:
            raise work.error
        return self._finish(work.code)

    def _called(self, function: str, arguments: tuple) -> int:
        with _running.Running(self):
            return call(function, *arguments)

    def _finish(self, code: int) -> int:
        if self._error is not None:
            error, self._error = self._error, None
            raise error
        return code


class _Said:
    """What the host says. It does not refer to the session, which is freed at once that way."""

    def __init__(self, show):
        self.results = []
        self._show = show

    def add(self, _user, kind, text, size):
        said = _library.string_at(text, size)
        if kind == _library.TEXT_RESULT:
            self.results.append(said)
        elif self._show is not None:
            self._show(said)


class _Work:
    """A call that runs in a thread. `code`: what it returned, or `error`: what it raised."""

    def __init__(self, function):
        self._function = function
        self._turn = threading.Lock()  # the first to take it makes the call
        self._done = threading.Event()  # Thread.join() forgets a thread if Ctrl-C comes within it
        self.code, self.error = 0, None

    def run_in_thread(self, name: str, interrupts: KeptInterrupts) -> None:
        """Returns when the call has ended, also if a handler of another signal raises."""
        while not self._done.is_set():
            try:
                if not self._turn.locked():
                    threading.Thread(target=self._work, name=name).start()
                while not self._done.wait(0.05):
                    pass
            except BaseException as error:
                if isinstance(error, RuntimeError) and not self._turn.locked():
                    self._work()  # no further thread can be started
                else:
                    interrupts.keep(error)

    def _work(self) -> None:
        if not self._turn.acquire(blocking=False):
            return
        try:
            self.code = self._function()
        except BaseException as error:  # Session.run() raises it again
            self.error = error
        finally:
            self._done.set()


_WARNING = "warning: "


def user_level() -> int:
    """The stacklevel of a warning of the calling function, so that it names the line of the user's
    program that called this package."""
    level, frame = 1, sys._getframe(1)
    while frame is not None and is_own_file(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def warn_caller(messages: "list[str]") -> None:
    """Makes a HostWarning of each warning among the messages, at the line of the user's program
    that called this package. Empties the list."""
    level = user_level()
    texts, messages[:] = "".join(messages).splitlines(), []
    for text in texts:
        if text.startswith(_WARNING):
            warnings.warn(_library.HostWarning(text[len(_WARNING):]), stacklevel=level)


def is_shown(verbose: "bool | None") -> bool:
    """Whether messages are shown. None: on a terminal and in a notebook."""
    if sys.stderr is None or verbose is not None:
        return bool(sys.stderr and verbose)
    return sys.stderr.isatty() or type(sys.stderr).__module__.split(".")[0] == "ipykernel"


def shown_on_stderr(text: str) -> None:
    """Prints a message; in a notebook it appears below the cell."""
    sys.stderr.write(text)
    sys.stderr.flush()
