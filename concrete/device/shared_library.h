#pragma once
/// Shared libraries that are loaded at run time.

#include <initializer_list>
#include <string>

namespace mmaspec::device {

/// A library that stays loaded until the process ends, because drivers have their own threads.
class SharedLibrary {
 public:
  /// Loads the first of these libraries that exists. Throws std::invalid_argument with a message
  /// that starts with `what`.
  SharedLibrary(const std::string& what, std::initializer_list<const char*> names);

  /// Sets `function` to the function of this name in the library.
  template <typename Function>
  void load(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(address(name));
  }

 private:
  void* address(const char* name) const;

  std::string what_;
  void* handle_ = nullptr;
};

}  // namespace mmaspec::device
