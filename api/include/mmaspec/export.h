#ifndef MMASPEC_EXPORT_H
#define MMASPEC_EXPORT_H
/// \file
/// Macros of the headers in this folder. Programs do not use them.
///
/// All names are in the inline namespace mmaspec::v0, so that the symbols of two incompatible
/// versions of the library differ. Programs write mmaspec::NAME.

/// Marks what libmmaspec.so exports; all other symbols of the library are hidden.
#define MMASPEC_EXPORT __attribute__((visibility("default")))

// The library's own sources have other types of the same names in the namespace mmaspec.
#ifdef MMASPEC_API_SOURCE
#define MMASPEC_BEGIN_NAMESPACE \
  namespace mmaspec {           \
  namespace v0 {
#else
#define MMASPEC_BEGIN_NAMESPACE \
  namespace mmaspec {           \
  inline namespace v0 {
#endif
#define MMASPEC_END_NAMESPACE \
  }                           \
  }

#endif
