#include "check/system/exported_symbols.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/failure.hpp"
#include "base/file/open_file.hpp"

namespace sculpt::core {
namespace {

using Header = ElfW(Ehdr);
using Section = ElfW(Shdr);
using Symbol = ElfW(Sym);

constexpr std::uint64_t max_table_bytes = std::uint64_t{1} << 30;

class ElfFile {
 public:
  explicit ElfFile(const std::filesystem::path& path)
      : path_(path), file_(open_file(path, Exit::plugin)) {}

  template <class Item>
  std::vector<Item> read(std::uint64_t offset, std::uint64_t bytes) {
    if (bytes > max_table_bytes) refuse();
    std::vector<Item> items(static_cast<std::size_t>(bytes / sizeof(Item)));
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    const auto size = static_cast<std::streamsize>(items.size() * sizeof(Item));
    if (!file_.read(reinterpret_cast<char*>(items.data()), size)) refuse();
    return items;
  }
  [[noreturn]] void refuse() const {
    throw Failure(Exit::plugin, "the section headers of " + path_.string() +
                                    " cannot be read, so its symbols cannot be listed");
  }

 private:
  std::filesystem::path path_;
  std::ifstream file_;
};

bool is_exported(const Symbol& symbol) {
  const auto binding = symbol.st_info >> 4;
  const auto visibility = symbol.st_other & 3;
  return symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_ABS &&
         (binding == STB_GLOBAL || binding == STB_WEAK || binding == STB_GNU_UNIQUE) &&
         (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

}  // namespace

std::vector<std::string> exported_symbols(const std::filesystem::path& library) {
  ElfFile file(library);
  const Header header = file.read<Header>(0, sizeof(Header)).at(0);
  if (header.e_shentsize != sizeof(Section)) file.refuse();
  const auto sections = file.read<Section>(header.e_shoff, sizeof(Section) * header.e_shnum);
  std::vector<std::string> names;
  for (const Section& section : sections) {
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= sections.size()) continue;
    const Section& strings = sections[section.sh_link];
    std::vector<char> text = file.read<char>(strings.sh_offset, strings.sh_size);
    text.push_back('\0');
    for (const Symbol& symbol : file.read<Symbol>(section.sh_offset, section.sh_size)) {
      if (is_exported(symbol) && symbol.st_name < text.size()) {
        names.emplace_back(text.data() + symbol.st_name);
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace sculpt::core
