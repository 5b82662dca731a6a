// variant_runner.hpp - runs an experiment with other values of its parameters, under other losses
// and with longer examples. Each change has a process of its own.
//
//   variants.parameters   both ends of whole numbers, 1 and 2; every choice, below level 3 only in
//                         the first experiment with the component; the smallest and the largest
//                         value at which no truth fails: there a truth is exactly at the limit
//   variants.losses       every loss on the search path whose counts the oracle knows. Not those
//                         of other libraries that fail their own tests
//   variants.data         longer examples, joined from the inline text, and an empty one
//
// A change that the components refuse is no fault, nor one whose tests are slow together. A single
// call to a component that is checked is one if it does not end. How many changes are made depends
// on counts, so that a slow machine finds the same. Called by experiment_test_runner.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "check/fixture/check_options.hpp"
#include "check/fixture/problem_factory.hpp"
#include "check/system/test_report.hpp"

namespace sculpt::core {

inline constexpr std::array<const char*, 3> variant_tests = {"variants.parameters",
                                                             "variants.losses", "variants.data"};
// The name of the report that holds facts for the judgement. It is not for people.
inline constexpr const char* facts_report = "experiments.facts";

// Sends a report for each requested test, and then one with facts. `problem`: used for the facts of
// the unchanged experiment. nullptr: each process opens the experiment itself. Requires that the
// calling process has one thread.
void run_variants(const CheckSubject& subject, const CheckOptions& options,
                  std::unique_ptr<ExperimentFactory>& factory, std::unique_ptr<Problem>& problem,
                  const ReportSink& sink);

// What the judgement gets from one experiment.
struct JudgedFacts {
  std::string experiment;           // JSON of ExperimentFacts
  std::string outputs;              // JSON of OutputFacts: with those of all changes
  std::vector<std::string> tried;   // for CheckOptions::tried_values
  std::vector<std::string> gaps;    // what cannot be shown, and what to add
  std::vector<std::string> limits;  // the same, but nothing need be added
  bool has_left_out = false;        // not all changes were made
};
std::string facts_text(const JudgedFacts& facts);
JudgedFacts read_judged_facts(const std::string& text);

}  // namespace sculpt::core
