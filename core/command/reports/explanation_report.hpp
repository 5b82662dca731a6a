// explanation_report.hpp - prints an Explanation, as text or as JSON.
//
// Called by explain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "command/inputs/loaded_model.hpp"
#include "command/reports/explanation.hpp"
#include "command/reports/training_texts.hpp"
#include "command/reports/weight_names.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

class ExplanationReport {
 public:
  // `path`: of the model, as it was given. A run folder has the texts of support examples. `data`:
  // the path of the data, for the rows of the example. Shows at most `top` weights, parts and
  // support examples. Throws Failure. The first three arguments outlive this.
  ExplanationReport(const Explanation& explanation, LoadedModel& model,
                    const std::filesystem::path& path, std::string data, std::size_t top);

  // Names may fail, so all text is made before any of it is printed. Throw Failure. [main]
  void print() const;
  nlohmann::ordered_json json() const;

 private:
  std::string output_rows() const;
  std::string output_texts() const;
  std::string weight_rows() const;
  std::string part_rows() const;
  std::string support_rows() const;
  std::string weight_row(const WeightShare& share, const std::string& indent) const;
  nlohmann::ordered_json output_json(const ExplainedOutput& output) const;
  nlohmann::ordered_json weights_json(const std::vector<WeightShare>& shares) const;
  nlohmann::ordered_json part_json(const PartShare& part) const;
  std::string text_of(const ExplainedOutput& output) const;
  // The names of labels of a set; else positions, counted from `first_position`.
  std::vector<std::string> names_of_variables(const std::vector<std::int64_t>& variables,
                                              std::int64_t first_position) const;
  std::vector<std::string> label_names(const std::vector<std::int32_t>& labels) const;

  const Explanation& explanation_;
  LoadedModel& model_;
  std::string data_;
  std::size_t top_;
  WeightNames names_;
  DatasetRows rows_;
  std::vector<std::string> variable_names_;  // of label sets; empty: variables are positions
  std::unique_ptr<TrainingTexts> texts_;     // nullptr: no support examples, or not known
};

}  // namespace sculpt::core
