// The reader of the dataset crfsuite: a label and attributes with values in each row, weights of
// sequences.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("crfsuite", R"("features": "chain", "loss": "hamming", "oracle": "viterbi")",
                       fuzz::text_of(data, size));
  });
}
