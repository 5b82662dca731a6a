// multiclass.cpp - one label for each example: a block of weights for each class.
//
//   psi(x, y) = x (x) e_y,      <w, psi(x, y)> = <w_y, x>
//
// Crammer & Singer, "On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines",
// JMLR 2001; as a structural SVM: Tsochantaridis et al., JMLR 2005, section 4.1.
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Multiclass {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.multiclass", "1.0.0",
      "a block of weights for each class; one label for each example",
      "Crammer and Singer, JMLR 2001; Tsochantaridis et al., JMLR 2005, section 4.1"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("bias", "false", "adds a feature that is 1 in every example")};
  static constexpr const char* experiments[] = {R"({
    "name": "multiclass_three_points",
    "dataset": {"use": "svmlight", "train": {"text": "1 1:1 2:0.5\n2 2:1\n3 1:-1 3:2\n"}},
    "features": {"use": "multiclass", "bias": true}, "loss": "zero_one", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 10}})"};

  explicit Multiclass(const sculpt::Parameters& given) : bias_(given.boolean("bias")) {}

  void bind(const sculpt::Bindings& bindings) {
    input_ = sculpt::SiteInput(bindings.dataset);
    input_.require_one_label();
    weights_ = sculpt::SiteWeights(input_.feature_count(), input_.state_count(), bias_);
  }

  std::int64_t dimension() const { return weights_.size(); }
  sculpt::OutputShape output_shape(std::int64_t) const {
    return sculpt::OutputShape::of_size(1, input_.state_count()).complete().same_for_all();
  }

  // The groups of naive Bayes: the features of a class, and the classes (the bias).
  void weight_groups(std::span<std::int32_t> group) const {
    weights_.groups(group);
    const auto classes = static_cast<std::size_t>(bias_ ? input_.state_count() : 0);
    for (std::int32_t& of_bias : group.last(classes)) of_bias = input_.state_count();
  }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    input_.check_output(y, 1);
    weights_.add(input_.sites(example), 0, y[0], 1, sum);
  }

  // The scores of the classes.
  std::uint32_t score_rule() const { return SCULPT_SCORES_LARGEST; }
  std::int64_t score_columns() const { return input_.state_count(); }
  void score_name(std::int64_t column, sculpt::ByteOutput& out) const {
    input_.state_name(column, out);
  }
  std::int64_t score_rows(std::int64_t) const { return 1; }
  void write_scores(std::int64_t example, sculpt::Weights w, std::span<double> scores) const {
    weights_.scores(input_.sites(example), 0, w.data(), scores.data());
  }

  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    weights_.name(weight, input_, out);
  }
  std::int64_t weight_column(std::int64_t weight) const { return weights_.column(weight); }
  sculpt::RowBlocks row_blocks() const { return weights_.row_blocks(); }

  std::int64_t enumerate(std::int64_t, std::int64_t limit, const sculpt::Visit& visit) const {
    if (input_.state_count() > limit) return limit + 1;
    for (std::int32_t state = 0; state < input_.state_count(); ++state) {
      visit(sculpt::Labels(&state, 1));
    }
    return input_.state_count();
  }

  std::uint32_t factor_classes() const {
    return sculpt::single_variable_classes(input_.state_count());
  }

  // One variable whose table is the scores of the classes: the same graph for every example.
  struct Session {
    explicit Session(const Multiclass& owner) : owner_(owner) {
      builder_.clear();
      builder_.add_variable(owner.input_.state_count());
    }
    const sculpt_factor_graph& factor_graph(std::int64_t) {
      return builder_.graph(owner_.factor_classes(), 1);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) const {
      owner_.weights_.scores(owner_.input_.sites(example), 0, w.data(), theta);
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
      owner_.weights_.pull_back(owner_.input_.sites(example), 0, mu, sum);
    }

   private:
    const Multiclass& owner_;
    sculpt::FactorGraphBuilder builder_;
  };

 private:
  const bool bias_;
  sculpt::SiteInput input_;
  sculpt::SiteWeights weights_;
};

}  // namespace

SCULPT_PLUGIN("multiclass", "1.0.0", "Apache-2.0", sculpt::Features<Multiclass>)
