// variant_body.hpp - what the process of a changed experiment does: it makes the problem, runs many
// tests with few cases each, and gathers facts.
//
// Called by variant_runner.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/variants/experiment_facts.hpp"

namespace sculpt::core {

// The tests that the process of a changed experiment runs.
enum class VariantTests {
  all,        // of the features, the loss and the oracle
  of_loss,    // so that a fault of the loss is not taken for one of the oracle
  of_oracle,  // with its frontiers and relaxed answers
  none        // only facts are gathered
};

// A change of the experiment.
struct Variant {
  std::string title;                   // "features.order = 2"
  std::vector<std::string> overrides;  // "features.order=2"
  // Examples to use in the tests; empty: the check chooses.
  std::vector<std::int64_t> examples = {};
  // The variant is refused unless these new examples exist, with complete truths of these sizes.
  std::int64_t larger_than = -1;  // one of them has more labels than this
  bool needs_empty = false;       // one example has the empty output
  // The loss in place of that of the experiment: "path/to/library.so#org.sculpt.hamming"; "": it
  // stays. The variant is also refused unless the oracle has a frontier for this loss.
  std::string loss = {};
  VariantTests tests = VariantTests::all;
  bool has_new_text = false;     // the text of the data was made by the host
  std::int64_t large_limit = 0;  // see CheckOptions
};

// What became of it.
struct VariantOutcome {
  std::string refusal;  // why the components refuse the change, or ""
  OutputFacts outputs;  // if not refused
};

// Holds what a change makes, until the process ends without destroying it. The test life.end is
// about destroying.
struct VariantObjects {
  std::unique_ptr<ExperimentFactory> experiment;
  std::unique_ptr<Problem> problem;
};

// Runs in the process of a test. The outcome is sent as TestReport::facts. The first test that
// fails ends it, and the report has its name and reasons.
void run_variant_body(const ExperimentFactory& factory, const Variant& variant,
                      const CheckOptions& options, VariantObjects& objects, TestContext& context);

// Requires the facts of a report that run_variant_body() filled.
VariantOutcome read_outcome(const std::string& facts);

}  // namespace sculpt::core
