#pragma once
/// A temporary folder for other programs' files.

#include <string>

namespace mmaspec::rtl {

/// A new empty folder, removed with this object.
class Scratch {
 public:
  Scratch();  ///< throws std::runtime_error
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::string& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const;
  /// Throws std::runtime_error if the file does not exist.
  std::string read(const std::string& name) const;

 private:
  std::string path_;
};

}  // namespace mmaspec::rtl
