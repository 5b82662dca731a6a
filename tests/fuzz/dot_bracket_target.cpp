// The readers of the dataset dot_bracket and of grammars with pairs. The input is rows
// `S -> L S | L`, a line "-----", then sequences with their structures. Without rows the built-in
// grammar is used.
#include "contract.hpp"
#include "experiment_text.hpp"

using namespace sculpt::core;

namespace {

void use(std::string_view input) {
  const fuzz::Rows grammar = fuzz::leading_rows(input, "rules");
  const std::string features =  // most other grammars refuse stacking
      R"({"use": "rna", )" + (grammar.member.empty() ? R"("stacking": true)" : grammar.member) +
      "}";
  fuzz::read_dataset("dot_bracket",
                     R"("features": )" + features + R"(, "loss": "difference", "oracle": "rna")",
                     grammar.rest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::expect({Exit::data, Exit::config}, [&] { use(fuzz::text_of(data, size)); });
}
