// Datasets whose methods do not fit.
#include <sculpt/sculpt.hpp>

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "a dataset"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};

// What is required.
//   expect: `load` of a dataset must be a public method of the class: void load(std::string_view split, const Source& source)
struct LoadFromText : Good {
  void load(std::string_view, const std::string&) {}
};
//   expect: `count` of a dataset must be a public method of the class: std::int64_t count() const
struct CountNotConst : Good {
  std::int64_t count() { return 0; }
};
//   expect: `split` of a dataset is missing, a public method of the class: Range split(std::string_view name) const
struct NoSplit {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has no splits"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
};
// A view of a vector that is gone.
//   expect: `truth` of a dataset must be a public method of the class: Labels truth(std::int64_t example) const
struct TruthOfTemporary : Good {
  std::vector<std::int32_t> truth(std::int64_t) const { return {}; }
};

// Label text.
//   expect: `format` of a dataset must be a public method of the class: void format(std::int64_t example, Labels y, ByteOutput& out) const
struct FormatNotConst : Good {
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) {}
};
//   expect: `format` of a dataset must be
struct FormatAsString : Good {
  std::string format(std::int64_t, sculpt::Labels) const { return ""; }
};
//   expect: `format` of a dataset must be
struct FormatWithStatus : Good {
  int format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) const { return 0; }
};
//   expect: `format` of a dataset must be
struct FormatOverloaded : Good {
  void format(std::int64_t, sculpt::Labels) const {}
  void format(sculpt::Labels, sculpt::ByteOutput&) const {}
};
//   expect: `format` of a dataset must be
struct FormatTemplate : Good {
  template <class Out>
  void format(sculpt::Labels, Out&) const {}
};
//   expect: `format` of a dataset must be
struct FormatPrivate : Good {
 private:
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) const {}
};
//   expect: `format` of a dataset must be
struct FormatStatic : Good {
  static void format(sculpt::Labels, sculpt::ByteOutput&) {}
};
//   expect: `format` of a dataset must be
struct FormatInSession : Good {
  struct Session {
    explicit Session(const FormatInSession&) {}
    void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) {}
  };
};
template <class Derived>
struct FormatOfBase : Good {
  void format(sculpt::Labels, sculpt::ByteOutput&) const {}
};
//   expect: `format` of a dataset must be
struct FormatInherited : FormatOfBase<FormatInherited> {};
//   expect: `format` of a dataset must be
struct FormatFinal final : Good {
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) {}
};
//   expect: `format` of a dataset must be
struct FormatFinalOverloaded final : Good {
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) {}
  void format(sculpt::Labels) const {}
};
//   expect: `parse` of a dataset must be a public method of the class: void parse(std::int64_t example, std::string_view text, LabelOutput& out) const
struct ParseWithoutExample : Good {
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) const {}
  void parse(std::string_view, sculpt::LabelOutput&) const {}
};
//   expect: `format` of a dataset is missing, a public method of the class: void format(
struct ParseAlone : Good {
  void parse(std::int64_t, std::string_view, sculpt::LabelOutput&) const {}
};

// Places, weights, shapes and scaling.
//   expect: `place` of a dataset must be a public method of the class: std::string place(std::int64_t example) const
struct PlaceToOutput : Good {
  void place(std::int64_t, sculpt::ByteOutput&) const {}
};
//   expect: `example_weight` of a dataset must be a public method of the class: double example_weight(std::int64_t example) const
struct ExampleWeightNotConst : Good {
  double example_weight(std::int64_t) { return 1; }
};
//   expect: `output_shape` of a dataset or features must be a public method of the class: OutputShape output_shape(std::int64_t example) const
struct OutputShapeOfDatasetToArgument : Good {
  void output_shape(std::int64_t, sculpt::OutputShape&) const {}
};
//   expect: `scaled_rows` of a dataset must be a public method of the class: SiteStore& scaled_rows()
struct ScaledRowsOfText : Good {
  std::string& scaled_rows() { return text; }
  std::string text;
};

// Sites.
struct GoodSites : Good {
  std::int64_t feature_count() const { return 0; }
  std::int32_t state_count() const { return 0; }
  sculpt_sites sites(std::int64_t) const { return {}; }
};
//   expect: `sites` of a dataset must be a public method of the class: sculpt_sites sites(std::int64_t example) const
struct SitesToArgument : GoodSites {
  void sites(std::int64_t, sculpt_sites&) const {}
};
//   expect: `feature_count` of a dataset must be a public method of the class: std::int64_t feature_count() const
struct FeatureCountOfExample : GoodSites {
  std::int64_t feature_count(std::int64_t) const { return 0; }
};
//   expect: `state_count` of a dataset is missing, a public method of the class: std::int32_t state_count() const
struct SitesWithoutStates : Good {
  std::int64_t feature_count() const { return 0; }
  sculpt_sites sites(std::int64_t) const { return {}; }
};
//   expect: `state_count` of a dataset must be a public method of the class: std::int32_t state_count() const
struct StateCountAsMember : GoodSites {
  std::int32_t state_count = 2;
};
//   expect: `variable_count` of a dataset must be a public method of the class: std::int64_t variable_count() const
struct VariableCountNotConst : GoodSites {
  std::int64_t variable_count() { return 0; }
};
//   expect: `state_name` of a dataset must be a public method of the class: void state_name(std::int32_t state, ByteOutput& out) const
struct StateNameAsString : GoodSites {
  std::string state_name(std::int32_t) const { return ""; }
};
//   expect: `feature_name` of a dataset must be a public method of the class: void feature_name(std::int64_t feature, ByteOutput& out) const
struct FeatureNameAsString : GoodSites {
  std::string feature_name(std::int64_t) const { return ""; }
};

