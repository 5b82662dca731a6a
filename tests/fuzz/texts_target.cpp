// The reader of the dataset texts: lines `label TAB text` of UTF-8.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("texts",
                       R"("features": "multiclass", "loss": "zero_one", "oracle": "viterbi")",
                       fuzz::text_of(data, size));
  });
}
