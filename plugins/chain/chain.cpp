// chain.cpp - label sequences: node features for each label, and transitions between neighbours.
//
//   psi(x, y) = ( sum_t x_t (x) e_{y_t},   sum_t e_{y_t} (x) e_{y_{t+1}},   e_{y_1},   e_{y_T},
//                 sum_t e_{y_t} (x) e_{y_{t+1}} (x) e_{y_{t+2}} )
//
// The first and last label only with start_end, the triples only with order 2. Altun,
// Tsochantaridis & Hofmann, "Hidden Markov Support Vector Machines", ICML 2003. Tsochantaridis et
// al., JMLR 2005, section 4.3. Taskar et al., NIPS 2003.
#include "sequence_graph.hpp"

#include <algorithm>
#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/sculpt.hpp>

namespace {

class Chain {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.chain", "1.2.0",
      "label sequences: node features for each label, and transitions between neighbours",
      "Altun, Tsochantaridis and Hofmann, ICML 2003; Tsochantaridis et al., JMLR 2005, section "
      "4.3"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("bias", "true", "adds a feature that is 1 at every position"),
      sculpt::boolean("start_end", "false",
                      "adds a weight for each label at the first and at the last position"),
      sculpt::integer("order", "1", 1, 2,
                      "1: weights for transitions between two neighbours; 2: also for three labels "
                      "in a row"),
      sculpt::list_of(sculpt::choice("nonnegative", "[]",
                                     "nodes|bias|transitions|start|end|transitions2",
                                     "groups of weights that must not be negative"))};
  static constexpr const char* experiments[] = {R"({
    "name": "chain_four_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 100\n1 0 1 b 1 010\n1 0 2 b 0 011\n2 0 0 b 1 110\n2 0 1 a 0 001\n3 0 0 b 0 101\n4 0 0 a 1 011\n4 0 1 a 0 010\n"}},
    "features": {"use": "chain", "start_end": true}, "loss": "hamming", "oracle": "viterbi",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "chain_of_order_two",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 b 1 01\n1 0 3 a 0 11\n2 0 0 b 1 11\n2 0 1 a 0 00\n"}},
    "features": {"use": "chain", "start_end": true, "order": 2}, "loss": "hamming",
    "oracle": "viterbi", "solver": {"use": "n_slack", "C": 10}})"};

  explicit Chain(const sculpt::Parameters& given)
      : bias_(given.boolean("bias")),
        start_end_(given.boolean("start_end")),
        order_(static_cast<int>(given.integer("order"))),
        nonnegative_(given.texts("nonnegative")) {
    for (const std::string& group : nonnegative_) {
      const bool at_end = group == "start" || group == "end";
      if (group == "bias" && !bias_) throw empty_group(group, R"("bias": true)");
      if (at_end && !start_end_) throw empty_group(group, R"("start_end": true)");
      if (group == "transitions2" && order_ < 2) throw empty_group(group, R"("order": 2)");
    }
  }

  void bind(const sculpt::Bindings& bindings) {
    input_ = sculpt::SiteInput(bindings.dataset);
    if (input_.variable_count() != 0) {
      throw sculpt::unsupported_error("labels every position, but " + input_.dataset_id() +
                                      " has a fixed number of labels for each example");
    }
    check_triples();
    is_single_ = input_.example_count() > 0;
    max_length_ = 0;
    for (std::int64_t example = 0; example < input_.example_count(); ++example) {
      const sculpt_sites sites = input_.sites(example);
      if (sites.edge_count > 0) {
        throw sculpt::unsupported_error("joins neighbours in reading order, but example " +
                                        std::to_string(example) + " of " + input_.dataset_id() +
                                        " has its own edges; use the features `graph`");
      }
      is_single_ = is_single_ && sites.site_count == 1;
      max_length_ = std::max(max_length_, sites.site_count);
    }
    nodes_ = sculpt::SiteWeights(input_.feature_count(), input_.state_count(), bias_);
  }

  std::int64_t dimension() const { return triple_from() + (order_ == 2 ? triples() : 0); }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    return input_.output_shape(example);
  }

  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    const sculpt_sites sites = input_.sites(example);
    input_.check_output(y, sites.site_count);
    if (y.empty()) return;
    for (std::size_t t = 0; t < y.size(); ++t) {
      nodes_.add(sites, static_cast<std::int64_t>(t), y[t], 1, sum);
    }
    for (std::size_t t = 1; t < y.size(); ++t) {
      sum.add(transition_from() + y[t - 1] * states() + y[t], 1);
    }
    for (std::size_t t = 2; t < y.size() && order_ == 2; ++t) {
      sum.add(triple_from() + (y[t - 2] * states() + y[t - 1]) * states() + y[t], 1);
    }
    if (!start_end_) return;
    sum.add(start_from() + y.front(), 1);
    sum.add(end_from() + y.back(), 1);
  }

  // The groups of a hidden Markov model: the emissions of a label, its successors or the end, and
  // the first label. With order 2, the successors of two labels; transition and end weights then
  // belong to no group.
  void weight_groups(std::span<std::int32_t> group) const {
    nodes_.groups(group);
    const auto count = static_cast<std::int32_t>(states());
    const auto assign = [&](std::int64_t weight, std::int64_t group_number) {
      group[static_cast<std::size_t>(weight)] = static_cast<std::int32_t>(group_number);
    };
    for (std::int64_t pair = 0; order_ == 1 && pair < states() * states(); ++pair) {
      assign(transition_from() + pair, count + pair / states());
    }
    for (std::int64_t triple = 0; order_ == 2 && triple < triples(); ++triple) {
      assign(triple_from() + triple, 2 * count + 1 + triple / states());
    }
    if (!start_end_) return;
    for (std::int64_t k = 0; k < states(); ++k) {
      assign(start_from() + k, 2 * count);
      if (order_ == 1) assign(end_from() + k, count + k);
    }
  }

  bool bounds_weights() const { return !nonnegative_.empty(); }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    std::fill(nonnegative.begin(), nonnegative.end(), std::uint8_t{0});
    for (const std::string& group : nonnegative_) {
      const auto [begin, end] = weights_of(group);
      std::fill(nonnegative.begin() + begin, nonnegative.begin() + end, std::uint8_t{1});
    }
  }

  std::int64_t weight_column(std::int64_t weight) const {
    return weight < transition_from() ? nodes_.column(weight) : -1;
  }
  sculpt::RowBlocks row_blocks() const { return nodes_.row_blocks(); }
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    if (weight < transition_from()) {
      nodes_.name(weight, input_, out);
    } else if (weight < start_from()) {
      out << "transition ";
      pair_name(weight - transition_from(), out);
    } else if (weight < triple_from()) {
      out << (weight < end_from() ? "start " : "end ");
      input_.state_name((weight - start_from()) % states(), out);
    } else {
      const std::int64_t triple = weight - triple_from();
      out << "transition ";
      pair_name(triple / states(), out);
      out << "->";
      input_.state_name(triple % states(), out);
    }
  }

  std::uint32_t factor_classes() const {
    return sequence_classes(input_.state_count(), order_, max_length_) |
           (is_single_ ? std::uint32_t{SCULPT_GRAPH_SINGLE} : 0);
  }

  class Session {
   public:
    explicit Session(const Chain& owner)
        : owner_(owner), graph_(owner.input_.state_count(), owner.order_) {}

    const sculpt_factor_graph& factor_graph(std::int64_t example) {
      return graph_.of_length(owner_.input_.sites(example).site_count);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) const {
      owner_.potentials(example, w.data(), theta);
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
      owner_.pull_back(example, mu, sum);
    }

   private:
    const Chain& owner_;
    SequenceGraph graph_;
  };

 private:
  bool joins_triples(std::int64_t length) const { return order_ == 2 && length > 2; }
  std::int64_t states() const { return input_.state_count(); }
  std::int64_t triples() const { return states() * states() * states(); }
  // The first weight of each kind: nodes at 0, then transitions, start, end, triples.
  std::int64_t transition_from() const { return nodes_.size(); }
  std::int64_t start_from() const { return transition_from() + states() * states(); }
  std::int64_t end_from() const { return start_from() + (start_end_ ? states() : 0); }
  std::int64_t triple_from() const { return end_from() + (start_end_ ? states() : 0); }
  std::int64_t bias_from() const { return input_.feature_count() * states(); }

  // Returns the weights of a group. Those of the nodes are without the bias.
  sculpt::Range weights_of(const std::string& group) const {
    if (group == "nodes") return {0, bias_from()};
    if (group == "bias") return {bias_from(), transition_from()};
    if (group == "transitions") return {transition_from(), start_from()};
    if (group == "start") return {start_from(), end_from()};
    if (group == "end") return {end_from(), triple_from()};
    return {triple_from(), dimension()};
  }

  // Appends "a->b" for the pair a * K + b.
  void pair_name(std::int64_t pair, sculpt::ByteOutput& out) const {
    input_.state_name(pair / states(), out);
    out << "->";
    input_.state_name(pair % states(), out);
  }

  // The host limits the number of weights. With more labels than this, the number itself would
  // overflow.
  void check_triples() const {
    constexpr std::int64_t max_states = 1290;  // 1290^3 < 2^31
    if (order_ < 2 || states() <= max_states) return;
    throw sculpt::unsupported_error("order 2 needs a weight for each triple of labels, but " +
                                    input_.dataset_id() + " has " + std::to_string(states()) +
                                    " labels, more than " + std::to_string(max_states) +
                                    "; set \"order\": 1");
  }

  // `setting`: the parameter and value that enable the weights of the group.
  static sculpt::Error empty_group(const std::string& group, const std::string& setting) {
    return sculpt::parameter_error("nonnegative names '" + group +
                                   "', but there are no such weights without " + setting +
                                   "; set it, or remove the group");
  }

  // theta: [T][K] unary tables. If there are neighbours, one pair table [K][K]. If there are three
  // positions and the order is 2, one triple table [K][K][K].
  void potentials(std::int64_t example, const double* w, double* theta) const {
    const sculpt_sites sites = input_.sites(example);
    const std::int64_t length = sites.site_count;
    const std::int64_t count = states();
    for (std::int64_t t = 0; t < length; ++t) nodes_.scores(sites, t, w, theta + t * count);
    double* pair = theta + length * count;
    if (length > 1) std::copy_n(w + transition_from(), count * count, pair);
    if (joins_triples(length)) std::copy_n(w + triple_from(), triples(), pair + count * count);
    if (!start_end_ || length == 0) return;
    double* last = theta + (length - 1) * count;
    for (std::int64_t k = 0; k < count; ++k) theta[k] += w[start_from() + k];
    for (std::int64_t k = 0; k < count; ++k) last[k] += w[end_from() + k];
  }

  // The adjoint of potentials(): adds the weights' share of mu to the sum.
  void pull_back(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
    const sculpt_sites sites = input_.sites(example);
    const std::int64_t length = sites.site_count;
    const std::int64_t count = states();
    for (std::int64_t t = 0; t < length; ++t) nodes_.pull_back(sites, t, mu + t * count, sum);
    const double* pair = mu + length * count;
    if (length > 1) add_cells(pair, count * count, transition_from(), sum);
    if (joins_triples(length)) add_cells(pair + count * count, triples(), triple_from(), sum);
    if (!start_end_ || length == 0) return;
    add_cells(mu, count, start_from(), sum);
    add_cells(mu + (length - 1) * count, count, end_from(), sum);
  }
  static void add_cells(const double* mu, std::int64_t count, std::int64_t from, sculpt::Sum& sum) {
    if (sum.is_dense()) return sum.add_run(from, count, 1, mu);
    for (std::int64_t k = 0; k < count; ++k) {
      if (mu[k] != 0) sum.add(from + k, mu[k]);
    }
  }

  const bool bias_;
  const bool start_end_;
  const int order_;
  const std::vector<std::string> nonnegative_;  // groups
  bool is_single_ = false;                      // true if every example has one position
  std::int64_t max_length_ = 0;                 // positions of the longest example
  sculpt::SiteInput input_;
  sculpt::SiteWeights nodes_;
};

}  // namespace

SCULPT_PLUGIN("chain", "1.2.0", "Apache-2.0", sculpt::Features<Chain>)
