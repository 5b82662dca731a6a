"""One component of the plugin ABI that is a task in Python: its class, its object, its state.

All components of an experiment that mean one class share one object: the one of the first of
dataset, features, loss, oracle. The others borrow it in bind().
"""

import ctypes
from dataclasses import dataclass

from . import _abi, _lent, _state
from ._errors import DataError, ParameterError, TaskError, UnsupportedError, describe
from ._instance import Instance
from ._kernel import Kernel
from ._parameters import checked_values
from ._task_class import TaskClass
from ._tasks import Tasks
from ._workers import Workers

# Components that share their object with no earlier one.
_OF_THEIR_OWN = (_abi.DATASET, _abi.KERNEL)

# The live components by their `self`, which is the address of a byte of their own.
parts: dict[int, "Part"] = {}


@dataclass
class Choice:
    """What the parameters of a component say: its class or None, the parameters of the class or
    None, how many processes answer queries, and the most seconds for one example or None. `tasks`:
    the classes of the session."""
    tasks: Tasks
    task_class: TaskClass | None
    given: dict | None = None
    workers: int = 1
    worker_seconds: float | None = None


class Part:
    """One component. task_class: None until known, by a parameter, a model or bind()."""

    def __init__(self, kind: int, host: int, choice: Choice):
        self.kind, self.host, self.choice = kind, host, choice
        self.task_class, self.given = task_class, given = choice.task_class, choice.given
        self.values = {} if task_class is None else checked_values(
            task_class.parameters, given or {}, task_class.owner)
        self.instance: Instance | None = None
        self.owns = False
        self.state = b""  # from seal on
        self.restored: _state.State | None = None
        self._cancelled = None  # the function of the host, once it was asked for
        self._byte = ctypes.create_string_buffer(8)
        self.address = ctypes.addressof(self._byte)
        if task_class is not None:
            task_class.require_kind(kind)
        self._kernel: Kernel | None = None
        if kind in _OF_THEIR_OWN and task_class is not None:
            self._make()

    def where(self, method: str = "") -> str:
        """ "task.py: Month.argmax": for messages."""
        if self.instance is not None:
            return self.instance.where(method)
        name = self.task_class.owner if self.task_class else "the task"
        return f"{name}.{method}" if method else name

    def _service(self, name: bytes) -> int | None:
        """The address of a table of the host, or None."""
        return _abi.Host.from_address(self.host).extension(self.host, name)

    def log(self, severity: int, text: str):
        table = self._service(_abi.HOST_LOG)
        if table:
            _abi.HostLog.from_address(table).log(self.host, severity, text.encode())

    def is_cancelled(self) -> bool:
        """Whether the user asked to stop."""
        if self._cancelled is None:
            table = self._service(_abi.HOST_CANCEL)
            self._cancelled = (_abi.HostCancel.from_address(table).cancelled if table
                               else lambda host: 0)
        return self._cancelled(self.host) != 0

    def _make(self):
        choice, workers = self.choice, None
        if choice.workers > 1:
            if not self.task_class.path:
                raise ParameterError('"workers" needs a class in a file, which their processes '
                                     f"import; {self.task_class.name} has none")
            workers = Workers(choice.workers, choice.worker_seconds, self.is_cancelled, self.log)
        try:
            self.instance = Instance(self.task_class, self.values, self.is_cancelled, workers,
                                     _lent.dense_adder(self._service(_abi.HOST_SUM)))
        except BaseException as error:
            if workers is not None:
                workers.close()
            status, text = describe(error, self.where("__init__"))
            raise TaskError.of_status(status, text) from error
        self.owns = True
        self.instance.create_workers()

    def require_instance(self) -> Instance:
        if self.instance is None:
            raise ParameterError('needs the key "file": the Python file with the class of the task')
        return self.instance

    def require_kernel(self) -> Kernel:
        if self._kernel is None:
            self._kernel = Kernel(self.require_instance())
        return self._kernel

    def destroy(self):
        if self.owns:
            self.instance.close()
        self.instance = self._kernel = None  # it refers back to this
        _lent.forget()

    def seal(self):
        """Ends the setup. The state is made here, so that no training is lost to an error."""
        if self.owns:
            self.instance.seal()
        self.state = self._state_bytes()

    def _state_bytes(self) -> bytes:
        instance = self.require_instance()
        contents = instance.call("save") if self.owns and instance.has("save") else None
        known, given = self.task_class, self.restored
        return _state.to_bytes(_state.State(
            given.file if given else known.file, given.class_name if given else known.name,
            given.source if given else known.source, contents, not self.owns))

    def restore(self, data: bytes):
        state = self.restored = _state.from_bytes(data)
        if state.is_borrowed:
            return
        if self.task_class is None:
            self.task_class = self.choice.tasks.of_model(state.file, state.class_name)
            self.task_class.require_kind(self.kind)
            self.values = checked_values(self.task_class.parameters, self.given or {},
                                         self.task_class.owner)
        if self.task_class.source != state.source:
            name = self.task_class.path or self.task_class.name
            self.log(_abi.LOG_WARNING, f"{name} has changed since the model was trained; its "
                     "predictions may differ from those that were evaluated")
        if self.kind in _OF_THEIR_OWN:
            if self.instance is None:
                self._make()
            self._give_back()

    def _give_back(self):
        contents = self.restored.contents if self.restored else None
        if self.instance.has("restore") and contents is not None:
            try:
                self.instance.restore(contents, _state.to_bytes(self.restored))
            except (KeyError, ValueError, TypeError, IndexError) as error:
                raise DataError(f"{self.where('restore')} refuses the state of the model: "
                                f"{type(error).__name__}: {error}") from error
        elif contents is not None:
            raise DataError(f"the model holds a state, but {self.task_class.owner} has no restore("
                            "state)")

    def bind(self, bindings: _abi.Bindings):
        if self.kind == _abi.KERNEL:
            self.require_kernel().bind(bindings.dataset)
        elif self.kind != _abi.DATASET:
            lenders = [parts[ref.self] for ref in (bindings.features, bindings.dataset,
                                                    bindings.loss)
                       if ref.self in parts and parts[ref.self].instance is not None]
            self._find_instance(lenders)
            self.task_class.require_kind(self.kind)
        if self.kind == _abi.ORACLE:
            self._require_own(bindings.features, "features")
            self._require_own(bindings.loss, "loss")

    def _find_instance(self, lenders: list["Part"]):
        is_named = self.task_class is not None
        for lender in lenders:
            known = lender.task_class
            if is_named and (known.cls is not self.task_class.cls):
                continue
            if is_named and self.given and self.values != lender.values:
                raise ParameterError(f"{known.owner}: its parameters differ from those of the "
                                     f"{_abi.KIND_NAMES[lender.kind]}, whose object it shares; "
                                     "give them there alone")
            if self.choice.workers > 1:
                raise ParameterError(f'"workers" belongs to the {_abi.KIND_NAMES[lender.kind]}, '
                                     "whose object it shares; give it there")
            self.task_class, self.instance = known, lender.instance
            return
        if not is_named:
            raise UnsupportedError('needs the key "file", the Python file with the class of the '
                                   "task: no component before it is a task in Python, whose object "
                                   "it could share")
        self._make()
        self._give_back()

    def _require_own(self, ref: _abi.Ref, key: str):
        """An argmax that computes its own features and loss gives wrong answers with others."""
        method = "loss" if key == "loss" else "features"
        is_free = getattr(self.task_class.cls, "takes_other_losses" if key == "loss"
                          else "takes_other_features", False)
        if not ref.component or is_free or not self.task_class.has(method):
            return
        lender = parts.get(ref.self)
        if lender is None or lender.instance is not self.instance:
            raise UnsupportedError(f"{self.task_class.owner} works only with its own {key}; set "
                                   f'"{key}" to "python" as well')
