// symbols.hpp - a site's row as a sequence of symbols: its values in the order of the indices.
//
// A symbol is a whole number other than 0. A 0 is no symbol, because datasets drop zeros: it pads
// a row. The indices themselves do not count. Called by subsequence_kernel.cpp and
// spectrum_kernel.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/sculpt.hpp>
#include <string_view>
#include <vector>

namespace kernel {

using Symbols = std::vector<std::int32_t>;

// The sequences of all atoms. Throws a data error that names the example if a value is no symbol.
std::vector<Symbols> sequences_of(const sculpt::SiteAtoms& atoms);

// The bytes of a sequence: a byte with the size of a symbol, 1, 2 or 4, then the symbols.
void write_symbols(const Symbols& symbols, sculpt::ByteOutput& out);
// Returns nothing if the bytes are damaged.
std::optional<Symbols> read_symbols(std::string_view bytes);

}  // namespace kernel
