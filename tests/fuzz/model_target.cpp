// A model: the file, its header, its components and its weights, as `describe` shows them.
#include "command/reports/model_summary.hpp"
#include "contract.hpp"
#include "sealed_file.hpp"

using namespace sculpt::core;

// Sets the plugin path, because the host would find plugins of the user first.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  return ::setenv("SCULPT_PLUGIN_PATH", PLUGIN_FOLDER, 1);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::plugin, Exit::config}, [&] {
    const fuzz::MemoryFile file(fuzz::sealed("sculpt1\n", fuzz::text_of(data, size)));
    print_model(file.path(), 20);
    print_model_json(file.path(), 20);
  });
}
