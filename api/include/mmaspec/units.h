#ifndef MMASPEC_UNITS_H
#define MMASPEC_UNITS_H
/// \file
/// Units: what computes a dot product. One of
///
/// - an instruction of the catalogue, `ARCH/MNEMONIC[@VARIANT]`,
/// - a design, `design:ALGORITHM(key=value,...)`,
/// - a plan of a kernel, `plan:SCHEME(NAME,key=value,...)`,
/// - an algorithm of a plugin, `custom/NAME` (see load_plugin()).
///
/// \code
/// const mmaspec::Unit unit = mmaspec::find_unit("h100/mma.m16n8k16.f32.f16.f16.f32");
/// require(unit.name() == "hopper/mma.m16n8k16.f32.f16.f16.f32");
/// require(unit.formats().k == 16);
/// require(unit.formats().a == mmaspec::Format("f16"));
/// for (const mmaspec::Parameter& p : unit.parameters()) {
///   std::printf("%s = %s: %s\n", p.key.c_str(), p.value.c_str(), p.meaning.c_str());
/// }
/// for (const mmaspec::UnitEvidence& e : unit.evidence()) {
///   std::printf("%s: %s\n", e.unit.c_str(), mmaspec::to_string(e.weakest).c_str());
/// }
/// \endcode

#include <mmaspec/export.h>
#include <mmaspec/formats.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

MMASPEC_BEGIN_NAMESPACE

/// How a property of a unit is known, best first.
enum class Evidence {
  hardware,    ///< recorded results of the unit, or its machine code, reproduce it
  documented,  ///< the vendor's manual states it bit for bit
  emulator,    ///< an emulator that others use for the unit computes so
  model,       ///< a published model states it
  open,        ///< none of these
};
/// `hardware`, `documented`, `emulator`, `model` or `open`.
MMASPEC_EXPORT std::string to_string(Evidence evidence);

/// Formats and length of d = c + a[0] * b[0] + ... + a[k - 1] * b[k - 1].
struct UnitFormats {
  Format a;
  Format b;
  Format c;
  Format d;
  int k;                        ///< products, at least 1
  std::optional<Format> scale;  ///< of block scale factors; nullopt: the unit has none
  int scale_block;              ///< products that share a scale factor; 0: the unit has none

  /// The number of scale factors of a, and of b.
  int scales() const { return scale ? k / scale_block : 0; }
};

/// A parameter of a unit's algorithm.
struct Parameter {
  std::string key;  ///< as `design:` takes it
  std::string value;
  std::string meaning;
};

/// How one parameter of a unit is known.
struct Provenance {
  std::string parameter;  ///< its key; "algorithm" for the algorithm itself
  Evidence evidence;
  std::string source;  ///< the record, manual, emulator or publication
};

/// The weakest evidence behind a unit of the catalogue.
struct UnitEvidence {
  std::string unit;  ///< its name
  Evidence weakest;
  /// Keys of the parameters with this evidence; empty: all have it.
  std::vector<std::string> parameters;
};

/// An instruction, a design or a plan. Immutable; copies are cheap, and share what was built for
/// evaluation. Several threads may use one object.
class MMASPEC_EXPORT Unit {
 public:
  Unit(const Unit& other);
  Unit(Unit&& other) noexcept;
  Unit& operator=(const Unit& other);
  Unit& operator=(Unit&& other) noexcept;
  ~Unit();

  /// The unit's own name. Rows have it, and find_unit() takes it.
  std::string name() const;
  /// The name that was given to find_unit(), such as `h100/...` for `hopper/...`.
  std::string label() const;
  /// The algorithm's name, as `design:` takes it, and where the literature defines it.
  std::string algorithm() const;
  std::string reference() const;
  UnitFormats formats() const;
  std::vector<Parameter> parameters() const;
  std::vector<Provenance> provenance() const;
  /// Of the catalogued instructions that the unit is made of; empty for designs, which are their
  /// own specification.
  std::vector<UnitEvidence> evidence() const;
  /// The names of this unit's other variants, without `@`.
  std::vector<std::string> variants() const;
  /// True if all NaN results have one bit pattern, so that results can be compared bit for bit.
  bool has_canonical_nan() const;

  /// The unit for another k: chained, each result being the next c, with +0 * +0 for the products
  /// that the last run has left. 1 <= k <= 2^24. Throws BadInput if the unit cannot be chained:
  /// c and d have different formats, or zeros are needed and there are block scale factors.
  Unit of_length(int k) const;

 private:
  friend struct UnitAccess;
  struct Data;
  explicit Unit(std::shared_ptr<const Data> data);

  std::shared_ptr<const Data> data_;
};

/// The unit of this name. Case and spaces do not matter. Throws BadInput with one line that says
/// what is unknown, and names the nearest name that exists.
MMASPEC_EXPORT Unit find_unit(std::string_view name);

/// The names of all instructions of the catalogue, of one architecture or product if it is given.
/// Throws BadInput for an unknown one.
MMASPEC_EXPORT std::vector<std::string> unit_names(std::string_view architecture = {});

/// The names of the architectures.
MMASPEC_EXPORT std::vector<std::string> architectures();

/// A product, or a compiler's name for its chip, and the architecture that it stands for.
struct Product {
  std::string name;
  std::string architecture;
};
/// All products that names may have in place of an architecture.
MMASPEC_EXPORT std::vector<Product> products();

MMASPEC_END_NAMESPACE

#endif
