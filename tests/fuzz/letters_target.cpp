// The reader of the dataset letters: words of letter images, and the folds that define splits.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("letters", R"("features": "chain", "loss": "hamming", "oracle": "viterbi")",
                       fuzz::text_of(data, size));
  });
}
