// joint.cpp - joint kernels k((x, y), (x', y')) with nothing but the extensions of the SDK. For
// tests of runs with kernels.
//
// An atom is a pair of an input and an output: the dataset has a row for each output of an example.
// Features take the row of their output:
//
//   psi(x, y) = row of (x, y)      so      <psi(x, y), psi(x', y')> = k of the two rows
//
//   data   one example a line: its output 0, 1, ..., or ?, then x
//   row    x, and a 1 in the column of y
#include <cmath>
#include <cstring>
#include <sculpt/cpp/factor_graph_builder.hpp>
#include <sculpt/cpp/site_atoms.hpp>
#include <sculpt/cpp/site_store.hpp>
#include <sculpt/sculpt.hpp>

namespace {

using Numbers = std::vector<double>;

class Pairs {
 public:
  static constexpr sculpt::About about{"org.test.pairs", "1.0.0",
                                       "a row for each pair of an input and an output"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("inputs", nullptr, 1, 1000, "numbers of x"),
      sculpt::integer("outputs", nullptr, 1, 1000, "values of y"),
      sculpt::boolean("squared", "false", "rows are those of the kernel (<a, b> + 1)^2")};

  explicit Pairs(const sculpt::Parameters& given)
      : inputs_(static_cast<std::size_t>(given.integer("inputs"))),
        outputs_(static_cast<std::size_t>(given.integer("outputs"))),
        is_squared_(given.boolean("squared")) {}

  void load(std::string_view split, const sculpt::Source& source) {
    store_.begin_split(split, source.path());
    sculpt::LineReader reader(source);
    while (reader.next()) {
      const auto& fields = reader.fields();
      if (fields.size() != 1 + inputs_) throw reader.error(0, "another number of inputs");
      Numbers row(inputs_ + outputs_, 0.0);
      for (std::size_t j = 0; j < inputs_; ++j) row[j] = reader.real(fields[j + 1], "a number");
      for (std::size_t y = 0; y < outputs_; ++y) {
        row[inputs_ + y] = 1;
        add_row(is_squared_ ? squared(row) : row);
        row[inputs_ + y] = 0;
      }
      if (fields[0].text == "?") {
        store_.end_example(sculpt::Labels(), reader.number());
      } else {
        const auto label = static_cast<std::int32_t>(reader.integer(fields[0], "an output"));
        store_.end_example({&label, 1}, reader.number());
      }
    }
  }
  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return store_.truth(example); }
  std::string place(std::int64_t example) const { return store_.place(example); }
  void format(std::int64_t, sculpt::Labels y, sculpt::ByteOutput& out) const { out << y[0]; }

  std::int64_t feature_count() const {
    const std::size_t size = inputs_ + outputs_;
    return static_cast<std::int64_t>(is_squared_ ? squared(Numbers(size)).size() : size);
  }
  std::int32_t state_count() const { return static_cast<std::int32_t>(outputs_); }
  std::int64_t variable_count() const { return 1; }  // one label, whatever the number of rows
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }

 private:
  void add_row(const Numbers& row) {
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] != 0) store_.add(static_cast<std::int32_t>(j), row[j]);
    }
    store_.end_site();
  }
  // (<a, b> + 1)^2 is the product of these rows, and 1, which cancels between two outputs.
  static Numbers squared(const Numbers& row) {
    Numbers out;
    for (std::size_t i = 0; i < row.size(); ++i) {
      out.push_back(std::sqrt(2.0) * row[i]);
      out.push_back(row[i] * row[i]);
      for (std::size_t j = 0; j < i; ++j) out.push_back(std::sqrt(2.0) * row[i] * row[j]);
    }
    return out;
  }

  std::size_t inputs_;
  std::size_t outputs_;
  bool is_squared_;
  sculpt::SiteStore store_;
};

// psi(x, y) is the row of the pair. One variable, whose states are the rows of the example.
class Joint {
 public:
  static constexpr sculpt::About about{"org.test.joint", "1.0.0", "the row of the output"};

  void bind(const sculpt::Bindings& to) { input_ = sculpt::SiteInput(to.dataset); }
  std::int64_t dimension() const { return input_.feature_count(); }
  sculpt::OutputShape output_shape(std::int64_t) const {
    return sculpt::OutputShape::of_size(1, input_.state_count()).complete().same_for_all();
  }
  sculpt::RowBlocks row_blocks() const { return {0, 1}; }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const {
    input_.check_output(y, 1);
    each_entry(example, y[0], [&](std::int32_t index, double value) { sum.add(index, value); });
  }

