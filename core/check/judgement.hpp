// judgement.hpp - says what the experiments of a check cannot show.
//
// Tests find only what the experiments reach. A fault from six labels on passes if no example has
// six. So after the tests the report says what was not reached:
//
//   experiments.gaps     what could be added to the experiments. The verdict is note.
//   experiments.limits   what no experiment need show, such as larger outputs. The verdict is pass.
//
// A gap is something that the author of the plugin can add. So it is no gap that all outputs have
// one size: perhaps the problem has no others. It is none either that an experiment of a user has
// two labels, or that the budget of the check was used up.
//
// Each line says what cannot be shown and what to add. Called by command/check.cpp, which passes
// all reports of a check.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/system/test_report.hpp"
#include "check/variants/experiment_facts.hpp"
#include "check/variants/variant_runner.hpp"

namespace sculpt::core {

class Judgement {
 public:
  // Takes the report of a test, or one with facts.
  void add(const TestReport& report);
  // Returns the first report, and the second one if it has lines. If a test has failed, the first
  // one says so, and nothing is judged: facts are missing then. Returns none without experiments.
  std::vector<TestReport> reports() const;

 private:
  void add_facts(const TestReport& report);
  bool uses(const std::string& experiment, const std::string& component) const;
  // By any experiment.
  bool is_used(const std::string& component) const;
  bool has_run(const std::string& component, const std::vector<std::string>& tests) const;
  bool has_only_map_solvers() const;
  bool is_single_label() const;
  // True if the outputs of several examples have one size, also after longer texts were tried.
  bool has_one_size() const;

  void judge_components(std::vector<std::string>& gaps) const;
  // Returns a line for each extension that no test has called, though there is one. Only for the
  // checked library.
  std::vector<std::string> uncalled_extensions() const;
  // Returns a line for each extension that no test of the check calls. Only for the checked
  // library.
  std::vector<std::string> untested_extensions() const;
  void judge_outputs(std::vector<std::string>& gaps) const;
  void judge_labels(std::vector<std::string>& gaps) const;
  std::vector<std::string> gaps() const;
  std::vector<std::string> limits() const;

  std::vector<ComponentFacts> components_;              // of the library, or of the experiment file
  std::map<std::string, std::set<std::string>> used_;   // by experiment: ids of its components
  std::map<std::string, std::set<std::string>> tests_;  // by experiment: tests that had cases
  std::vector<std::string> gaps_of_changes_;
  std::vector<std::string> limits_of_changes_;
  OutputFacts outputs_;
  bool has_outputs_ = false;
  bool has_library_ = false;  // a library is checked, with the experiments of its author
  bool has_failures_ = false;
  bool has_left_out_ = false;  // changes, by the budget of the check
};

}  // namespace sculpt::core
