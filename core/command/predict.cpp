// sculpt predict: the outputs of a model on new data, as the dataset writes them.

#include <iostream>

#include "command/command.hpp"
#include "command/loaded_model.hpp"

namespace sculpt::core {

Exit predict(const Arguments& arguments) {
  CommandLine line("predict", {"MODEL", "DATA"});
  const std::unique_ptr<LoadedModel> model = load_model(line, arguments);
  if (!model) return Exit::reached;
  const Dataset& dataset = model->problem().dataset();
  model->predictor().run(model->examples(), [&](std::int64_t example, const Prediction& guess) {
    std::cout << (guess.no_output ? std::string() : dataset.format(example, guess.raw())) << '\n';
  });
  return Exit::reached;
}

}  // namespace sculpt::core
