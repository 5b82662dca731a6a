// weighted_hamming.cpp - wrong labels, each with the cost of the true label.
//
//   Delta(truth, guess) = sum_v cost(truth_v) [truth_v != guess_v]
//                         normalize: divided by the sum of the costs of all truth_v
//
// Entries of the truth that are -1 (unobserved) do not count. The loss splits over the unary
// factors of any graph whose variables are the labels. It is no function of a few counts.
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/label_errors.hpp>
#include <sculpt/cpp/lent.hpp>
#include <sculpt/cpp/number_text.hpp>
#include <sculpt/cpp/text_buffer.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

class WeightedHamming : public sculpt::LabelErrors {
 public:
  static constexpr sculpt::About about{"org.sculpt.weighted_hamming", "1.0.0",
                                       "wrong labels, each with the cost of the true label"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::list_of(sculpt::text("label_costs", "[]",
                                   "LABEL:COST, what it costs to miss this label, such as O:0.2")),
      sculpt::real("default_cost", "1", 0, 1e6, "cost of the labels that are not listed"),
      sculpt::boolean("normalize", "false",
                      "divides by the cost of all labels of the truth, so an output with only "
                      "wrong labels has loss 1")};
  static constexpr const char* experiments[] = {R"({
    "name": "weighted_hamming_letters",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 0 01\n2 0 0 b 1 11\n2 0 1 b 1 01\n2 0 2 a 0 10\n3 0 0 b 1 01\n3 0 1 a 0 11\n4 0 0 c 0 11\n"}},
    "features": "chain", "oracle": "viterbi",
    "loss": {"use": "weighted_hamming", "label_costs": ["a:0.25", "b:3"]},
    "solver": {"use": "n_slack", "C": 1}})"};

  explicit WeightedHamming(const sculpt::Parameters& given)
      : default_cost_(given.real("default_cost")), normalize_(given.boolean("normalize")) {
    for (const std::string& text : given.texts("label_costs")) add_cost(text);
  }

  void bind(const sculpt::Bindings& to) {
    const sculpt::SitesRef sites(to.dataset);
    std::string names;
    for (std::int32_t k = 0; k < sites.shape().state_count; ++k) {
      sculpt::TextBuffer name;
      sculpt::ByteOutput output = name.output();
      sites.state_name(k, output);
      const auto found = costs_of_names_.find(name.text());
      costs_.push_back(found == costs_of_names_.end() ? default_cost_ : found->second);
      if (found != costs_of_names_.end()) costs_of_names_.erase(found);
      names += (k > 0 ? ", " : "") + name.text();
    }
    if (std::all_of(costs_.begin(), costs_.end(), [](double cost) { return cost == 0; })) {
      throw sculpt::parameter_error(
          "no label has a cost above 0, so every output has loss 0; set label_costs or "
          "default_cost");
    }
    if (costs_of_names_.empty()) return;
    throw sculpt::parameter_error("label_costs has the label " +
                                  sculpt::shown(costs_of_names_.begin()->first) +
                                  ", but the labels of the training data are " + names);
  }

  double loss(sculpt::Labels truth, sculpt::Labels guess) const {
    require_same_size(truth, guess);
    double sum = 0;
    for (std::size_t v = 0; v < truth.size(); ++v) {
      if (sculpt::is_wrong_label(truth[v], guess[v])) sum += cost_of(truth[v]);
    }
    return sum * scale_of(truth);
  }

  // l_v(k) = cost(truth_v) for every state k but the truth, so the truth has cost 0 exactly.
  void add_factor_loss(std::int64_t, const sculpt_factor_graph& graph, sculpt::Labels truth,
                       double scale, double* theta, double&) const {
    const double factor = scale * scale_of(truth);
    sculpt::each_wrong_label(graph, truth, [&](std::int64_t cell, std::int32_t label) {
      theta[cell] += factor * cost_of(label);
    });
  }

 private:
  // Adds an entry of the parameter: "B-NP:2". A label may have colons itself.
  void add_cost(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    double cost = -1;
    const bool is_number = colon != std::string::npos &&
                           sculpt::read_finite(std::string_view(text).substr(colon + 1), cost) ==
                               sculpt::NumberText::number;
    if (!is_number || cost < 0 || cost > max_cost) {
      throw sculpt::parameter_error("label_costs has " + sculpt::shown(text) +
                                    "; write LABEL:COST with a cost from 0 to 1e6, such as O:0.2");
    }
    const std::string label = text.substr(0, colon);
    if (costs_of_names_.emplace(label, cost).second) return;
    throw sculpt::parameter_error("label_costs has two costs for the label " +
                                  sculpt::shown(label));
  }

  // A label that training does not have is not listed.
  double cost_of(std::int32_t label) const {
    return label == sculpt::unseen_label ? default_cost_ : costs_[static_cast<std::size_t>(label)];
  }
  double scale_of(sculpt::Labels truth) const {
    if (!normalize_) return 1;
    double sum = 0;
    for (const std::int32_t label : truth) sum += label != -1 ? cost_of(label) : 0;
    return sum > 0 ? 1 / sum : 1;
  }

  static constexpr double max_cost = 1e6;

  const double default_cost_;
  const bool normalize_;
  std::map<std::string, double> costs_of_names_;  // until bind
  std::vector<double> costs_;                     // [labels]
};

}  // namespace

SCULPT_PLUGIN("weighted_hamming", "1.0.0", "Apache-2.0", sculpt::Loss<WeightedHamming>)
