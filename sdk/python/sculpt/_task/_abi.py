"""The structs and function types of the plugin ABI (sdk/include/sculpt), for ctypes.

One class for each C struct, with the fields of the header in their order. tests/python/abi_test.py
compares all sizes and offsets with those of a C compiler.

Arguments of functions are addresses (c_void_p): Python gets them as plain integers, which costs
less than pointer objects. `_lent.py` makes arrays of them.
"""

from ctypes import (CFUNCTYPE, POINTER, PYFUNCTYPE, Structure, c_char_p, c_double, c_int32, c_int64,
                    c_uint32, c_uint64, c_void_p)

ABI_MAJOR, ABI_MINOR = 0, 2

OK, INVALID, PARAMETER, DATA, UNSUPPORTED, MEMORY, CANCELLED, MISSING, INTERNAL = range(9)

DATASET, FEATURES, LOSS, ORACLE, KERNEL = 1, 2, 3, 4, 6
KIND_NAMES = {DATASET: "dataset", FEATURES: "features", LOSS: "loss", ORACLE: "oracle",
              KERNEL: "kernel"}
TRAIT_SERIAL = 1

TYPE_BOOL, TYPE_INT, TYPE_REAL, TYPE_TEXT, TYPE_PATH, TYPE_CHOICE, TYPE_JSON = range(1, 8)
TYPE_LIST = 16

ANSWER_EXACT, ANSWER_BOUND, ANSWER_NO_OUTPUT, ANSWER_TRUTH_OUTSIDE = 1, 2, 4, 8
SHAPE_COMPLETE, SHAPE_SAME = 1, 2
LOG_INFO, LOG_WARNING = 1, 2
KERNEL_POSITIVE = 1

HOST_LOG = b"sculpt.host-log/1"
HOST_CANCEL = b"sculpt.host-cancel/1"
HOST_SOURCE = b"sculpt.host-source/draft-1"
HOST_SUM = b"sculpt.host-sum/draft-1"


def _status(*arguments: type) -> type:
    """A C function that returns a sculpt_status."""
    return CFUNCTYPE(c_int32, *arguments)


GROW = _status(c_void_p, c_int64)


# base.h
class Version(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32)]


class Error(Structure):
    _fields_ = [("text", c_void_p), ("capacity", c_int64), ("grow", GROW)]


# data.h
class Labels(Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64)]


class Weights(Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64), ("stamp", c_uint64)]


class Accumulator(Structure):
    _fields_ = [("index", c_void_p), ("value", c_void_p), ("size", c_int64), ("capacity", c_int64),
                ("dimension", c_int64), ("grow", GROW), ("dense", c_void_p)]


class LabelBuffer(Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64), ("capacity", c_int64), ("grow", GROW)]


class ByteBuffer(Structure):
    _fields_ = [("data", c_void_p), ("size", c_int64), ("capacity", c_int64), ("grow", GROW)]


class Source(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("path", c_char_p),
                ("text", c_void_p), ("text_size", c_int64)]


# parameter.h
class Parameter(Structure):
    _fields_ = [("type", c_uint32), ("flags", c_uint32), ("name", c_char_p),
                ("fallback", c_char_p), ("lower", c_double), ("upper", c_double),
                ("choices", c_char_p), ("unit", c_char_p), ("summary", c_char_p),
                ("needs", c_char_p), ("reserved", c_uint64)]


class Value(Structure):
    pass


Value._fields_ = [("type", c_uint32), ("is_default", c_uint32), ("integer", c_int64),
                  ("real", c_double), ("text", c_char_p), ("items", POINTER(Value)),
                  ("item_count", c_int64), ("reserved", c_uint64)]


# plugin.h
class Host(Structure):
    _fields_ = [("struct_size", c_uint32), ("abi", Version), ("self", c_void_p),
                ("version", c_char_p), ("extension", CFUNCTYPE(c_void_p, c_void_p, c_char_p))]


class Ref(Structure):
    _fields_ = [("component", c_void_p), ("self", c_void_p)]


class Bindings(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("dataset", Ref),
                ("features", Ref), ("loss", Ref)]


class Life(Structure):
    _fields_ = [
        ("create", _status(c_void_p, c_void_p, POINTER(c_void_p), c_void_p)),
        ("destroy", CFUNCTYPE(None, c_void_p)),
        ("bind", _status(c_void_p, c_void_p, c_void_p)),
        ("seal", _status(c_void_p, c_void_p)),
        ("open_session", _status(c_void_p, POINTER(c_void_p), c_void_p)),
        ("close_session", CFUNCTYPE(None, c_void_p)),
        ("extension", CFUNCTYPE(c_void_p, c_void_p, c_char_p)),
    ]


