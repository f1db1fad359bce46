#include <mmaspec/units.h>

#include "api/core.h"
#include "queries/statement/pairing.h"
#include "spec/catalog/names/names.h"

namespace mmaspec::v0 {
namespace {

constexpr int kLongest = 1 << 24;

}  // namespace

std::string to_string(Evidence evidence) {
  for (const core::Evidence e : {core::Evidence::hardware, core::Evidence::documented,
                                 core::Evidence::emulator, core::Evidence::model}) {
    if (evidence_of(e) == evidence) return std::string(core::to_string(e));
  }
  return std::string(core::to_string(core::Evidence::open));
}

Unit::Unit(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
Unit::Unit(const Unit& other) = default;
// Copies, because a unit that was moved from must remain valid.
Unit::Unit(Unit&& other) noexcept
    : data_(other.data_) {}  // NOLINT(performance-move-constructor-init)
Unit& Unit::operator=(const Unit& other) = default;
Unit& Unit::operator=(Unit&& other) noexcept {
  data_ = other.data_;
  return *this;
}
Unit::~Unit() = default;

std::string Unit::name() const { return instruction_of(*this).name(); }
std::string Unit::label() const { return instruction_of(*this).label(); }
std::string Unit::algorithm() const { return instruction_of(*this).algorithm.name(); }
std::string Unit::reference() const { return instruction_of(*this).algorithm.reference(); }

UnitFormats Unit::formats() const {
  const DotFormats& f = instruction_of(*this).formats;
  UnitFormats formats{FormatAccess::make(*f.a),
                      FormatAccess::make(*f.b),
                      FormatAccess::make(*f.c),
                      FormatAccess::make(*f.d),
                      f.k,
                      std::nullopt,
                      f.scale_block};
  if (f.scale != nullptr) formats.scale = FormatAccess::make(*f.scale);
  return formats;
}

std::vector<Parameter> Unit::parameters() const {
  std::vector<Parameter> all;
  for (const core::Parameter& p : instruction_of(*this).algorithm.parameters()) {
    all.push_back({p.key, p.value, p.meaning});
  }
  return all;
}

std::vector<Provenance> Unit::provenance() const {
  std::vector<Provenance> all;
  for (const core::Provenance& p : instruction_of(*this).provenance) {
    all.push_back({p.parameter, evidence_of(p.evidence), p.source});
  }
  return all;
}

std::vector<UnitEvidence> Unit::evidence() const {
  return evidence_of(weakest_evidence({instruction_of(*this)}));
}

std::vector<std::string> Unit::variants() const {
  std::vector<std::string> all;
  for (const Instruction& other : in_other_variants(instruction_of(*this))) {
    all.push_back(other.variant);
  }
  return all;
}

bool Unit::has_canonical_nan() const { return instruction_of(*this).canonical_nan; }

Unit Unit::of_length(int k) const {
  return translated([&] {
    require_range("k", k, 1, kLongest);
    return UnitAccess::make(core::of_length(instruction_of(*this), k));
  });
}

Unit find_unit(std::string_view name) {
  return translated([&] { return UnitAccess::make(find_instruction(name)); });
}

std::vector<std::string> unit_names(std::string_view architecture) {
  return translated([&] {
    const std::string wanted = architecture.empty() ? "" : find_architecture(architecture);
    std::vector<std::string> names;
    for (const Instruction& i : catalogue()) {
      if (wanted.empty() || i.architecture == wanted) names.push_back(i.name());
    }
    return names;
  });
}

std::vector<std::string> architectures() { return core::architectures(); }

std::vector<Product> products() {
  std::vector<Product> all;
  for (const auto& [name, architecture] : core::products()) all.push_back({name, architecture});
  return all;
}

}  // namespace mmaspec::v0
