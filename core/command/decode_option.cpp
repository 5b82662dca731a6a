#include "command/decode_option.hpp"

#include <string>

#include "command/reports/required_probabilities.hpp"

namespace sculpt::core {

void add_decode_option(CommandLine& line) {
  line.add()("decode", boost::program_options::value<std::string>()->value_name("HOW"),
             "max-product: the best output (default); max-marginal: at each position the most "
             "probable label");
}

void check_decode_option(const CommandLine& line) {
  if (!line.has("decode")) return;
  const auto way = line.get<std::string>("decode");
  if (way == "max-marginal" || way == "max-product") return;
  throw Failure(Exit::usage, "--decode must be max-product or max-marginal, not \"" + way + "\"");
}

bool decodes_marginals(const CommandLine& line) {
  return line.has("decode") && line.get<std::string>("decode") == "max-marginal";
}

void apply_decode_option(const CommandLine& line, Probabilities& probabilities,
                         Predictor& predictor) {
  if (!decodes_marginals(line)) return;
  require_marginals(probabilities, "--decode max-marginal");
  predictor.decode_by([&probabilities](int worker, std::int64_t example, Prediction& out) {
    probabilities.find_most_probable_labels(worker, example, out);
  });
}

}  // namespace sculpt::core