class Component(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_uint32), ("traits", c_uint64),
                ("id", c_char_p), ("version", c_char_p), ("summary", c_char_p),
                ("reference", c_char_p), ("parameters", POINTER(Parameter)),
                ("parameter_count", c_int64), ("extensions", POINTER(c_char_p)),
                ("extension_count", c_int64), ("life", POINTER(Life)), ("api", c_void_p)]


class Plugin(Structure):
    _fields_ = [("struct_size", c_uint32), ("abi", Version), ("name", c_char_p),
                ("version", c_char_p), ("abi_needed", Version), ("license", c_char_p),
                ("components", POINTER(POINTER(Component))), ("component_count", c_int64),
                ("experiments", POINTER(c_char_p)), ("experiment_count", c_int64)]


# kinds.h
class DatasetApi(Structure):
    _fields_ = [("load", _status(c_void_p, c_char_p, c_void_p, c_void_p)),
                ("count", _status(c_void_p, POINTER(c_int64), c_void_p)),
                ("split", _status(c_void_p, c_char_p, POINTER(c_int64), POINTER(c_int64),
                                  c_void_p)),
                ("truth", _status(c_void_p, c_int64, POINTER(Labels), c_void_p))]


class FeaturesApi(Structure):
    _fields_ = [("dimension", _status(c_void_p, POINTER(c_int64), c_void_p)),
                ("accumulate", _status(c_void_p, c_int64, Labels, c_double, c_void_p, c_void_p))]


class LossApi(Structure):
    _fields_ = [("loss", _status(c_void_p, c_int64, Labels, Labels, POINTER(c_double), c_void_p))]


class Query(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("example", c_int64),
                ("seed", c_uint64), ("weights", Weights), ("truth", Labels),
                ("loss_weight", c_double)]


class Answer(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("labels", LabelBuffer),
                ("value", c_double), ("bound", c_double)]


class OracleApi(Structure):
    _fields_ = [("argmax", _status(c_void_p, c_void_p, c_void_p, c_void_p))]


# ext/
KERNEL_ID = b"sculpt.kernel/1"


class KernelApi(Structure):
    _fields_ = [("claims", _status(c_void_p, POINTER(c_uint32), c_void_p)),
                ("rows", _status(c_void_p, POINTER(c_int64), c_int64, POINTER(c_int64), c_int64,
                                 c_void_p, c_void_p)),
                ("diagonal", _status(c_void_p, POINTER(c_int64), c_int64, c_void_p, c_void_p)),
                ("write_atom", _status(c_void_p, c_int64, c_void_p, c_void_p)),
                ("keep", _status(c_void_p, c_void_p, POINTER(c_int64), c_int64, c_void_p)),
                ("kept_rows", _status(c_void_p, POINTER(c_int64), c_int64, c_int64, c_int64,
                                      c_void_p, c_void_p))]


class Sites(Structure):
    _fields_ = [("struct_size", c_uint32), ("reserved", c_uint32), ("site_count", c_int64),
                ("edge_count", c_int64), ("row_from", c_void_p), ("index", c_void_p),
                ("value", c_void_p), ("edge", c_void_p)]


class SitesShape(Structure):
    _fields_ = [("struct_size", c_uint32), ("state_count", c_int32), ("feature_count", c_int64),
                ("variable_count", c_int64)]


class SitesTable(Structure):
    ID = b"sculpt.sites/1"
    _fields_ = [("shape", _status(c_void_p, c_void_p, c_void_p)),
                ("state_name", _status(c_void_p, c_int32, c_void_p, c_void_p)),
                ("feature_name", _status(c_void_p, c_int64, c_void_p, c_void_p)),
                ("sites", _status(c_void_p, c_int64, c_void_p, c_void_p))]


class StateTable(Structure):
    ID = b"sculpt.state/1"
    _fields_ = [("save", _status(c_void_p, c_void_p, c_void_p)),
                ("restore", _status(c_void_p, c_void_p, c_int64, c_void_p))]


class LabelTextTable(Structure):
    ID = b"sculpt.label-text/1"
    _fields_ = [("format", _status(c_void_p, c_int64, Labels, c_void_p, c_void_p)),
                ("parse", _status(c_void_p, c_int64, c_void_p, c_int64, c_void_p, c_void_p))]


class NamesTable(Structure):
    ID = b"sculpt.names/1"
    _fields_ = [("name", _status(c_void_p, c_int64, c_void_p, c_void_p))]


class OutputShape(Structure):
    _fields_ = [("struct_size", c_uint32), ("flags", c_uint32), ("min_size", c_int64),
                ("max_size", c_int64), ("states", c_void_p), ("state_count", c_int32),
                ("reserved", c_uint32)]


class OutputShapeTable(Structure):
    ID = b"sculpt.output-shape/1"
    _fields_ = [("shape", _status(c_void_p, c_int64, POINTER(OutputShape), c_void_p))]


VISIT = _status(c_void_p, Labels)


