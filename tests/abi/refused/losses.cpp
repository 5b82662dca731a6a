// Losses whose methods do not fit.
#include <sculpt/sculpt.hpp>

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "a loss"};
  double loss(sculpt::Labels, sculpt::Labels) const { return 0; }
};

// What is required.
//   expect: `loss` of a loss must be a public method, const or of the Session: double loss(Labels truth, Labels guess), or with std::int64_t example before them
struct LossOfVectors : Good {
  double loss(const std::vector<std::int32_t>&, const std::vector<std::int32_t>&) const {
    return 0;
  }
};
//   expect: `loss` of a loss must be
struct LossNotConst : Good {
  double loss(std::int64_t, sculpt::Labels, sculpt::Labels) { return 0; }
};

// Factor losses.
//   expect: `add_factor_loss` of a loss must be a public method, const or of the Session: void add_factor_loss(std::int64_t example, const sculpt_factor_graph& graph, Labels truth, double scale, double* theta, double& constant)
struct FactorLossToSpan : Good {
  void add_factor_loss(std::int64_t, const sculpt_factor_graph&, sculpt::Labels, double,
                       std::span<double>, double&) const {}
};
// A copy of the constant would be lost.
//   expect: `add_factor_loss` of a loss must be
struct FactorLossToCopy : Good {
  void add_factor_loss(std::int64_t, const sculpt_factor_graph&, sculpt::Labels, double, double*,
                       double) const {}
};
//   expect: `factor_demands` of a loss must be a public method of the class: std::uint32_t factor_demands() const
struct FactorDemandsInSession : Good {
  struct Session {
    explicit Session(const FactorDemandsInSession&) {}
    std::uint32_t factor_demands() { return 0; }
    void add_factor_loss(std::int64_t, const sculpt_factor_graph&, sculpt::Labels, double, double*,
                         double&) {}
  };
};
//   expect: `add_factor_loss` of a loss is missing
struct FactorDemandsAlone : Good {
  std::uint32_t factor_demands() const { return 0; }
};

// Counts.
struct GoodCounts : Good {
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t>) const {
    return 0;
  }
};
//   expect: `loss_of_counts` of a loss must be a public method, const or of the Session: double loss_of_counts(std::int64_t example, Labels truth, std::span<const std::int64_t> counts)
struct LossOfCountsWithoutExample : GoodCounts {
  double loss_of_counts(sculpt::Labels, std::span<const std::int64_t>) const { return 0; }
};
//   expect: `loss_of_counts` of a loss is missing
struct CountsAlone : Good {
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
};
//   expect: `counts` of a loss is missing, a public list: static constexpr sculpt_count counts[] = {...}, or a method that returns std::span<const sculpt_count> of the memory of the object
struct LossOfCountsAlone : Good {
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t>) const {
    return 0;
  }
};
//   expect: `counts` of a loss must be a public list: static constexpr sculpt_count counts[] = {...}, or a method that returns
struct CountsOfNames : GoodCounts {
  static constexpr const char* counts[] = {"errors"};
};
//   expect: `counts` of a loss must be a public list
struct CountsOfObject : GoodCounts {
  sculpt_count counts[1] = {sculpt::counted("errors")};
};
// A view of a vector that is gone.
//   expect: `counts` of a loss must be a public list
struct CountsOfTemporary : GoodCounts {
  std::vector<sculpt_count> counts() const { return {sculpt::counted("errors")}; }
};
//   expect: `counts` of a loss must be a public list
struct CountsNotConst : GoodCounts {
  std::span<const sculpt_count> counts() { return {}; }
};
//   expect: `counts` of a loss are one or two
struct ThreeCounts : GoodCounts {
  static constexpr sculpt_count counts[] = {sculpt::counted("a"), sculpt::counted("b"),
                                            sculpt::counted("c")};
};
//   expect: `count_slopes` of a loss must be a public method, const or of the Session: double count_slopes(std::int64_t example, Labels truth, std::span<double> slope)
struct SlopesToPointer : GoodCounts {
  double count_slopes(std::int64_t, sculpt::Labels, double*) const { return 0; }
};
//   expect: `counts` of a loss is missing
//   expect: `loss_of_counts` of a loss is missing
struct SlopesAlone : Good {
  double count_slopes(std::int64_t, sculpt::Labels, std::span<double>) const { return 0; }
};
//   expect: `add_factor_counts` of a loss must be a public method, const or of the Session: void add_factor_counts(std::int64_t example, const sculpt_factor_graph& graph, Labels truth, std::span<std::int32_t* const> tables)
struct FactorCountsToOneTable : GoodCounts {
  void add_factor_counts(std::int64_t, const sculpt_factor_graph&, sculpt::Labels,
                         std::span<std::int32_t>) const {}
};
//   expect: `counts` of a loss is missing
//   expect: `loss_of_counts` of a loss is missing
struct FactorCountsAlone : Good {
  void add_factor_counts(std::int64_t, const sculpt_factor_graph&, sculpt::Labels,
                         std::span<std::int32_t* const>) const {}
};
//   expect: `count_demands` of a loss must be a public method of the class: std::uint32_t count_demands() const
struct CountDemandsConstant : GoodCounts {
  static constexpr std::uint32_t count_demands = 0;
  void add_factor_counts(std::int64_t, const sculpt_factor_graph&, sculpt::Labels,
                         std::span<std::int32_t* const>) const {}
};

