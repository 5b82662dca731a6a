// sculpt predict: the outputs of a model on new data, one line an example.

#include <iostream>

#include "command/command.hpp"
#include "command/loaded_model.hpp"
#include "command/stop_signal.hpp"

namespace sculpt::core {

Exit predict(const Arguments& arguments) {
  namespace po = boost::program_options;
  CommandLine line("predict", {"MODEL", "DATA"});
  line.add()("threads", po::value<std::int64_t>()->value_name("N"),
             "number of threads, 0 for all cores");
  if (!line.parse(arguments)) return Exit::reached;
  const std::string model = line.required("MODEL");
  const std::string data = line.required("DATA");
  const int threads = thread_count(line, 0);
  catch_stop_signals();

  LoadedModel loaded(model, data, threads);
  Dataset& dataset = loaded.problem().dataset();
  loaded.predictor().run(loaded.examples(), [&](std::int64_t example, const Prediction& guess) {
    static constexpr std::int32_t no_labels = 0;
    const sculpt_labels labels{guess.labels.empty() ? &no_labels : guess.labels.data(),
                               static_cast<std::int64_t>(guess.labels.size())};
    std::cout << (guess.no_output ? std::string() : dataset.format(example, labels)) << '\n';
  });
  return Exit::reached;
}

}  // namespace sculpt::core
