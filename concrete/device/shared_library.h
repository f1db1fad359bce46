#pragma once
/// Shared libraries that are loaded at run time.

#include <initializer_list>
#include <string>

namespace mmaspec::device {

/// A library that stays loaded until the process ends: drivers have threads of their own.
class SharedLibrary {
 public:
  /// The first of these that is there. Throws std::invalid_argument, which begins with `what`.
  SharedLibrary(const std::string& what, std::initializer_list<const char*> names);

  /// Sets `function` to the library's function of this name.
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
