// Component classes whose description, lists, constructors or Session do not fit, and classes with
// methods of another kind.
#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/sculpt.hpp>

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "a loss"};
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};

// Descriptions.
//   expect: a component class needs a public static constexpr sculpt::About about{...}
struct NoAbout {
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};
//   expect: a component class needs a public static constexpr sculpt::About about{...}
class AboutPrivate : public Good {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "is private"};
};
//   expect: a component class needs a public static constexpr sculpt::About about{...}
struct AboutAsText : Good {
  static constexpr const char* about = "org.example.wrong";
};

// Lists.
//   expect: `parameters` of a component must be a public list: static constexpr sculpt_parameter parameters[] = {...}
struct ParametersPrivate : Good {
  ParametersPrivate() = default;
  explicit ParametersPrivate(const sculpt::Parameters&) {}

 private:
  static constexpr sculpt_parameter parameters[] = {sculpt::boolean("on", "true", "switches")};
};
//   expect: `parameters` of a component must be a public list
struct ParametersAsMethod : Good {
  std::span<const sculpt_parameter> parameters() const { return {}; }
};
//   expect: `experiments` of a component must be a public list: static constexpr const char* experiments[] = {...}
struct ExperimentsOfViews : Good {
  static constexpr std::string_view experiments[] = {"{}"};
};
//   expect: `extensions` of a component must be a public list: static constexpr const char* extensions[] = {...}
struct ExtensionsAsMethod : Good {
  std::span<const char* const> extensions() const { return {}; }
  const void* extension(const char*) const { return nullptr; }
};
//   expect: `extensions` of a component lists an id that its methods or `drafts` offer already
struct ExtensionsOfMethods : Good {
  static constexpr const char* extensions[] = {SCULPT_EXT_STATE};
  const void* extension(const char*) const { return nullptr; }
  void save(sculpt::StateWriter&) const {}
  void restore(sculpt::StateReader&) {}
};
//   expect: `extensions` of a component lists an id that its methods or `drafts` offer already
struct ExtensionsOfDraft : Good {
  static constexpr const char* extensions[] = {"sculpt.state/draft-1"};
  const void* extension(const char*) const { return nullptr; }
  void save(sculpt::StateWriter&) const {}
  void restore(sculpt::StateReader&) {}
};
// Lists may be arrays of both types, and empty.
struct GoodLists : Good {
  static constexpr std::array<sculpt_parameter, 1> parameters{sculpt::boolean("on", "true", "on")};
  static constexpr std::array<const char*, 0> experiments{};
  static constexpr std::array<const char*, 1> extensions{"org.example.private/1"};
  explicit GoodLists(const sculpt::Parameters&) {}
  const void* extension(const char*) const { return nullptr; }
};
//   expect: `drafts` of a component must be a public type: using drafts = sculpt::Drafts<
struct DraftsOfAnotherType : Good {
  using drafts = sculpt::EdgeKinds;
};
//   expect: `drafts` of a component must be a public type
class DraftsPrivate : public Good {
  using drafts = sculpt::Drafts<>;
};

// Constructors.
//   expect: a component class needs a public constructor of exactly this form: T(const Parameters&, Host), T(const Parameters&), T(Host) or T()
struct FromReference : Good {
  FromReference() = default;
  explicit FromReference(sculpt::Parameters&) {}
};
//   expect: a component class needs a public constructor of exactly this form
struct FromHostFirst : Good {
  FromHostFirst() = default;
  FromHostFirst(sculpt::Host, const sculpt::Parameters&) {}
};
//   expect: a component class needs a public constructor of exactly this form
struct FromHostReference : Good {
  explicit FromHostReference(const sculpt::Parameters&) {}
  FromHostReference(const sculpt::Parameters&, sculpt::Host&) {}
};
//   expect: a component class needs a public constructor of exactly this form
struct FromHostReferenceAlone : Good {
  FromHostReferenceAlone() = default;
  explicit FromHostReferenceAlone(sculpt::Host&) {}
};
//   expect: a component class needs a public constructor of exactly this form
struct FromNumber : Good {
  explicit FromNumber(double) {}
};
//   expect: a component class needs a public constructor of exactly this form
class FromNothingPrivately : public Good {
  FromNothingPrivately() = default;
};
//   expect: a component class with `parameters` needs a public constructor T(const Parameters&) or T(const Parameters&, Host)
struct ParametersUnread : Good {
  static constexpr sculpt_parameter parameters[] = {sculpt::boolean("on", "true", "switches")};
  explicit ParametersUnread(double scale = 1) : scale_(scale) {}
  double scale_;
};

