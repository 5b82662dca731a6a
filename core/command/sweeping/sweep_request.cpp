#include "command/sweeping/sweep_request.hpp"

#include "base/text/shell_word.hpp"

namespace sculpt::core {

SweepRequest silent(SweepRequest request) {
  request.prints_results = false;
  return request;
}

std::string sweep_words(const SweepRequest& request) {
  std::string words = "sweep " + shell_word(request.config);
  for (const GridKey& key : request.grid.keys()) words += " --set " + shell_word(key.text());
  if (request.hold_out_options.is_set()) words += " " + request.hold_out_options.text();
  if (request.is_cold) words += " --cold";
  if (request.criterion) {
    const std::string& direction = request.criterion->direction;
    words += " --best " +
             shell_word(request.criterion->metric + (direction.empty() ? "" : ":" + direction));
  }
  if (!request.output.empty()) words += " --output " + shell_word(request.output.string());
  return words;
}

}  // namespace sculpt::core
