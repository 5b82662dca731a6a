// Features whose methods do not fit.
#include <sculpt/cpp/edge_kinds.hpp>
#include <sculpt/sculpt.hpp>

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "features"};
  std::int64_t dimension() const { return 1; }
  void features(std::int64_t, sculpt::Labels, sculpt::Sum& sum) const { sum.add(0, 1); }
};

// What is required.
//   expect: `dimension` of features is missing, a public method of the class: std::int64_t dimension() const
struct NoDimension {
  static constexpr sculpt::About about{"org.example.wrong", "1.0.0", "has no dimension"};
  void features(std::int64_t, sculpt::Labels, sculpt::Sum&) const {}
};
//   expect: `features` of features must be a public method, const or of the Session: void features(std::int64_t example, Labels y, Sum& sum)
struct FeaturesAsVector : Good {
  std::vector<double> features(std::int64_t, sculpt::Labels) const { return {}; }
};

// Shapes, names, columns, bounds, groups.
//   expect: `output_shape` of a dataset or features must be a public method of the class: OutputShape output_shape(std::int64_t example) const
struct OutputShapeWithoutExample : Good {
  sculpt::OutputShape output_shape() const { return sculpt::OutputShape::of_size(1); }
};
//   expect: `weight_column` of features must be a public method of the class: std::int64_t weight_column(std::int64_t weight) const
struct WeightColumnNotConst : Good {
  std::int64_t weight_column(std::int64_t) { return 0; }
};
//   expect: `row_blocks` of features must be a public method of the class: RowBlocks row_blocks() const
struct RowBlocksOfRows : Good {
  sculpt::RowBlocks row_blocks(std::int64_t) const { return {}; }
};
//   expect: `weight_name` of features must be a public method of the class: void weight_name(std::int64_t weight, ByteOutput& out) const
struct WeightNameAsString : Good {
  std::string weight_name(std::int64_t) const { return "one"; }
};
//   expect: `bounds_weights` of features must be a public method of the class: bool bounds_weights() const
struct BoundsWeightsConstant : Good {
  static constexpr bool bounds_weights = true;
  void weight_bounds(std::span<std::uint8_t>) const {}
};
//   expect: `weight_bounds` of features must be a public method of the class: void weight_bounds(std::span<std::uint8_t> nonnegative) const
struct WeightBoundsOfBool : Good {
  bool bounds_weights() const { return true; }
  void weight_bounds(std::span<bool>) const {}
};
//   expect: `bounds_weights` of features is missing
struct WeightBoundsAlone : Good {
  void weight_bounds(std::span<std::uint8_t>) const {}
};
//   expect: `weight_groups` of features must be a public method of the class: void weight_groups(std::span<std::int32_t> group) const
struct GroupsAsVector : Good {
  std::vector<std::int32_t> weight_groups() const { return {}; }
};

// Factor graphs. The methods may be in the class or in the Session.
struct GoodGraph : Good {
  std::uint32_t factor_classes() const { return 0; }
  const sculpt_factor_graph& factor_graph(std::int64_t) const { return graph; }
  void potentials(std::int64_t, sculpt::Weights, double*) const {}
  void pullback(std::int64_t, const double*, sculpt::Sum&) const {}
  sculpt_factor_graph graph{};
};
//   expect: `factor_classes` of features must be a public method of the class: std::uint32_t factor_classes() const
struct FactorClassesOfExample : GoodGraph {
  std::uint32_t factor_classes(std::int64_t) const { return 0; }
};
//   expect: `factor_graph` of features must be a public method, const or of the Session: const sculpt_factor_graph& factor_graph(std::int64_t example)
struct FactorGraphByValue : GoodGraph {
  sculpt_factor_graph factor_graph(std::int64_t) const { return {}; }
};
//   expect: `potentials` of features must be a public method, const or of the Session: void potentials(std::int64_t example, Weights w, double* theta)
struct PotentialsToSpan : GoodGraph {
  void potentials(std::int64_t, sculpt::Weights, std::span<double>) const {}
};
//   expect: `pullback` of features must be a public method, const or of the Session: void pullback(std::int64_t example, const double* mu, Sum& sum)
struct PullbackNotConst : GoodGraph {
  void pullback(std::int64_t, const double*, sculpt::Sum&) {}
};
// The one of the Session is used before that of the class.
//   expect: `pullback` of features must be
struct PullbackOfSession : GoodGraph {
  struct Session {
    explicit Session(const PullbackOfSession&) {}
    void pullback(std::int64_t, std::span<const double>, sculpt::Sum&) {}
  };
};
//   expect: `pullback` of features must be
struct PullbackPrivateInSession : GoodGraph {
  class Session {
   public:
    explicit Session(const PullbackPrivateInSession&) {}

   private:
    void pullback(std::int64_t, const double*, sculpt::Sum&) {}
  };
};
//   expect: `pullback` of features is missing, a public method, const or of the Session
struct NoPullback : Good {
  std::uint32_t factor_classes() const { return 0; }
  struct Session {
    explicit Session(const NoPullback&) {}
    const sculpt_factor_graph& factor_graph(std::int64_t) const { return graph; }
    void potentials(std::int64_t, sculpt::Weights, double*) const {}
    sculpt_factor_graph graph{};
  };
};
//   expect: `factor_classes` of features is missing
//   expect: `factor_graph` of features is missing
//   expect: `pullback` of features is missing
struct PotentialsAlone : Good {
  void potentials(std::int64_t, sculpt::Weights, double*) const {}
};