// Metrics.
struct GoodMetrics : Good {
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("error", "share")};
  static constexpr std::int64_t sum_count = 1;
  void add_metrics(std::int64_t, sculpt::Labels, sculpt::Labels, std::span<double>) const {}
  void finish_metrics(std::span<const double>, std::span<double>) const {}
};
//   expect: `metrics` of a dataset or loss must be a public list: static constexpr sculpt_metric metrics[] = {...}, or a method that returns
struct MetricsOfNames : GoodMetrics {
  static constexpr const char* metrics[] = {"error"};
};
//   expect: `metrics` of a dataset or loss must be a public list
struct MetricsPrivate : GoodMetrics {
 private:
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("error", "share")};
};
sculpt_metric some_metric();
//   expect: `metrics` of a dataset or loss must be a public list
struct MetricsNotConstexpr : GoodMetrics {
  static inline const sculpt_metric metrics[] = {some_metric()};
};
//   expect: `metrics` of a dataset or loss is missing, a public list
struct NoMetrics : Good {
  static constexpr std::int64_t sum_count = 1;
  void add_metrics(std::int64_t, sculpt::Labels, sculpt::Labels, std::span<double>) const {}
  void finish_metrics(std::span<const double>, std::span<double>) const {}
};
//   expect: `sum_count` of a dataset or loss is missing, public: static constexpr std::int64_t sum_count = ..., or std::int64_t sum_count() const
struct NoSumCount : Good {
  static constexpr sculpt_metric metrics[] = {sculpt::lower_is_better("error", "share")};
  void add_metrics(std::int64_t, sculpt::Labels, sculpt::Labels, std::span<double>) const {}
  void finish_metrics(std::span<const double>, std::span<double>) const {}
};
//   expect: `sum_count` of a dataset or loss must be public: static constexpr std::int64_t sum_count = ..., or std::int64_t sum_count() const
struct SumCountOfObject : GoodMetrics {
  std::int64_t sum_count = 1;
};
//   expect: `add_metrics` of a dataset or loss must be a public method, const or of the Session: void add_metrics(std::int64_t example, Labels truth, Labels guess, std::span<double> sums)
struct AddMetricsWithoutExample : GoodMetrics {
  void add_metrics(sculpt::Labels, sculpt::Labels, std::span<double>) const {}
};
//   expect: `finish_metrics` of a dataset or loss must be a public method of the class: void finish_metrics(std::span<const double> sums, std::span<double> values) const
struct FinishMetricsOfMutableSums : GoodMetrics {
  void finish_metrics(std::span<double>, std::span<double>) const {}
};

SCULPT_PLUGIN(
    "wrong", "1.0.0", "MIT", sculpt::Loss<Good>, sculpt::Loss<LossOfVectors>,
    sculpt::Loss<LossNotConst>, sculpt::Loss<FactorLossToSpan>, sculpt::Loss<FactorLossToCopy>,
    sculpt::Loss<FactorDemandsInSession>, sculpt::Loss<FactorDemandsAlone>,
    sculpt::Loss<GoodCounts>, sculpt::Loss<LossOfCountsWithoutExample>, sculpt::Loss<CountsAlone>,
    sculpt::Loss<LossOfCountsAlone>, sculpt::Loss<CountsOfNames>, sculpt::Loss<CountsOfObject>,
    sculpt::Loss<CountsOfTemporary>, sculpt::Loss<CountsNotConst>, sculpt::Loss<ThreeCounts>,
    sculpt::Loss<SlopesToPointer>, sculpt::Loss<SlopesAlone>, sculpt::Loss<FactorCountsToOneTable>,
    sculpt::Loss<FactorCountsAlone>, sculpt::Loss<CountDemandsConstant>, sculpt::Loss<GoodMetrics>,
    sculpt::Loss<MetricsOfNames>, sculpt::Loss<MetricsPrivate>, sculpt::Loss<MetricsNotConstexpr>,
    sculpt::Loss<NoMetrics>, sculpt::Loss<NoSumCount>, sculpt::Loss<SumCountOfObject>,
    sculpt::Loss<AddMetricsWithoutExample>, sculpt::Loss<FinishMetricsOfMutableSums>)