  std::uint32_t factor_classes() const {
    return sculpt::single_variable_classes(input_.state_count());
  }
  class Session {
   public:
    explicit Session(const Joint& owner) : owner_(owner) {
      builder_.clear();
      builder_.add_variable(owner.input_.state_count());
    }
    const sculpt_factor_graph& factor_graph(std::int64_t) {
      return builder_.graph(owner_.factor_classes(), 1);
    }
    void potentials(std::int64_t example, sculpt::Weights w, double* theta) const {
      for (std::int32_t y = 0; y < owner_.input_.state_count(); ++y) {
        theta[y] = 0;
        owner_.each_entry(example, y, [&](std::int32_t index, double value) {
          theta[y] += w[static_cast<std::size_t>(index)] * value;
        });
      }
    }
    void pullback(std::int64_t example, const double* mu, sculpt::Sum& sum) const {
      for (std::int32_t y = 0; y < owner_.input_.state_count(); ++y) {
        if (mu[y] == 0) continue;
        owner_.each_entry(example, y,
                          [&](std::int32_t index, double value) { sum.add(index, mu[y] * value); });
      }
    }

   private:
    const Joint& owner_;
    sculpt::FactorGraphBuilder builder_;
  };

 private:
  // Calls visit(index, value) for the entries of the row of output y.
  template <class Visit>
  void each_entry(std::int64_t example, std::int32_t y, Visit&& visit) const {
    const sculpt_sites x = input_.sites(example);
    for (std::int64_t k = x.row_from[y]; k < x.row_from[y + 1]; ++k) visit(x.index[k], x.value[k]);
  }

  sculpt::SiteInput input_;
};

// k = exp(-gamma ||x - x'||^2) outputs[y][y']
class PairProduct {
 public:
  using Atoms = std::span<const std::int64_t>;
  static constexpr sculpt::About about{"org.test.pair_product", "1.0.0",
                                       "a Gaussian kernel of inputs times one of outputs"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::real("gamma", "1", 1e-6, 1e6, "of the kernel of inputs"),
      sculpt::list_of(sculpt::real("outputs", nullptr, -1e6, 1e6,
                                   "the matrix of the kernel of outputs, row by row"))};

  explicit PairProduct(const sculpt::Parameters& given)
      : gamma_(given.real("gamma")),
        of_outputs_(given.reals("outputs")),
        output_count_(static_cast<std::size_t>(
            std::lround(std::sqrt(static_cast<double>(of_outputs_.size()))))) {}
  void bind(const sculpt::Bindings& to) {
    const sculpt::SiteAtoms atoms(to.dataset);
    for (const sculpt::SiteRow& row : atoms.rows()) {
      Numbers& pair = pairs_.emplace_back(static_cast<std::size_t>(atoms.feature_count()), 0.0);
      for (std::size_t k = 0; k < row.size(); ++k) {
        pair[static_cast<std::size_t>(row.index[k])] = row.value[k];
      }
    }
  }

  std::uint32_t claims() const { return SCULPT_KERNEL_POSITIVE; }
  void rows(Atoms atoms, Atoms others, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (const std::int64_t b : others) out[k++] = value(pair(a), pair(b));
    }
  }
  void diagonal(Atoms atoms, std::span<double> out) const {
    for (std::size_t k = 0; k < atoms.size(); ++k) out[k] = value(pair(atoms[k]), pair(atoms[k]));
  }
  void write_atom(std::int64_t atom, sculpt::ByteOutput& out) const {
    out.append(pair(atom).data(), pair(atom).size() * sizeof(double));
  }
  void keep(const sculpt::KeptAtoms& atoms) {
    for (std::int64_t k = 0; k < atoms.count(); ++k) {
      const std::string_view bytes = atoms[k];
      Numbers& pair = kept_.emplace_back(bytes.size() / sizeof(double));
      if (bytes.size() % sizeof(double) != 0 || pair.size() <= output_count_) {
        sculpt::KeptAtoms::refuse(k);
      }
      std::memcpy(pair.data(), bytes.data(), bytes.size());
    }
  }
  void kept_rows(Atoms atoms, sculpt::Range kept, std::span<double> out) const {
    std::size_t k = 0;
    for (const std::int64_t a : atoms) {
      for (std::int64_t b = kept.begin; b < kept.end; ++b) {
        out[k++] = value(pair(a), kept_[static_cast<std::size_t>(b)]);
      }
    }
  }

 private:
  const Numbers& pair(std::int64_t atom) const { return pairs_[static_cast<std::size_t>(atom)]; }
  std::size_t output_of(const Numbers& pair) const {
    std::size_t y = 0;
    while (y + 1 < output_count_ && pair[pair.size() - output_count_ + y] == 0) ++y;
    return y;
  }
  double value(const Numbers& a, const Numbers& b) const {
    double distance = 0;
    for (std::size_t j = 0; j + output_count_ < std::min(a.size(), b.size()); ++j) {
      distance += (a[j] - b[j]) * (a[j] - b[j]);
    }
    return std::exp(-gamma_ * distance) * of_outputs_[output_of(a) * output_count_ + output_of(b)];
  }

  double gamma_;
  Numbers of_outputs_;  // [outputs][outputs]
  std::size_t output_count_;
  std::vector<Numbers> pairs_;  // [atoms][inputs + outputs]
  std::vector<Numbers> kept_;   // likewise, from the model
};

}  // namespace

SCULPT_PLUGIN("joint", "1.0.0", "Apache-2.0", sculpt::Dataset<Pairs>, sculpt::Features<Joint>,
              sculpt::Kernel<PairProduct>)
