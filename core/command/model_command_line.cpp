// The start of predict and evaluate. Separate from LoadedModel, which does not depend on the
// command line.

#include "command/command.hpp"
#include "command/inputs/loaded_model.hpp"
#include "launch/stop_signal.hpp"

namespace sculpt::core {

std::unique_ptr<LoadedModel> load_model(
    CommandLine& line, const Arguments& arguments,
    const std::function<void(const CommandLine&)>& check_options, PipeReading reading) {
  line.add_overrides("change a key of the dataset or the oracle, e.g. oracle=icm; may be repeated");
  line.add()("threads", boost::program_options::value<std::int64_t>()->value_name("N"),
             "number of threads, 0 for all cores");
  line.add_quiet("; results stay");
  if (!line.parse(arguments)) return nullptr;
  if (check_options) check_options(line);
  const std::string model = line.required("MODEL");
  const std::string data = line.required("DATA");
  const int threads = thread_count(line, 0);
  const std::vector<Override> overrides = line.overrides();
  catch_stop_signals();
  return std::make_unique<LoadedModel>(model, data, threads, overrides, reading,
                                       Console::prints_if(line.is_quiet()));
}

}  // namespace sculpt::core
