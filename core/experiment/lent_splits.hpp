// lent_splits.hpp - the arrays that a program lends, by the names that its experiments use.
//
// Called by programs that hold the host as a library. The program sculpt lends nothing.
//   LentSplits lent;
//   lent.add(std::make_shared<MemoryRows>("digits", rows));
//   experiment.lend(lent);            {"dataset": {"use": "arrays", "train": {"memory": "digits"}}}
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "problem/components/memory_rows.hpp"

namespace sculpt::core {

class LentSplits {
 public:
  // Lends arrays under their name. Replaces those of the same name for later experiments.
  void add(std::shared_ptr<const MemoryRows> rows) { rows_[rows->name()] = std::move(rows); }
  // Experiments that have the arrays keep them.
  void remove(const std::string& name) { rows_.erase(name); }

  // nullptr if there is none.
  std::shared_ptr<const MemoryRows> find(const std::string& name) const {
    const auto found = rows_.find(name);
    return found == rows_.end() ? nullptr : found->second;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& [name, rows] : rows_) names.push_back(name);
    return names;
  }

 private:
  std::map<std::string, std::shared_ptr<const MemoryRows>> rows_;
};

}  // namespace sculpt::core
