// Tasks that are not complete, or whose constants do not fit.
#include <sculpt/sculpt.hpp>

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "a task without data"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.exact(0); }
};
struct GoodReader : Good {
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};

//   expect: `argmax` of an oracle is missing, a public method, const or of the Session: void argmax(
struct NoArgmax {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has no oracle"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};
//   expect: `truth` of a dataset is missing
struct NoTruth : Good {
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
};
//   expect: `load` of a dataset is missing
struct NoLoad : Good {
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};
//   expect: `load` of a dataset must be
struct LoadOfText : GoodReader {
  void load(std::string_view, std::string_view) {}
};
// Each method is looked for in the part of its kind.
//   expect: `format` of a dataset must be
//   expect: `weight_name` of features must be
//   expect: `add_factor_loss` of a loss must be
//   expect: `cut` of an oracle must be
//   expect: `bind` of a component must be
struct MisfitInEachPart : GoodReader {
  void format(sculpt::Labels, sculpt::ByteOutput&) const {}
  std::string weight_name(std::int64_t) const { return ""; }
  void add_factor_loss(const sculpt_factor_graph&) const {}
  void cut(const sculpt::Query&) const {}
  void bind() {}
};
//   expect: `format` is a method of a dataset, but
struct FormatWithoutData : Good {
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) const {}
};

// Other losses and features.
//   expect: `takes_other_losses` of a task must be public: static constexpr bool takes_other_losses = ...
struct TakesLossesByMethod : GoodReader {
  bool takes_other_losses() const { return true; }
};
//   expect: `takes_other_features` of a task must be public: static constexpr bool takes_other_features = ...
class TakesFeaturesPrivately : public GoodReader {
  static constexpr bool takes_other_features = true;
};
//   expect: `takes_other_features` is for a task with load(), whose dataset owns the object
struct TakesFeaturesWithoutData : Good {
  static constexpr bool takes_other_features = true;
};
//   expect: `check_bindings` of an oracle must be a public method of the class: void check_bindings(const Bindings& bindings) const
struct CheckBindingsNotConst : GoodReader {
  static constexpr bool takes_other_losses = true;
  void check_bindings(const sculpt::Bindings&) {}
};
//   expect: `takes_other_losses` and `takes_other_features` are constants of a Task
struct OracleAlone {
  static constexpr sculpt::About about{"org.example.oracle", "1.0.0", "an oracle"};
  static constexpr bool takes_other_losses = true;
  void argmax(const sculpt::Query&, sculpt::Answer& answer) const { answer.exact(0); }
};

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Task<Good>, sculpt::Task<GoodReader>,
              sculpt::Task<NoArgmax>, sculpt::Task<NoTruth>, sculpt::Task<NoLoad>,
              sculpt::Task<LoadOfText>, sculpt::Task<MisfitInEachPart>,
              sculpt::Task<FormatWithoutData>, sculpt::Task<TakesLossesByMethod>,
              sculpt::Task<TakesFeaturesPrivately>, sculpt::Task<TakesFeaturesWithoutData>,
              sculpt::Task<CheckBindingsNotConst>, sculpt::Oracle<OracleAlone>)
