// held_text.hpp - the text of a file that a parameter names. It is read once and then kept in the
// state of the component, because a model contains no paths.
//
// SPDX-License-Identifier: Apache-2.0
//
// The parameter `file` is a path. Another parameter can hold the rows themselves. For taxonomies,
// cost tables, grammars and patterns. One thread at a time: call source() in load() or bind().
#pragma once

#include <string>

#include "parameters.hpp"
#include "reading.hpp"
#include "state.hpp"

namespace sculpt {

class HeldText {
 public:
  // `rows` is the name of the other parameter, `file` that of the path. Throws parameter_error() if
  // both are set.
  HeldText(const Parameters& given, const std::string& rows, const std::string& file = "file")
      : path_(given.text(file)), has_text_(!given.is_default(rows)) {
    if (!has_text_) return;
    if (!path_.empty()) {
      throw parameter_error(file + " and " + rows + " are both set; remove one of them");
    }
    path_ = rows;
    for (const std::string& row : given.texts(rows)) text_ += row + "\n";
  }

  // True if there is a text: from one of the two parameters, or from restore().
  bool present() const { return has_text_ || !path_.empty(); }
  // Returns the text as a Source, which has its own copy. Requires present(). The first call reads
  // the file, and throws missing_error() if that fails. After restore() it reads no file.
  Source source() {
    sculpt_source raw{sizeof raw, 0, path_.c_str(), nullptr, 0};
    if (!has_text_) text_ = Source(raw).read();
    has_text_ = true;
    raw.text = text_.data();
    raw.text_size = static_cast<std::int64_t>(text_.size());
    return Source(raw);
  }

  void save(StateWriter& writer) const {
    writer.integer(has_text_ ? 1 : 0);
    writer.text(text_);
  }
  void restore(StateReader& reader) {
    has_text_ = reader.integer() != 0;
    text_ = reader.text();
    path_ = has_text_ ? "text of the model" : "";
  }

 private:
  std::string path_;
  bool has_text_;  // True if text_ is set.
  std::string text_;
};

}  // namespace sculpt
