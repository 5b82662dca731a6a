// svmrank.hpp - a dataset whose examples are queries: consecutive rows "grade qid:number
// index:value ...". Called by the host (ranking.cpp).
#pragma once

#include <sculpt/cpp/cached_arrays.hpp>
#include <sculpt/cpp/index_base.hpp>
#include <sculpt/sculpt.hpp>
#include <vector>

#include "grade_table.hpp"

namespace ranking {

class SvmRank {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.svmrank", "1.0.0",
      "queries: consecutive rows `grade qid:number index:value ...`, one for each document",
      "the file format of SVM-rank, Joachims, KDD 2006"};
  static constexpr sculpt_parameter parameters[] = {sculpt::first_index(),
                                                    sculpt::scaling_by_query()};
  using drafts = sculpt::Drafts<sculpt::CachedArrays>;

  SvmRank(const sculpt::Parameters& given, sculpt::Host host) : host_(host), base_(given) {}

  void load(std::string_view split, const sculpt::Source& source);
  // What load() fills (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    cache(store_, grades_);
  }

  std::int64_t count() const { return store_.count(); }
  sculpt::Range split(std::string_view name) const { return store_.split(name); }
  sculpt::Labels truth(std::int64_t example) const { return grades_.truth(example); }
  // Returns the place of an example: "train.txt:17".
  std::string place(std::int64_t example) const { return store_.place(example); }
  // The columns of its rows can be scaled (sculpt/cpp/scaling.hpp).
  sculpt::SiteStore& scaled_rows() { return store_; }

  std::int64_t feature_count() const { return feature_count_; }
  std::int32_t state_count() const { return grades_.count(); }
  sculpt_sites sites(std::int64_t example) const { return store_.sites(example); }
  void state_name(std::int32_t state, sculpt::ByteOutput& out) const {
    out << grades_.name_of(state);
  }
  void feature_name(std::int64_t feature, sculpt::ByteOutput& out) const {
    out << "feature " << base_.index_of(feature);
  }

  // Text has a line for each document: its rank, from 1. For counts of swapped pairs it has both:
  // worse documents before it and better ones after it.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  // The rows of a query in their file.
  struct Query {
    std::size_t begin = 0;
    std::vector<double> grades;  // empty if unlabelled
    std::size_t rows = 0;
    std::int64_t line = 0;   // of its first row, from 1
    std::size_t column = 0;  // from 0
  };
  struct File {
    std::vector<Query> queries;
    sculpt::SparseRows entries;
  };

  static File read(sculpt::LineReader& reader);
  static void check_labelled(const File& file, const sculpt::LineReader& reader);
  void learn(const File& file, const sculpt::Source& source);
  void warn_of_one_grade(std::int64_t queries, const File& file, bool is_training,
                         const std::string& path) const;

  sculpt::Host host_;
  sculpt::IndexBase base_;
  std::int64_t feature_count_ = 0;
  bool has_learned_ = false;
  GradeTable grades_;
  sculpt::SiteStore store_;  // without truths
};

}  // namespace ranking
