// my_loss.cpp - a weighted Hamming loss.
//
//   Delta(truth, guess) = g(errors) = cost * errors,   errors = sum over t of [truth_t != guess_t]
//
// It is a function of the count `errors`, so oracles with a frontier take it. It is also a sum over
// the cells of a factor graph, so map_solvers take it. README.md says more.
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/sculpt.hpp>
#include <string>

class MyLoss {
 public:
  static constexpr sculpt::About about{"org.example.my_loss", "1.0.0",
                                       "the number of wrong labels, times a cost"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("cost", "1", 1e-6, 1e6, "loss of a wrong label")};
  // The counts that oracles must know by their names, at most two. Use "matched" and "predicted"
  // for parts of outputs.
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
  // `sculpt check` tests the library with these: both ends of `cost`, and slack rescaling, which
  // asks for counts. The examples are words of three sizes, two of them with equal inputs, and one
  // without a truth. No word of letters is empty.
  static constexpr const char* experiments[] = {
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": {"use": "my_loss", "cost": 2.5},
        "oracle": "viterbi", "solver": {"use": "n_slack", "C": 1, "rescaling": "slack"}})",
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": {"use": "my_loss", "cost": 1e-6},
        "oracle": "viterbi", "solver": {"use": "n_slack", "C": 1}})",
      R"({
        "dataset": {"use": "letters", "train": {"text":
          "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 10\n2 0 1 a 0 01\n3 0 0 c 1 00\n)"
      R"(3 0 1 a 1 11\n3 0 2 c 0 11\n4 0 0 b 0 10\n5 0 0 ? 1 10\n5 0 1 ? 0 01\n"}},
        "features": "chain", "loss": {"use": "my_loss", "cost": 1e6},
        "oracle": "enumerate", "solver": {"use": "n_slack", "C": 1}})"};

  explicit MyLoss(const sculpt::Parameters& values) : cost_(values.real("cost")) {}

  // A label -1 of the truth is unobserved and does not count.
  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    if (truth.size() != guess.size()) {
      throw sculpt::Error(SCULPT_E_INVALID, "compares outputs of equal size, but the truth has " +
                                                std::to_string(truth.count()) +
                                                " labels and the guess " +
                                                std::to_string(guess.count()) +
                                                "; use features with one label a site");
    }
    std::int64_t errors = 0;
    for (std::size_t t = 0; t < truth.size(); ++t) {
      errors += truth[t] >= 0 && truth[t] != guess[t] ? 1 : 0;
    }
    return cost_of(errors);
  }

  // g(counts), the loss of every output with these counts. loss() must give the same number, to the
  // last bit.
  double loss_of_counts(std::int64_t, sculpt::Labels, std::span<const std::int64_t> counts) const {
    return cost_of(counts[0]);
  }
  // The slope of g, and what it returns at 0. Leave it out if g is not linear.
  double count_slopes(std::int64_t, sculpt::Labels, std::span<double> slope) const {
    slope[0] = cost_;
    return 0;
  }
  // What each cell of a factor graph adds to each count. For map_solvers with a frontier.
  void add_factor_counts(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                         std::span<std::int32_t* const> tables) const {
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { tables[0][cell] += 1; });
  }
  // scale * Delta as a sum over cells. For all map_solvers. Leave it out if Delta is no such sum.
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double& constant) const {
    constant += 0;  // what all outputs cost
    sculpt::each_wrong_label(graph, truth,
                             [&](std::int64_t cell) { theta[cell] += scale * cost_; });
  }

  // --- Optional methods --------------------------------------------------------------------------
  // To write one, move it out of this block. methods.hpp of the SDK lists all signatures.
#if 0
  void bind(const sculpt::Bindings& bindings);  // keeps the references, refuses what cannot work
  void seal();                                  // ends the setup
  // The classes of graphs that the two methods above need, SCULPT_GRAPH_BINARY and the like.
  std::uint32_t count_demands() const;
  std::uint32_t factor_demands() const;
  // Metrics, made of sums over the examples. A guess that is not known() is entirely wrong.
  static constexpr sculpt_metric metrics[] = {
      sculpt::higher_is_better("accuracy", "share of the labels that are right")};
  static constexpr std::int64_t sum_count = 2;
  void add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                   std::span<double> sums) const;
  void finish_metrics(std::span<const double> sums, std::span<double> values) const;
  // What was learned from data, for the model.
  void save(sculpt::StateWriter& out) const;
  void restore(sculpt::StateReader& in);
  // Tables that the SDK does not know by methods: own_extensions.hpp.
  static constexpr const char* extensions[] = {"org.example.my_loss/1"};
  const void* extension(const char* id) const;
#endif

 private:
  double cost_of(std::int64_t errors) const {
    return cost_ * static_cast<double>(errors);
  }

  double cost_;
};

SCULPT_PLUGIN("my_loss", "1.0.0", "MIT", sculpt::Loss<MyLoss>)
