// The reader of the dataset pairs_fasta: pairs of sequences as gapped rows, with decoys if its
// parameters declare them.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] {
    fuzz::read_dataset("pairs_fasta",
                       R"("features": "alignment", "loss": "q", "oracle": "alignment")",
                       fuzz::text_of(data, size));
  });
}
