// sculpt evaluate: the figures of merit of a model on labelled data.

#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>

#include "command/command.hpp"
#include "command/loaded_model.hpp"
#include "command/stop_signal.hpp"
#include "run/run_events.hpp"

namespace sculpt::core {

Exit evaluate(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("evaluate", {"MODEL", "DATA"});
  line.add()("json", "print one JSON object")("threads", po::value<std::int64_t>()->value_name("N"),
                                              "number of threads, 0 for all cores");
  if (!line.parse(arguments)) return Exit::reached;
  const std::string model = line.required("MODEL");
  const std::string data = line.required("DATA");
  const int threads = thread_count(line, 0);
  catch_stop_signals();

  LoadedModel loaded(model, data, threads);
  const Evaluation evaluation = loaded.predictor().run(loaded.examples(), {});
  if (evaluation.labelled == 0) {
    throw Failure(Exit::data, data +
                                  ": holds no labelled example to measure against; use sculpt "
                                  "predict for unlabelled data");
  }
  if (line.has("json")) {
    std::cout << metrics_json(evaluation).dump(2) << '\n';
    return Exit::reached;
  }
  for (const Metric& metric : evaluation.metrics) {
    std::cout << std::left << std::setw(20) << metric.name << std::setw(12)
              << number_text(metric.value) << metric.summary << '\n';
  }
  std::cout << std::setw(20) << "examples" << evaluation.measured << '\n';
  if (evaluation.unlabelled > 0) {
    std::cout << std::setw(20) << "unlabelled" << evaluation.unlabelled << '\n';
  }
  if (evaluation.no_output > 0) {
    std::cout << std::setw(20) << "no_output" << evaluation.no_output << '\n';
  }
  return Exit::reached;
}

}  // namespace sculpt::core
