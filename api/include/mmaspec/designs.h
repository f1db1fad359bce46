#ifndef MMASPEC_DESIGNS_H
#define MMASPEC_DESIGNS_H
/// \file
/// Names of your own designs and of plans, and plugins.
///
/// A design is an algorithm with parameters that you choose; it need not exist as hardware. A plan
/// is a whole dot product of a kernel: how K is cut into instructions, and how partial results are
/// combined. find_unit() takes both by name.
///
/// \code
/// const std::string design = mmaspec::design_name(
///     "fused-dot-add", {{"k", "4"}, {"fraction_bits", "24"}, {"round", "rne"}});
/// const std::string plan = mmaspec::plan_name("split-k", "hopper/mma.m16n8k16.f32.f16.f16.f32",
///                                             {{"k", "64"}, {"parts", "2"}});
/// require(mmaspec::find_unit(design).algorithm() == "fused-dot-add");
/// require(mmaspec::find_unit(plan).formats().k == 64);
/// \endcode

#include <mmaspec/export.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// A parameter that a design or a plan takes.
struct DesignParameter {
  std::string key;
  std::string allowed;        ///< the values that it takes, such as `0..64`
  std::string default_value;  ///< empty: it must be given
  std::string meaning;
};

/// An algorithm of designs, or a scheme of plans.
struct DesignHelp {
  std::string name;
  std::string reference;  ///< where the literature defines it
  std::vector<DesignParameter> parameters;
};

/// The names of the algorithms that `design:` takes.
MMASPEC_EXPORT std::vector<std::string> design_algorithms();
/// All keys of an algorithm. Throws BadInput for an unknown name.
MMASPEC_EXPORT DesignHelp design_help(std::string_view algorithm);

/// The names of the schemes that `plan:` takes.
MMASPEC_EXPORT std::vector<std::string> plan_schemes();
/// All keys of a scheme. Throws BadInput for an unknown name.
MMASPEC_EXPORT DesignHelp plan_help(std::string_view scheme);

/// Keys with their values.
using KeyValues = std::vector<std::pair<std::string, std::string>>;

/// `design:ALGORITHM(key=value,...)`. Nothing is checked: find_unit() does that.
MMASPEC_EXPORT std::string design_name(std::string_view algorithm, const KeyValues& values);
/// `plan:SCHEME(INNER,key=value,...)`, where INNER is the name of a unit, or of another plan.
/// Nothing is checked: find_unit() does that.
MMASPEC_EXPORT std::string plan_name(std::string_view scheme, std::string_view inner,
                                     const KeyValues& values);

/// Loads a plugin, a shared object that defines algorithms of your own, and returns their names
/// `custom/NAME`. The component `mmaspec::plugin` of the CMake package builds plugins. The file's
/// code runs in this process, and stays loaded. Call this before other threads call find_unit().
/// Throws BadInput with one line that names the file if it is not a plugin of this version, or if
/// an algorithm of the same name exists.
MMASPEC_EXPORT std::vector<std::string> load_plugin(const std::string& file);

MMASPEC_END_NAMESPACE

#endif
