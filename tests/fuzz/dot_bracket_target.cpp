// The readers of the dataset dot_bracket and of grammars with pairs: rows `S -> L S | L`, a line
// "-----", then sequences with their structures. Without rows the grammar is the built-in one.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

namespace {

void use(std::string_view input) {
  const fuzz::Rows grammar = fuzz::rows_in_front(input, "rules");
  const std::string features =  // few grammars take stacking
      R"({"use": "rna", )" + (grammar.member.empty() ? R"("stacking": true)" : grammar.member) +
      "}";
  fuzz::read_dataset("dot_bracket",
                     R"("features": )" + features + R"(, "loss": "difference", "oracle": "rna")",
                     grammar.behind);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] { use(fuzz::text_of(data, size)); });
}