// Sessions.
//   expect: `Session` must be a public class with a constructor Session(const T&), where T is the class of the component
class SessionPrivate : public Good {
  struct Session {
    explicit Session(const SessionPrivate&) {}
    double loss(sculpt::Labels, sculpt::Labels) { return 1; }
  };
};
//   expect: a Session needs a public constructor Session(const T&) or Session(const T&, const Bindings&), where T is the class of the component
struct SessionOfReference : Good {
  struct Session {
    explicit Session(SessionOfReference&) {}
  };
};
//   expect: a Session needs a public constructor
struct SessionOfNothing : Good {
  struct Session {};
};
//   expect: a Session needs a public constructor
struct SessionOfBindingsReference : Good {
  struct Session {
    explicit Session(const SessionOfBindingsReference&) {}
    Session(const SessionOfBindingsReference&, sculpt::Bindings&) {}
  };
};
struct GoodSession : Good {
  struct Session {
    Session(const GoodSession&, const sculpt::Bindings& to) : loss_(to.loss) {}
    double loss(sculpt::Labels, sculpt::Labels) { return 1; }
    sculpt::LossSession loss_;
  };
};

// Methods that only another kind uses.
//   expect: `potentials` is a method of features, but SCULPT_PLUGIN lists this class as no such component
struct LossWithPotentials : Good {
  void potentials(std::int64_t, sculpt::Weights, double*) const {}
};
//   expect: `weight_name` is a method of features, but
struct LossWithWeightNames : Good {
  void weight_name(std::int64_t, sculpt::ByteOutput&) const {}
};
//   expect: `format` is a method of a dataset, but
struct LossWithFormat : Good {
  void format(std::int64_t, sculpt::Labels, sculpt::ByteOutput&) const {}
};
//   expect: `output_shape` is a method of a dataset or features, but
struct LossWithOutputShape : Good {
  sculpt::OutputShape output_shape(std::int64_t) const { return sculpt::OutputShape::free(); }
};
//   expect: `example_weight` is a method of a dataset, but
struct LossWithExampleWeights : Good {
  double example_weight(std::int64_t) const { return 1; }
};
//   expect: `weight_column` is a method of features, but
struct LossWithWeightColumns : Good {
  std::int64_t weight_column(std::int64_t) const { return 0; }
};
//   expect: `row_blocks` is a method of features, but
struct LossWithRowBlocks : Good {
  sculpt::RowBlocks row_blocks() const { return {}; }
};
//   expect: `complete` is a method of an oracle, but
struct LossWithCompletion : Good {
  void complete(const sculpt::Query&, sculpt::Answer&) const {}
};
//   expect: `begin_frontier` is a method of an oracle or map_solver, but
struct LossWithFrontier : Good {
  struct Session {
    explicit Session(const LossWithFrontier&) {}
    void begin_frontier(const sculpt::FrontierQuery&, sculpt::FrontierShape&) {}
  };
};
//   expect: a draft in `drafts` is for components of another kind
struct LossWithEdgeKinds : Good {
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
};
// Other members with these names are no extensions of a loss.
struct LossWithOtherNames : Good {
  std::string weight_name() const { return ""; }
  std::int64_t feature_count() const { return 0; }
  std::string place(std::int64_t) const { return ""; }
  int cut = 0;
};
// A class may be listed as several kinds.
struct LossAndFeatures : LossWithWeightNames {
  static constexpr sculpt::About about{"org.example.both", "1.0.0", "features and loss"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
};

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Loss<Good>, sculpt::Loss<NoAbout>,
              sculpt::Loss<AboutPrivate>, sculpt::Loss<AboutAsText>,
              sculpt::Loss<ParametersPrivate>, sculpt::Loss<ParametersAsMethod>,
              sculpt::Loss<ExperimentsOfViews>, sculpt::Loss<ExtensionsAsMethod>,
              sculpt::Loss<ExtensionsOfMethods>, sculpt::Loss<ExtensionsOfDraft>,
              sculpt::Loss<GoodLists>, sculpt::Loss<DraftsOfAnotherType>,
              sculpt::Loss<DraftsPrivate>, sculpt::Loss<FromReference>, sculpt::Loss<FromHostFirst>,
              sculpt::Loss<FromHostReference>, sculpt::Loss<FromHostReferenceAlone>,
              sculpt::Loss<FromNumber>, sculpt::Loss<FromNothingPrivately>,
              sculpt::Loss<ParametersUnread>, sculpt::Loss<SessionPrivate>,
              sculpt::Loss<SessionOfReference>, sculpt::Loss<SessionOfNothing>,
              sculpt::Loss<SessionOfBindingsReference>, sculpt::Loss<GoodSession>,
              sculpt::Loss<LossWithPotentials>, sculpt::Loss<LossWithWeightNames>,
              sculpt::Loss<LossWithFormat>, sculpt::Loss<LossWithOutputShape>,
              sculpt::Loss<LossWithExampleWeights>, sculpt::Loss<LossWithWeightColumns>,
              sculpt::Loss<LossWithRowBlocks>, sculpt::Loss<LossWithCompletion>,
              sculpt::Loss<LossWithFrontier>, sculpt::Loss<LossWithEdgeKinds>,
              sculpt::Loss<LossWithOtherNames>, sculpt::Loss<LossAndFeatures>,
              sculpt::Features<LossAndFeatures>)