// Items.
//   expect: `items` of a dataset must be a public method of the class: void items(std::int64_t example, Labels y, std::vector<std::int64_t>& items) const
struct ItemsCopied : Good {
  void items(std::int64_t, sculpt::Labels, std::vector<std::int64_t>) const {}
};
//   expect: `items` of a dataset is missing
struct ItemOfLabelAlone : Good {
  std::int64_t item_of_label(std::int64_t, std::int64_t, std::int32_t) const { return 0; }
};
//   expect: `item_of_label` of a dataset must be a public method of the class: std::int64_t item_of_label(std::int64_t example, std::int64_t variable, std::int32_t state) const
struct ItemOfState : Good {
  void items(std::int64_t, sculpt::Labels, std::vector<std::int64_t>&) const {}
  std::int64_t item_of_label(std::int64_t, std::int32_t) const { return 0; }
};

// Every kind.
//   expect: `bind` of a component must be a public method of the class: void bind(const Bindings& bindings)
struct BindToReference : Good {
  void bind(sculpt::Bindings&) {}
};
//   expect: `bind` of a component must be
struct BindWithResult : Good {
  bool bind(const sculpt::Bindings&) { return false; }
};
//   expect: `seal` of a component must be a public method of the class: void seal()
struct SealPrivate : Good {
 private:
  void seal() {}
};
//   expect: `save` of a component must be a public method of the class: void save(StateWriter& out) const
struct SaveNotConst : Good {
  void save(sculpt::StateWriter&) {}
  void restore(sculpt::StateReader&) {}
};
//   expect: `restore` of a component must be a public method of the class: void restore(StateReader& in)
struct RestoreConst : Good {
  void save(sculpt::StateWriter&) const {}
  void restore(const sculpt::StateReader&, int) {}
};
//   expect: `restore` of a component is missing
struct SaveAlone : Good {
  void save(sculpt::StateWriter&) const {}
};
//   expect: `extension` of a component must be a public method of the class: const void* extension(const char* id) const
struct ExtensionNotConst : Good {
  static constexpr const char* extensions[] = {"org.example.private/1"};
  const void* extension(const char*) { return nullptr; }
};
//   expect: `extension` of a component is missing
struct ExtensionsAlone : Good {
  static constexpr const char* extensions[] = {"org.example.private/1"};
};
//   expect: `extensions` of a component is missing, a public list: static constexpr const char* extensions[]
struct ExtensionAlone : Good {
  const void* extension(const char*) const { return nullptr; }
};

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Dataset<Good>, sculpt::Dataset<LoadFromText>,
              sculpt::Dataset<CountNotConst>, sculpt::Dataset<NoSplit>,
              sculpt::Dataset<TruthOfTemporary>, sculpt::Dataset<FormatNotConst>,
              sculpt::Dataset<FormatAsString>, sculpt::Dataset<FormatWithStatus>,
              sculpt::Dataset<FormatOverloaded>, sculpt::Dataset<FormatTemplate>,
              sculpt::Dataset<FormatPrivate>, sculpt::Dataset<FormatStatic>,
              sculpt::Dataset<FormatInSession>, sculpt::Dataset<FormatInherited>,
              sculpt::Dataset<FormatFinal>, sculpt::Dataset<FormatFinalOverloaded>,
              sculpt::Dataset<ParseWithoutExample>, sculpt::Dataset<ParseAlone>,
              sculpt::Dataset<PlaceToOutput>, sculpt::Dataset<ExampleWeightNotConst>,
              sculpt::Dataset<OutputShapeOfDatasetToArgument>, sculpt::Dataset<ScaledRowsOfText>,
              sculpt::Dataset<GoodSites>, sculpt::Dataset<SitesToArgument>,
              sculpt::Dataset<FeatureCountOfExample>, sculpt::Dataset<SitesWithoutStates>,
              sculpt::Dataset<StateCountAsMember>, sculpt::Dataset<VariableCountNotConst>,
              sculpt::Dataset<StateNameAsString>, sculpt::Dataset<FeatureNameAsString>,
              sculpt::Dataset<ItemsCopied>, sculpt::Dataset<ItemOfLabelAlone>,
              sculpt::Dataset<ItemOfState>, sculpt::Dataset<BindToReference>,
              sculpt::Dataset<BindWithResult>, sculpt::Dataset<SealPrivate>,
              sculpt::Dataset<SaveNotConst>, sculpt::Dataset<RestoreConst>,
              sculpt::Dataset<SaveAlone>, sculpt::Dataset<ExtensionNotConst>,
              sculpt::Dataset<ExtensionsAlone>, sculpt::Dataset<ExtensionAlone>)