class EnumerateTable(Structure):
    ID = b"sculpt.enumerate/1"
    _fields_ = [("enumerate", _status(c_void_p, c_int64, c_int64, VISIT, c_void_p,
                                      POINTER(c_int64), c_void_p))]


class BatchArgmaxTable(Structure):
    ID = b"sculpt.batch-argmax/1"
    _fields_ = [("argmax", _status(c_void_p, c_int64, POINTER(c_void_p), POINTER(c_void_p),
                                   POINTER(c_int64), c_void_p))]


class BatchFeaturesTable(Structure):
    ID = b"sculpt.batch-features/draft-1"
    _fields_ = [("accumulate", _status(c_void_p, c_int64, POINTER(c_int64), c_void_p,
                                       POINTER(c_void_p), c_void_p))]


class BatchLossTable(Structure):
    ID = b"sculpt.batch-loss/draft-1"
    _fields_ = [("loss", _status(c_void_p, c_int64, POINTER(c_int64), c_void_p, c_void_p, c_void_p,
                                 c_void_p))]


class HostLog(Structure):
    _fields_ = [("log", CFUNCTYPE(None, c_void_p, c_int32, c_char_p))]


class HostCancel(Structure):
    _fields_ = [("cancelled", _status(c_void_p))]


class HostSource(Structure):
    _fields_ = [("open", _status(c_void_p, c_void_p, POINTER(c_void_p), c_void_p)),
                ("next_block", _status(c_void_p, POINTER(c_void_p), POINTER(c_int64), c_void_p)),
                ("rest", _status(c_void_p, POINTER(c_void_p), POINTER(c_int64), c_void_p)),
                ("next_line", _status(c_void_p, POINTER(c_void_p), POINTER(c_int64),
                                      POINTER(c_int64), c_void_p)),
                ("close", CFUNCTYPE(None, c_void_p))]


class HostSum(Structure):
    # PYFUNCTYPE: it is short, so it keeps the lock of the interpreter
    _fields_ = [("add", PYFUNCTYPE(c_int32, c_void_p, c_double, c_void_p))]


# The C name of each struct and the header that defines it.
C_NAMES = {
    Version: ("sculpt_version", "base.h"), Error: ("sculpt_error", "base.h"),
    Labels: ("sculpt_labels", "data.h"), Weights: ("sculpt_weights", "data.h"),
    Accumulator: ("sculpt_accumulator", "data.h"), LabelBuffer: ("sculpt_label_buffer", "data.h"),
    ByteBuffer: ("sculpt_byte_buffer", "data.h"), Source: ("sculpt_source", "data.h"),
    Parameter: ("sculpt_parameter", "parameter.h"), Value: ("sculpt_value", "parameter.h"),
    Host: ("sculpt_host", "plugin.h"), Ref: ("sculpt_ref", "plugin.h"),
    Bindings: ("sculpt_bindings", "plugin.h"), Life: ("sculpt_life", "plugin.h"),
    Component: ("sculpt_component", "plugin.h"), Plugin: ("sculpt_plugin", "plugin.h"),
    DatasetApi: ("sculpt_dataset_api", "kinds.h"), FeaturesApi: ("sculpt_features_api", "kinds.h"),
    LossApi: ("sculpt_loss_api", "kinds.h"), Query: ("sculpt_query", "kinds.h"),
    Answer: ("sculpt_answer", "kinds.h"), OracleApi: ("sculpt_oracle_api", "kinds.h"),
    KernelApi: ("sculpt_kernel_api", "ext/kernel.h"), Sites: ("sculpt_sites", "ext/sites.h"),
    SitesShape: ("sculpt_sites_shape", "ext/sites.h"),
    SitesTable: ("sculpt_ext_sites", "ext/sites.h"),
    StateTable: ("sculpt_ext_state", "ext/state.h"),
    LabelTextTable: ("sculpt_ext_label_text", "ext/label_text.h"),
    NamesTable: ("sculpt_ext_names", "ext/names.h"),
    OutputShape: ("sculpt_output_shape", "ext/output_shape.h"),
    OutputShapeTable: ("sculpt_ext_output_shape", "ext/output_shape.h"),
    EnumerateTable: ("sculpt_ext_enumerate", "ext/enumerate.h"),
    BatchArgmaxTable: ("sculpt_ext_batch_argmax", "ext/batch_argmax.h"),
    BatchFeaturesTable: ("sculpt_ext_batch_features", "ext/draft/batch_values.h"),
    BatchLossTable: ("sculpt_ext_batch_loss", "ext/draft/batch_values.h"),
    HostLog: ("sculpt_host_log", "ext/host.h"), HostCancel: ("sculpt_host_cancel", "ext/host.h"),
    HostSource: ("sculpt_host_source", "ext/draft/host_source.h"),
    HostSum: ("sculpt_host_sum", "ext/draft/host_sum.h"),
}
