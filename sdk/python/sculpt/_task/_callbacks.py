"""The functions that the host calls, as tables of the plugin ABI: errors become a status and text.

Each callback finds its component by `self`. How the tables become components: _components.py.
"""

import ctypes

from . import _abi, _lent, _source
from ._errors import DataError, HostError, describe
from ._part import Part, parts


def fail(error: int, problem: BaseException, part: Part | None) -> int:
    if part is not None:
        part.choice.tasks.keep(problem)
    status, text = describe(problem, part.where() if part else "the task")
    if part is not None and part.instance is not None:
        text += part.instance.advice(problem)
    _lent.write_error(error, text)
    return status


def guarded(function):
    """A callback of the ABI: `self` first, the error last. Turns exceptions into a status."""
    def call(self, *arguments):
        try:
            function(parts[self], *arguments[:-1])
            return _abi.OK
        except BaseException as problem:
            return fail(arguments[-1], problem, parts.get(self))
    return call


def _load(part, split, source):
    instance, name = part.require_instance(), split.decode()
    given = part.choice.tasks.given.get(name)
    try:
        instance.load(name, _source.lent(part.host, source) if given is None else given)
    except UnicodeDecodeError as error:
        raise DataError(f"its data are no UTF-8: {error}") from error


def _count(part, out):
    out[0] = part.require_instance().count()


def _split(part, name, begin, end):
    begin[0], end[0] = part.require_instance().split(name.decode())


_NO_LABELS = ctypes.create_string_buffer(8)  # an address for outputs of size 0


def _truth(part, example, out):
    y = part.instance.truth(example)
    labels = out[0]
    labels.size = 0 if y is None else y.size
    labels.data = None if y is None else (
        y.ctypes.data if y.size else ctypes.addressof(_NO_LABELS))


def _dimension(part, out):
    out[0] = part.instance.dimension()


# The hot functions are written out: each layer costs a tenth of a small oracle call.
def _accumulate(self, example, y, scale, sum_, error):
    try:
        parts[self].instance.add_features(example, _lent.read_labels[y.data, y.size], scale, sum_)
        return 0
    except BaseException as problem:
        return fail(error, problem, parts.get(self))


def _loss(self, example, truth, guess, out, error):
    try:
        out[0] = parts[self].instance.loss(example, _lent.read_labels[truth.data, truth.size],
                                            _lent.read_labels[guess.data, guess.size])
        return 0
    except BaseException as problem:
        return fail(error, problem, parts.get(self))


def _argmax(self, query, answer, error):
    try:
        parts[self].instance.argmax(query, answer)
        return 0
    except BaseException as problem:
        return fail(error, problem, parts.get(self))


def _argmax_batch(self, count, queries, answers, failed, error):
    try:
        parts[self].instance.argmax_batch(queries[:count], answers[:count])
        return 0
    except BaseException as problem:
        failed[0] = getattr(problem, "failed", -1)
        return fail(error, problem, parts.get(self))


def _values_of_batch(self, error: int, give) -> int:
    """Status of give(), which writes psi or losses of many outputs. If it fails, the host makes the
    calls of each output, and reports what is wrong there."""
    part = parts.get(self)
    try:
        give(part.instance)
        return _abi.OK
    except HostError as problem:  # a wish to stop, or no memory
        return fail(error, problem, part)
    except Exception:
        return _abi.INTERNAL
    except BaseException as problem:  # it comes once, such as the SystemExit of an exiting process
        part.instance.interrupt = problem
        return _abi.INTERNAL


def _accumulate_batch(self, count, examples, outputs, sums, error):
    return _values_of_batch(self, error, lambda instance: instance.add_features_of(
        examples[:count], _lent.label_list(outputs, count), sums[:count]))


def _loss_batch(self, count, examples, truths, guesses, losses, error):
    return _values_of_batch(self, error, lambda instance: instance.write_losses(
        examples[:count], _lent.label_list(truths, count), _lent.label_list(guesses, count),
        losses))


def _save(part, out):
    _lent.append_bytes(out, part.state)


def _restore(part, data, size):
    part.restore(ctypes.string_at(data, size) if size else b"")


def _format(part, example, y, out):
    _lent.append_bytes(out, part.instance.format(example, _lent.labels_of(y)))


def _parse(part, example, text, size, out):
    data = ctypes.string_at(text, size) if size else b""
    _lent.write_label_buffer(out, part.instance.parse(example, data.decode("utf-8", "replace")))


def _name(part, weight, out):
    _lent.append_bytes(out, part.instance.weight_name(weight))


