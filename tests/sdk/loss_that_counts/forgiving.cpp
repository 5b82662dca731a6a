// forgiving.cpp - a loss that ignores the first few wrong labels.
//
//   Delta(truth, guess) = g(errors) = max(0, errors - free),   errors = sum_v [truth_v != guess_v]
#include <algorithm>
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/sculpt.hpp>

class Forgiving {
 public:
  static constexpr sculpt::About about{"org.example.forgiving", "1.0.0",
                                       "wrong labels beyond a few"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("free", "1", 0, 1e6, "wrong labels that cost nothing")};
  // The count that oracles must know by name. g uses it without a limit.
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};

  explicit Forgiving(const sculpt::Parameters& values) : free_(values.integer("free")) {}

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    std::int64_t errors = 0;
    for (std::size_t v = 0; v < truth.size(); ++v) {
      errors += truth[v] >= 0 && truth[v] != guess[v] ? 1 : 0;
    }
    return cost(errors);
  }

  // g(counts), the loss of every output with these counts.
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    return cost(counts[0]);
  }

  // What each cell of a factor graph adds to each count, for map_solvers.
  void add_factor_counts(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                         std::span<std::int32_t* const> tables) const {
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { tables[0][cell] += 1; });
  }

 private:
  double cost(std::int64_t errors) const {
    return static_cast<double>(std::max<std::int64_t>(0, errors - free_));
  }

  std::int64_t free_;
};

SCULPT_PLUGIN("forgiving", "1.0.0", "MIT", sculpt::Loss<Forgiving>)
