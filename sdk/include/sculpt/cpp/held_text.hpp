// held_text.hpp - the text of a file that a parameter names. It is read once and then kept in the
// state of the component, because a model contains no paths.
//
// SPDX-License-Identifier: Apache-2.0
//
// The parameter `file` is a path. Another parameter can hold the rows themselves. For taxonomies,
// cost tables and grammars.
#pragma once

#include <string>

#include "parameters.hpp"
#include "reading.hpp"
#include "state.hpp"

namespace sculpt {

class HeldText {
 public:
  // `rows` is the name of the other parameter. Throws E_PARAMETER if both are set.
  HeldText(const Parameters& given, const std::string& rows)
      : path_(given.text("file")), known_(!given.is_default(rows)) {
    if (!known_) return;
    if (!path_.empty()) {
      throw parameter_error("file and " + rows + " are both set; take one of them out");
    }
    path_ = rows;
    for (const std::string& row : given.texts(rows)) text_ += row + "\n";
  }

  bool present() const { return known_ || !path_.empty(); }
  // Returns the text as a Source. Reads the file in the first call.
  Source source() {
    sculpt_source raw{sizeof raw, 0, path_.c_str(), nullptr, 0};
    if (!known_) text_ = Source(raw).read();
    known_ = true;
    raw.text = text_.data();
    raw.text_size = static_cast<std::int64_t>(text_.size());
    return Source(raw);
  }

  void save(StateWriter& writer) const {
    writer.integer(known_ ? 1 : 0);
    writer.text(text_);
  }
  void restore(StateReader& reader) {
    known_ = reader.integer() != 0;
    text_ = reader.text();
    path_ = known_ ? "text of the model" : "";
  }

 private:
  std::string path_;
  bool known_;  // True if text_ holds the text.
  std::string text_;
};

}  // namespace sculpt
