// The reader of the dataset svmlight: rows `label index:value ...`.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("svmlight",
                       R"("features": "multiclass", "loss": "zero_one", "oracle": "viterbi")",
                       fuzz::text_of(data, size));
  });
}
