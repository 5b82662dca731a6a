#include "check/variants/experiment_facts.hpp"

#include <sculpt/ext/promoted.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "check/fixture/equal_size_pairs.hpp"
#include "check/fixture/proper_refusal.hpp"
#include "check/variants/parameter_values.hpp"
#include "problem/outputs/factor_graph_reader.hpp"
#include "problem/plugin/labels_copy.hpp"

namespace sculpt::core {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(OutputFacts, sizes, truth_count, largest_truth, largest_label,
                                   has_equal_size, has_two_truths, has_truth_outside,
                                   has_unlabelled, has_graph, is_single, is_binary, tests, truths,
                                   truth_hash, output_counts)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ParameterFacts, key, current, others, id, is_number, is_integer,
                                   lower, upper, has_upper_end)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ComponentFacts, id, kind, extensions, is_own)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LongerText, text, examples)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExperimentFacts, components, parameters, untried_values, losses,
                                   longer_texts, text_with_empty_line, outputs)

namespace {

constexpr std::int64_t max_truths = 64;  // examples whose truths are asked about

// Returns the letter of OutputFacts::truths.
char truth_letter(TestFixture& fixture, const Weights& w, std::int64_t example) {
  if (!fixture.has_complete_truth(example)) return '?';
  try {
    const sculpt_labels truth = fixture.truth(example);
    fixture.with_psi_and_loss(example, {truth.data, truth.data + truth.size});
    const OracleQuery query{example, &w, 0, true, 1};
    Oracle& oracle = fixture.problem().oracle();
    if (oracle.obstacle_to_frontier().empty()) {
      oracle.require_frontier_fits(0, raw_query_of(fixture.problem(), query));
    }
    const OwnedAnswer answer = ask_oracle(fixture.problem(), query);
    return answer.has_flag(SCULPT_ANSWER_TRUTH_OUTSIDE) ? 'o' : 'i';
  } catch (const Failure& failure) {
    if (!is_proper_refusal(failure)) throw;
    return 'r';
  }
}

void gather_truths(TestFixture& fixture, OutputFacts& facts) {
  const Weights w = zero_weights(fixture.problem().dimension());
  const std::int64_t count = fixture.problem().dataset().count();
  const TestTimer timer = fixture.timer().part(1);  // the tests before took time of their own
  std::string all_labels;
  for (std::int64_t example = 0; example < count; ++example) {
    const sculpt_labels truth = fixture.truth(example);
    facts.has_unlabelled = facts.has_unlabelled || truth.data == nullptr;
    if (fixture.has_complete_truth(example)) {
      ++facts.truth_count;
      facts.largest_truth = std::max(facts.largest_truth, truth.size);
    }
    if (example >= max_truths) continue;
    for (const std::int32_t label : copy_of(truth)) all_labels += std::to_string(label) + " ";
    all_labels += truth.data != nullptr ? "\n" : "";
    const bool is_late = timer.is_query_time_over(pool_time_fraction);
    facts.truths += is_late ? '?' : truth_letter(fixture, w, example);
  }
  facts.truth_hash = std::hash<std::string>()(all_labels);
  facts.has_truth_outside = facts.truths.find('o') != std::string::npos;
}

void gather_outputs(TestFixture& fixture, OutputFacts& facts) {
  for (const std::int64_t example : fixture.examples()) {
    const OutputSet& set = fixture.outputs(example);
    facts.output_counts.push_back(set.complete ? static_cast<std::int64_t>(set.outputs.size())
                                               : -1);
    for (std::size_t k = 0; k < set.drawn_from; ++k) {  // the experiment shows no others
      const Output& output = set.outputs[k];
      facts.sizes.insert(static_cast<std::int64_t>(output.labels.size()));
      for (const std::int32_t label : output.labels) {
        facts.largest_label = std::max<std::int64_t>(facts.largest_label, label);
      }
    }
  }
}

// Returns the parameters of a component that have other values to try.
std::vector<ParameterFacts> parameters_of(const ExperimentPart& part) {
  std::vector<ParameterFacts> found;
  for (std::int64_t k = 0; k < part.description->parameter_count; ++k) {
    const sculpt_parameter& parameter = part.description->parameters[k];
    const auto& current = part.parameters->resolved().at(parameter.name);
    ParameterFacts facts;
    facts.key = part.key + "." + parameter.name;
    facts.id = std::string(part.description->id) + " " + parameter.name;
    facts.current = current.dump();
    facts.others = other_values(parameter, current);
    facts.is_number =
        (parameter.type & ~std::uint32_t{SCULPT_PARAMETER_LIST}) == SCULPT_PARAMETER_INT;
    facts.is_integer = parameter.type == SCULPT_PARAMETER_INT && current.is_number_integer() &&
                       std::abs(parameter.lower) <= max_tried_lower_end;
    if (facts.is_integer) {
      facts.lower = static_cast<std::int64_t>(parameter.lower);
      facts.has_upper_end = parameter.upper <= max_tried_upper_end;
      facts.upper = static_cast<std::int64_t>(std::min(parameter.upper, max_tried_upper_end));
    }
    if (!facts.others.empty()) found.push_back(std::move(facts));
  }
  return found;
}

// Returns the parameters of a component with values that are never tried: "org.sculpt.chain scale".
std::vector<std::string> untried_of(const ExperimentPart& part) {
  std::vector<std::string> found;
  for (std::int64_t k = 0; k < part.description->parameter_count; ++k) {
    const sculpt_parameter& parameter = part.description->parameters[k];
    if (!has_untried_values(parameter)) continue;
    found.push_back(std::string(part.description->id) + " " + parameter.name);
  }
  return found;
}

// Returns the number of labels of each example of the split "train", -1 for unlabelled ones.
std::vector<std::int64_t> training_sizes(TestFixture& fixture) {
  const Range range = fixture.problem().dataset().split("train");
  std::vector<std::int64_t> sizes;
  for (std::int64_t example = range.begin; example < range.end; ++example) {
    sizes.push_back(fixture.has_complete_truth(example) ? fixture.truth(example).size : -1);
  }
  return sizes;
}

void gather_texts(TestFixture& fixture, ExperimentFacts& facts) {
  const std::vector<SplitSource> sources = fixture.factory().sources();
  const auto train = std::find_if(sources.begin(), sources.end(), [](const SplitSource& source) {
    return source.split == "train";
  });
  if (train == sources.end() || !train->text) return;
  const std::vector<std::int64_t> sizes = training_sizes(fixture);
  facts.longer_texts = longer_texts(*train->text, sizes);
  if (std::find(sizes.begin(), sizes.end(), 0) == sizes.end()) {
    facts.text_with_empty_line = text_with_empty_line(*train->text);
  }
}

}  // namespace

