// sculpt diff: what differs between two models.

#include <nlohmann/json.hpp>

#include "base/current_activity.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/comparison/difference_report.hpp"
#include "command/comparison/model_difference.hpp"

namespace sculpt::core {
namespace {

constexpr const char* diff_epilogue =
    "\n"
    "MODEL is A, OTHER is B: model files or run folders. Weights are matched by their names, in\n"
    "whatever order the dictionaries have them. The features of both must be the same component.\n";

}  // namespace

Exit diff(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("diff", {"MODEL", "OTHER"});
  line.add()("top", po::value<std::int64_t>()->default_value(10)->value_name("K"),
             "number of weights and names to show of each kind")("json", "print one JSON object");
  line.add_epilogue(diff_epilogue);
  if (!line.parse(arguments)) return Exit::reached;
  const std::string a = line.required("MODEL");
  const std::string b = line.required("OTHER");
  const std::size_t top = count_option(line, "top");
  current_activity = {"comparing models"};
  const ModelPair models(a, b);
  const ModelDifference difference = compare_models(models, top);
  const ModelResults results_a = results_of(a, *models.a);
  const ModelResults results_b = results_of(b, *models.b);
  if (line.has("json")) {
    print_json(difference_json(results_a, results_b, difference));
  } else {
    print_difference(results_a, results_b, difference);
  }
  return Exit::reached;
}

}  // namespace sculpt::core
