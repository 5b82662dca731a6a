// Kernels whose methods do not fit.
#include <sculpt/cpp/explicit_rows.hpp>
#include <sculpt/sculpt.hpp>

using Atoms = std::span<const std::int64_t>;

struct Good {
  static constexpr sculpt::About about{"org.example.good", "1.0.0", "a kernel"};
  std::uint32_t claims() const { return 0; }
  void rows(Atoms, Atoms, std::span<double>) const {}
  void diagonal(Atoms, std::span<double>) const {}
  void write_atom(std::int64_t, sculpt::ByteOutput&) const {}
  void keep(const sculpt::KeptAtoms&) {}
  void kept_rows(Atoms, sculpt::Range, std::span<double>) const {}
};

//   expect: `claims` of a kernel must be a public method of the class: std::uint32_t claims() const
struct ClaimsNotConst : Good {
  std::uint32_t claims() { return 0; }
};
//   expect: `rows` of a kernel must be a public method, const or of the Session: void rows(std::span<const std::int64_t> atoms, std::span<const std::int64_t> others, std::span<double> out)
struct RowsOfOne : Good {
  void rows(std::int64_t, Atoms, std::span<double>) const {}
};
//   expect: `diagonal` of a kernel must be a public method, const or of the Session: void diagonal(std::span<const std::int64_t> atoms, std::span<double> out)
struct DiagonalOfOne : Good {
  double diagonal(std::int64_t) const { return 0; }
};
//   expect: `write_atom` of a kernel must be a public method of the class: void write_atom(std::int64_t atom, ByteOutput& out) const
struct WritesText : Good {
  std::string write_atom(std::int64_t) const { return ""; }
};
//   expect: `keep` of a kernel must be a public method of the class: void keep(const KeptAtoms& atoms)
struct KeepConstant : Good {
  static constexpr int keep = 3;
};
//   expect: `kept_rows` of a kernel must be a public method, const or of the Session: void kept_rows(std::span<const std::int64_t> atoms, Range kept, std::span<double> out)
struct KeptRowsOfTwo : Good {
  void kept_rows(Atoms, std::int64_t, std::int64_t, std::span<double>) const {}
};

// Explicit rows, a draft.
struct GoodRows : Good {
  using drafts = sculpt::Drafts<sculpt::ExplicitRows>;
  std::int64_t explicit_width() const { return 0; }
  void explicit_name(std::int64_t, sculpt::ByteOutput&) const {}
  void explicit_row(std::int64_t, sculpt::Sum&) const {}
};
//   expect: `explicit_width` of a kernel must be a public method of the class: std::int64_t explicit_width() const
struct ExplicitWidthNotConst : GoodRows {
  std::int64_t explicit_width() { return 0; }
};
//   expect: `explicit_name` of a kernel must be a public method of the class: void explicit_name(std::int64_t column, ByteOutput& out) const
struct ExplicitNameAsString : GoodRows {
  std::string explicit_name(std::int64_t) const { return ""; }
};
//   expect: `explicit_row` of a kernel must be a public method of the class: void explicit_row(std::int64_t atom, Sum& sum) const
struct ExplicitRowAsVector : GoodRows {
  std::vector<double> explicit_row(std::int64_t) const { return {}; }
};

// Each method is required.
//   expect: `claims` of a kernel is missing
//   expect: `rows` of a kernel is missing
//   expect: `diagonal` of a kernel is missing
//   expect: `write_atom` of a kernel is missing
//   expect: `keep` of a kernel is missing
//   expect: `kept_rows` of a kernel is missing
struct Nothing {
  static constexpr sculpt::About about{"org.example.nothing", "1.0.0", "a kernel"};
};
// The wrapper lists the layout of the table.
//   expect: `extensions` of a component lists an id that its methods or `drafts` offer
struct ListsLayout : Good {
  static constexpr const char* extensions[] = {SCULPT_EXT_KERNEL};
  const void* extension(const char*) const { return nullptr; }
};

SCULPT_PLUGIN("wrong", "1.0.0", "MIT", sculpt::Kernel<Good>, sculpt::Kernel<ClaimsNotConst>,
              sculpt::Kernel<RowsOfOne>, sculpt::Kernel<DiagonalOfOne>, sculpt::Kernel<WritesText>,
              sculpt::Kernel<KeepConstant>, sculpt::Kernel<KeptRowsOfTwo>, sculpt::Kernel<Nothing>,
              sculpt::Kernel<ListsLayout>, sculpt::Kernel<GoodRows>,
              sculpt::Kernel<ExplicitWidthNotConst>, sculpt::Kernel<ExplicitNameAsString>,
              sculpt::Kernel<ExplicitRowAsVector>)