void OutputFacts::add(const OutputFacts& other) {
  largest_truth = std::max(largest_truth, other.largest_truth);
  sizes.insert(other.sizes.begin(), other.sizes.end());
  largest_label = std::max(largest_label, other.largest_label);
  has_equal_size = has_equal_size || other.has_equal_size;
  has_two_truths = has_two_truths || other.has_two_truths;
  has_truth_outside = has_truth_outside || other.has_truth_outside;
  has_unlabelled = has_unlabelled || other.has_unlabelled;
  is_single = is_single && other.is_single;
  // Of those with a graph.
  is_binary = (is_binary || !has_graph) && (other.is_binary || !other.has_graph);
  has_graph = has_graph || other.has_graph;
  tests.insert(other.tests.begin(), other.tests.end());
}

OutputFacts gather_output_facts(TestFixture& fixture) {
  OutputFacts facts;
  gather_outputs(fixture, facts);
  gather_truths(fixture, facts);
  facts.has_equal_size = !pairs_of_equal_size(fixture, 1).empty();
  facts.has_two_truths = has_two_truths(fixture);
  FactorGraphReader reader(fixture.problem().features());
  facts.has_graph = reader.is_offered();
  const std::uint32_t classes = facts.has_graph ? reader.classes() : 0;
  facts.is_single = (classes & SCULPT_GRAPH_SINGLE) != 0;
  facts.is_binary = (classes & SCULPT_GRAPH_BINARY) != 0;
  return facts;
}

ExperimentFacts gather_facts(TestFixture& fixture, const ExperimentFactory& factory) {
  ExperimentFacts facts;
  bool has_own_oracle = false;
  for (const ExperimentPart& part : factory.parts()) {
    ComponentFacts component = component_facts(*part.description);
    component.is_own = !fixture.is_foreign(*part.description);
    const bool is_oracle = part.key.starts_with("oracle");
    has_own_oracle = has_own_oracle || (is_oracle && component.is_own);
    if (component.is_own) {
      for (ParameterFacts& parameter : parameters_of(part)) {
        facts.parameters.push_back(std::move(parameter));
      }
      const std::vector<std::string> untried = untried_of(part);
      facts.untried_values.insert(facts.untried_values.end(), untried.begin(), untried.end());
    }
    facts.components.push_back(std::move(component));
  }
  const bool has_frontier = fixture.oracle().extension<sculpt_ext_frontier>() != nullptr;
  if (has_own_oracle && has_frontier) facts.losses = factory.other_counted_losses();
  gather_texts(fixture, facts);
  facts.outputs = gather_output_facts(fixture);
  return facts;
}

ComponentFacts component_facts(const sculpt_component& description) {
  ComponentFacts facts{description.id, description.kind, {}, true};
  for (std::int64_t k = 0; k < description.extension_count; ++k) {
    facts.extensions.emplace_back(sculpt_promoted_id(description.extensions[k]));
  }
  return facts;
}

std::string facts_text(const OutputFacts& facts) {
  return nlohmann::json(facts).dump();
}

std::string facts_text(const ExperimentFacts& facts) {
  return nlohmann::json(facts).dump();
}

OutputFacts read_output_facts(const std::string& text) {
  return nlohmann::json::parse(text).get<OutputFacts>();
}

ExperimentFacts read_experiment_facts(const std::string& text) {
  return nlohmann::json::parse(text).get<ExperimentFacts>();
}

}  // namespace sculpt::core