def _shape(part, example, out):
    shape = out[0]
    (shape.flags, shape.min_size, shape.max_size, states,
     shape.state_count) = part.instance.output_shape(example)
    shape.states = states or None


def _enumerate(part, example, limit, visit, context, count):
    outputs = part.instance.outputs(example, limit)
    count[0] = len(outputs)
    if len(outputs) > limit:
        return
    for y in outputs:
        data = y.ctypes.data if y.size else ctypes.addressof(_NO_LABELS)
        status = visit(context, _abi.Labels(data, y.size))
        if status != _abi.OK:
            raise HostError(status, "")


def _claims(part, out):
    out[0] = part.require_kernel().claims()


def _kernel_rows(part, atoms, count, others, other_count, out):
    part.require_kernel().fill(atoms[:count], others[:other_count],
                               _lent.matrix(out, count, other_count))


def _diagonal(part, atoms, count, out):
    part.require_kernel().fill_diagonal(atoms[:count], _lent.matrix(out, 1, count)[0])


def _write_atom(part, atom, out):
    _lent.append_bytes(out, part.require_kernel().write_atom(atom))


def _keep(part, data, begins, count):
    begins = begins[:count + 1] if count else [0]
    whole = ctypes.string_at(data, begins[-1]) if begins[-1] else b""
    part.require_kernel().keep(whole, begins)


def _kept_rows(part, atoms, count, begin, end, out):
    part.require_kernel().fill_kept(atoms[:count], begin, end,
                                    _lent.matrix(out, count, end - begin))


def make_table(cls, **functions):
    """A function table of the ABI. Functions that are left out are NULL."""
    types = dict(cls._fields_)
    return cls(**{name: types[name](function) for name, function in functions.items()})


STATE = make_table(_abi.StateTable, save=guarded(_save), restore=guarded(_restore))
_TEXT = make_table(_abi.LabelTextTable, format=guarded(_format))
_TEXT_BOTH_WAYS = make_table(_abi.LabelTextTable, format=guarded(_format), parse=guarded(_parse))
_NAMES = make_table(_abi.NamesTable, name=guarded(_name))
_SHAPE = make_table(_abi.OutputShapeTable, shape=guarded(_shape))
_ENUMERATE = make_table(_abi.EnumerateTable, enumerate=guarded(_enumerate))
_BATCH = make_table(_abi.BatchArgmaxTable, argmax=_argmax_batch)
_BATCH_FEATURES = make_table(_abi.BatchFeaturesTable, accumulate=_accumulate_batch)
_BATCH_LOSS = make_table(_abi.BatchLossTable, loss=_loss_batch)

APIS = {
    _abi.DATASET: make_table(_abi.DatasetApi, load=guarded(_load), count=guarded(_count),
                         split=guarded(_split), truth=guarded(_truth)),
    _abi.FEATURES: make_table(_abi.FeaturesApi, dimension=guarded(_dimension),
                          accumulate=_accumulate),
    _abi.LOSS: make_table(_abi.LossApi, loss=_loss),
    _abi.ORACLE: make_table(_abi.OracleApi, argmax=_argmax),
    _abi.KERNEL: make_table(_abi.KernelApi, claims=guarded(_claims), rows=guarded(_kernel_rows),
                            diagonal=guarded(_diagonal), write_atom=guarded(_write_atom),
                            keep=guarded(_keep), kept_rows=guarded(_kept_rows)),
}

# The extensions of each kind: the table and the method of the class that it needs.
EXTENSIONS = {
    _abi.DATASET: ((STATE, ""), (_TEXT, "format"), (_SHAPE, "output_shape")),
    _abi.FEATURES: ((STATE, ""), (_SHAPE, "output_shape"), (_NAMES, "weight_name"),
                    (_ENUMERATE, "enumerate"), (_BATCH_FEATURES, "features")),
    _abi.LOSS: ((STATE, ""), (_BATCH_LOSS, "loss")),
    _abi.ORACLE: ((STATE, ""), (_ENUMERATE, "enumerate"), (_BATCH, "argmax_batch")),
    _abi.KERNEL: ((STATE, ""),),
}


def extension(self, name):
    try:
        part = parts[self]
        for table, method in EXTENSIONS[part.kind]:
            if table.ID != name:
                continue
            if method and (part.instance is None or not part.instance.offers(method)):
                return None
            if table is _TEXT and part.instance.has("parse"):
                table = _TEXT_BOTH_WAYS
            return ctypes.addressof(table)
        return None
    except BaseException:
        return None


def destroy(self):
    try:
        parts.pop(self).destroy()
    except BaseException:  # a function without a status: nobody could be told
        pass
