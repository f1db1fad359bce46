// Loads a library at run time.
#include "concrete/device/shared_library.h"

#include <dlfcn.h>

#include <stdexcept>

namespace mmaspec::device {

SharedLibrary::SharedLibrary(const std::string& what, std::initializer_list<const char*> names)
    : what_(what) {
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
  }
  throw std::invalid_argument(what + ": " + *names.begin() + " was not found");
}

void* SharedLibrary::address(const char* name) const {
  void* const found = dlsym(handle_, name);
  if (found == nullptr) {
    throw std::invalid_argument(what_ + ": its library has no function " + name);
  }
  return found;
}

}  // namespace mmaspec::device
