// sculpt explain: why a model gives the output that it gives for one example.

#include <nlohmann/json.hpp>

#include "base/current_activity.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/inputs/loaded_model.hpp"
#include "command/reports/explanation.hpp"
#include "command/reports/explanation_report.hpp"

namespace sculpt::core {
namespace {

constexpr const char* explain_epilogue =
    "\n"
    "The truth is compared with the guess; if the guess is right, or there is no truth, with the\n"
    "second best output. A share is a weight times the difference of its feature. The shares of\n"
    "all weights add up to the margin. With a kernel, those of the support examples do.\n";

}  // namespace

Exit explain(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("explain", {"MODEL", "DATA"});
  line.add()("example", po::value<std::int64_t>()->default_value(0)->value_name("N"),
             "the example to explain, counted from 0")(
      "top", po::value<std::int64_t>()->default_value(10)->value_name("K"),
      "number of weights, parts and support examples to show")("json", "print one JSON object");
  line.add_epilogue(explain_epilogue);
  const std::unique_ptr<LoadedModel> model =
      load_model(line, arguments, [](const CommandLine& given) {
        count_option(given, "example");
        count_option(given, "top");
      });
  if (!model) return Exit::reached;
  current_activity = {"explaining"};
  const std::size_t top = count_option(line, "top");
  const Explanation explanation = explain_example(*model, line.get<std::int64_t>("example"), top);
  const ExplanationReport report(explanation, *model, line.required("MODEL"), line.required("DATA"),
                                 top);
  if (line.has("json")) {
    print_json(report.json());
  } else {
    report.print();
  }
  return Exit::reached;
}

}  // namespace sculpt::core
