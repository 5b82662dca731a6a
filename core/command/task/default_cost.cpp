#include "command/task/default_cost.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "base/surroundings.hpp"
#include "base/text/message_text.hpp"
#include "launch/run_identity.hpp"
#include "launch/split_sources.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

TrainingSize measure_training_data(const Assembly& assembly, int threads) {
  std::vector<SplitSource> sources = sources_of(assembly.experiment());
  std::erase_if(sources, [](const SplitSource& source) { return source.split != "train"; });
  ProblemSpec spec = assembly.problem_spec(std::move(sources));
  const ChosenSolver chosen(assembly.experiment().solver);
  spec.formulation = chosen.descriptor.create(chosen.parameters.values())->formulation();
  Callbacks callbacks;
  callbacks.log = [](std::int32_t, const std::string&) {};
  callbacks.cancelled = stop_request();
  callbacks.progress = [](const std::string&, const std::string&, std::int64_t, std::int64_t) {};
  Problem problem(spec, Purpose::training, threads, std::move(callbacks));
  TrainingSize size;
  size.examples = problem.training().size();
  const DatasetRows rows(problem.dataset().component());
  if (!rows.is_offered()) return size;
  for (std::int64_t k = 0; k < problem.training().size(); ++k) {
    problem.services().throw_if_cancelled();
    const sculpt_sites sites = rows.sites(problem.training()[k]);
    size.rows += sites.site_count;
    for (std::int64_t j = sites.row_from[0]; j < sites.row_from[sites.site_count]; ++j) {
      size.mean_square += sites.value[j] * sites.value[j];
    }
  }
  if (size.rows > 0) size.mean_square /= static_cast<double>(size.rows);
  return size;
}

double rounded_cost(double C) {
  return std::stod(number_text(C, 2));
}

DefaultCost default_cost(const nlohmann::ordered_json& rule, const TrainingSize& size) {
  const auto factor = rule.at("factor").get<double>();
  const auto from = rule.at("from").get<std::string>();
  const bool counts_rows = from == "all_rows";
  const std::int64_t count = counts_rows ? size.rows : size.examples;
  std::string reason = count_text(count, counts_rows ? "row" : "example");
  if (factor != 1) reason = exact_number_text(factor) + " x " + reason;
  double C = factor * static_cast<double>(count);
  if (from != "examples" && size.mean_square > 0 && std::isfinite(size.mean_square)) {
    C /= size.mean_square;
    reason += " / " + number_text(size.mean_square, 3) + ", the mean squared length of a row";
  }
  return {rounded_cost(C), reason};
}

}  // namespace sculpt::core
