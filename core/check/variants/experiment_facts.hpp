// experiment_facts.hpp - what an experiment contains and what its examples show.
//
// Gathered in the process of a test, sent to the parent as JSON (TestReport::facts). Used by
// variant_runner to plan changed experiments, and by the judgement of the experiments.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "check/fixture/problem_factory.hpp"
#include "check/fixture/test_fixture.hpp"
#include "check/variants/longer_data.hpp"

namespace sculpt::core {

// What the outputs of the tested examples are like.
struct OutputFacts {
  std::set<std::int64_t> sizes;     // of all known outputs, without those drawn at random
  std::int64_t truth_count = 0;     // examples with a complete truth
  std::int64_t largest_truth = 0;   // the number of labels of the longest of them
  std::int64_t largest_label = -1;  // -1: there are no labels
  bool has_equal_size = false;      // two examples of equal size and different content
  bool has_two_truths = false;      // two examples of equal content with different truths
  bool has_truth_outside = false;
  bool has_unlabelled = false;
  // By promise of the factor graph.
  bool has_graph = false;
  bool is_single = false;
  bool is_binary = false;
  std::set<std::string> tests;  // those that had cases

  // A letter for each of the first examples:
  //     i   the truth is one of the outputs
  //     o   the truth is outside
  //     r   the example or its frontier is refused
  //     ?   the outputs are incomplete, or the oracle was not asked
  std::string truths;
  std::uint64_t truth_hash = 0;             // of the labels of these truths
  std::vector<std::int64_t> output_counts;  // of the tested examples; -1: not listed

  // Adds what another experiment shows. Does not change the truths and the counts.
  void add(const OutputFacts& other);
};

// A parameter and the values to try.
struct ParameterFacts {
  std::string key;  // "oracle.max_cells"
  std::string current;
  std::vector<std::string> others;
  std::string id;              // "org.sculpt.ranking max_cells"
  bool is_number = false;      // a whole number, or a list of them
  bool is_integer = false;     // one whole number, which is set
  std::int64_t lower = 0;      // if it is an integer with a lower end
  std::int64_t upper = 0;      // if it is an integer: the upper end, at most max_tried_upper_end
  bool has_upper_end = false;  // `upper` is the upper end
};

struct ComponentFacts {
  std::string id;
  std::uint32_t kind = 0;  // SCULPT_KIND_*
  std::vector<std::string> extensions;
  bool is_own = true;  // false: a library is checked, and this is of another one
};

struct ExperimentFacts {
  std::vector<ComponentFacts> components;
  std::vector<ParameterFacts> parameters;   // of the own components
  std::vector<std::string> untried_values;  // their parameters with values that are never tried
  std::vector<std::string> losses;          // other values of loss.use that may work
  std::vector<LongerText> longer_texts;
  std::string text_with_empty_line;
  OutputFacts outputs;
};

// Gathers the facts about the outputs. Asks the oracle at w = 0. `fixture`: of this experiment.
OutputFacts gather_output_facts(TestFixture& fixture);
// Gathers all facts.
ExperimentFacts gather_facts(TestFixture& fixture, const ExperimentFactory& factory);

// Returns the id, kind and declared extensions of a component.
ComponentFacts component_facts(const sculpt_component& description);

std::string facts_text(const OutputFacts& facts);
std::string facts_text(const ExperimentFacts& facts);
OutputFacts read_output_facts(const std::string& text);
ExperimentFacts read_experiment_facts(const std::string& text);

}  // namespace sculpt::core
