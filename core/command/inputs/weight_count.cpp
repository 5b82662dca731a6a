#include "command/inputs/weight_count.hpp"

#include "base/failure.hpp"
#include "base/text/message_text.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

void require_weight_count(const ModelFile& model, Problem& problem, const std::string& advice) {
  if (problem.kernel() != nullptr) return;  // its weights are counted when they are expanded
  const auto count = static_cast<std::int64_t>(model.weights().size());
  if (count == problem.dimension()) return;
  const Component& dataset = problem.dataset().component();
  const DatasetRows rows(dataset);
  throw Failure(Exit::data,
                model.path().string() + ": has " + count_text(count, "weight") +
                    ", but its features, " + problem.features().component().name() + ", have " +
                    std::to_string(problem.dimension()) +
                    (rows.is_offered() ? ", and its dataset, " + dataset.name() + ", has " +
                                             count_text(rows.column_count(), "column")
                                       : "") +
                    advice);
}

}  // namespace sculpt::core
