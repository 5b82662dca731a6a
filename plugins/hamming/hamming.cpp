// hamming.cpp - the number, or the share, of the positions with a wrong label.
//
//   Delta(truth, guess) = sum_v [truth_v != guess_v]      normalize: divided by their number
//
// Entries of the truth that are -1 (unobserved) do not count. The loss splits over the unary
// factors of any graph whose variables are the labels. It is linear in one count, the errors.
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/label_errors.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>

namespace {

class Hamming : public sculpt::LabelErrors {
 public:
  static constexpr sculpt::About about{"org.sculpt.hamming", "1.3.0",
                                       "the number of wrong labels, or their share"};
  static constexpr sculpt_parameter parameters[] = {sculpt::boolean(
      "normalize", "false",
      "divides by the number of labels, so an output with only wrong labels has loss 1")};
  static constexpr sculpt_count counts[] = {sculpt::counted("errors")};
  static constexpr const char* experiments[] = {R"({
    "name": "hamming_normalized",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 11\n2 0 1 b 1 01\n2 0 2 a 0 10\n3 0 0 b 1 01\n3 0 1 a 0 11\n4 0 0 c 0 11\n"}},
    "features": "chain", "loss": {"use": "hamming", "normalize": true}, "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 1}})"};

  explicit Hamming(const sculpt::Parameters& given) : normalize_(given.boolean("normalize")) {}

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    const Count count = compare(truth, guess);
    return normalize_ && count.observed > 0 ? count.wrong / count.observed : count.wrong;
  }

  // g(errors): the same sums as in loss(), so both are equal to the last bit.
  double loss_of_counts(std::int64_t, sculpt::Labels truth,
                        std::span<const std::int64_t> counts) const {
    const double observed = observed_labels(truth);
    const auto wrong = static_cast<double>(counts[0]);
    return normalize_ && observed > 0 ? wrong / observed : wrong;
  }
  double count_slopes(std::int64_t, sculpt::Labels truth, std::span<double> slope) const {
    const double observed = observed_labels(truth);
    slope[0] = normalize_ && observed > 0 ? 1 / observed : 1;
    return 0;
  }

  void add_factor_counts(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                         std::span<std::int32_t* const> tables) const {
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { tables[0][cell] += 1; });
  }

  // l_v(k) = cost for every state k but the truth, so the truth has cost 0 exactly.
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    const double observed = observed_labels(truth);
    const double cost = normalize_ && observed > 0 ? scale / observed : scale;
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell) { theta[cell] += cost; });
  }

 private:
  static double observed_labels(sculpt::Labels truth) {
    return static_cast<double>(truth.count() - std::count(truth.begin(), truth.end(), -1));
  }
  const bool normalize_;
};

}  // namespace

SCULPT_PLUGIN("hamming", "1.3.0", "Apache-2.0", sculpt::Loss<Hamming>)