// Enumeration.
//   expect: `enumerate` of features or an oracle must be a public method, const or of the Session: std::int64_t enumerate(std::int64_t example, std::int64_t limit, const Visit& visit)
struct EnumerateWithoutLimit : Good {
  std::int64_t enumerate(std::int64_t, const sculpt::Visit&) const { return 0; }
};
//   expect: `enumerate` of features or an oracle must be
struct EnumerateWithoutNumber : Good {
  void enumerate(std::int64_t, std::int64_t, const sculpt::Visit&) const {}
};

// Scores.
struct GoodScores : Good {
  std::uint32_t score_rule() const { return SCULPT_SCORES_WHOLE; }
  std::int64_t score_rows(std::int64_t) const { return 1; }
  void write_scores(std::int64_t, sculpt::Weights, std::span<double>) const {}
};
//   expect: `score_rows` of features must be a public method of the class: std::int64_t score_rows(std::int64_t example) const
struct ScoreRowsOfAll : GoodScores {
  std::int64_t score_rows() const { return 1; }
};
//   expect: `write_scores` of features must be a public method of the class: void write_scores(std::int64_t example, Weights w, std::span<double> scores) const
struct WriteScoresToVector : GoodScores {
  void write_scores(std::int64_t, sculpt::Weights, std::vector<double>&) const {}
};
//   expect: `score_rule` of features must be a public method of the class: std::uint32_t score_rule() const
struct ScoreRuleAsString : GoodScores {
  std::string score_rule() const { return "whole"; }
};
//   expect: `score_rule` of features is missing, a public method of the class: std::uint32_t score_rule() const
struct ScoresWithoutRule : Good {
  std::int64_t score_rows(std::int64_t) const { return 1; }
  void write_scores(std::int64_t, sculpt::Weights, std::span<double>) const {}
};
//   expect: `score_rule` of features is missing
//   expect: `write_scores` of features is missing
struct ScoreRowsAlone : Good {
  std::int64_t score_rows(std::int64_t) const { return 1; }
};
//   expect: `score_columns` of features must be a public method of the class: std::int64_t score_columns() const
struct ScoreColumnsOfExample : GoodScores {
  std::int64_t score_columns(std::int64_t) const { return 2; }
  void score_name(std::int64_t, sculpt::ByteOutput&) const {}
};
//   expect: `score_name` of features must be a public method of the class: void score_name(std::int64_t column, ByteOutput& out) const
struct ScoreNameAsString : GoodScores {
  std::string score_name(std::int64_t) const { return ""; }
};
//   expect: `score_name` of features is missing
struct ScoreColumnsWithoutNames : GoodScores {
  std::int64_t score_columns() const { return 2; }
};
//   expect: `offers_scores` of features must be a public method of the class: bool offers_scores() const
struct OffersScoresNotConst : GoodScores {
  bool offers_scores() { return true; }
};

// Drafts are refused if they are listed without their methods.
struct GoodEdges {
  static constexpr sculpt::About about{"org.example.good_edges", "1.0.0", "a dataset"};
  using drafts = sculpt::Drafts<sculpt::EdgeKinds>;
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 0; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t) const { return {}; }
  std::int32_t edge_kind_count() const { return 1; }
  void edge_kind_name(std::int32_t, sculpt::ByteOutput&) const {}
  const std::int32_t* edge_kinds(std::int64_t) const { return nullptr; }
};
//   expect: `edge_kind_count` of a dataset must be a public method of the class: std::int32_t edge_kind_count() const
struct EdgeKindCountNotConst : GoodEdges {
  std::int32_t edge_kind_count() { return 1; }
};
//   expect: `edge_kind_name` of a dataset must be a public method of the class: void edge_kind_name(std::int32_t kind, ByteOutput& out) const
struct EdgeKindNameAsString : GoodEdges {
  std::string edge_kind_name(std::int32_t) const { return ""; }
};
//   expect: `edge_kinds` of a dataset must be a public method of the class: const std::int32_t* edge_kinds(std::int64_t example) const
struct EdgeKindsAsVector : GoodEdges {
  std::vector<std::int32_t> edge_kinds(std::int64_t) const { return {}; }
};

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Features<Good>, sculpt::Features<NoDimension>,
              sculpt::Features<FeaturesAsVector>, sculpt::Features<OutputShapeWithoutExample>,
              sculpt::Features<WeightColumnNotConst>, sculpt::Features<RowBlocksOfRows>,
              sculpt::Features<WeightNameAsString>, sculpt::Features<BoundsWeightsConstant>,
              sculpt::Features<WeightBoundsOfBool>, sculpt::Features<WeightBoundsAlone>,
              sculpt::Features<GroupsAsVector>, sculpt::Features<GoodGraph>,
              sculpt::Features<FactorClassesOfExample>, sculpt::Features<FactorGraphByValue>,
              sculpt::Features<PotentialsToSpan>, sculpt::Features<PullbackNotConst>,
              sculpt::Features<PullbackOfSession>, sculpt::Features<PullbackPrivateInSession>,
              sculpt::Features<NoPullback>, sculpt::Features<PotentialsAlone>,
              sculpt::Features<EnumerateWithoutLimit>, sculpt::Features<EnumerateWithoutNumber>,
              sculpt::Features<GoodScores>, sculpt::Features<ScoreRowsOfAll>,
              sculpt::Features<WriteScoresToVector>, sculpt::Features<ScoreRuleAsString>,
              sculpt::Features<ScoresWithoutRule>, sculpt::Features<ScoreRowsAlone>,
              sculpt::Features<ScoreColumnsOfExample>, sculpt::Features<ScoreNameAsString>,
              sculpt::Features<ScoreColumnsWithoutNames>, sculpt::Features<OffersScoresNotConst>,
              sculpt::Dataset<GoodEdges>, sculpt::Dataset<EdgeKindCountNotConst>,
              sculpt::Dataset<EdgeKindNameAsString>, sculpt::Dataset<EdgeKindsAsVector>)
