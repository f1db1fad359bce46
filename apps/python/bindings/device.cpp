// Devices that stay open, and memory of CUDA devices as Python objects.
#include "apps/python/bindings/device.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "apps/python/bindings/unit.h"

namespace mmaspec::python {

namespace nb = nanobind;

namespace {

using Imported = nb::ndarray<nb::ro>;
using Exported = nb::ndarray<nb::array_api>;

/// Memory of a CUDA device.
class DeviceMemory {
 public:
  DeviceMemory(std::size_t number, std::size_t bytes) : number_(number) {
    const std::scoped_lock held(device_mutex());
    memory_ = opened_device("cuda:" + std::to_string(number))->allocate(bytes);
  }

  std::size_t number() const { return number_; }
  std::uint64_t address() const { return memory_->address(); }

 private:
  std::size_t number_;
  std::unique_ptr<device::Device::Memory> memory_;
};

/// An array of the whole memory in C order, which has `__dlpack__`. `code` and `bits` are DLPack's.
Exported array_of(const nb::object& memory, const std::vector<std::size_t>& shape, int code,
                  int bits) {
  const auto& of = nb::cast<const DeviceMemory&>(memory);
  const nb::dlpack::dtype dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits),
                                1};
  return {reinterpret_cast<void*>(of.address()),
          shape.size(),
          shape.data(),
          memory,
          nullptr,
          dtype,
          nb::device::cuda::value,
          static_cast<int>(of.number())};
}

/// What a DLPack capsule describes: (array that holds the capsule, address, shape, strides in
/// elements, code, bits, lanes, device).
nb::tuple described(const Imported& array) {
  nb::list shape;
  nb::list strides;
  for (std::size_t i = 0; i < array.ndim(); ++i) {
    shape.append(array.shape(i));
    strides.append(array.stride(i));
  }
  const nb::dlpack::dtype dtype = array.dtype();
  return nb::make_tuple(nb::cast(array, nb::rv_policy::reference),
                        reinterpret_cast<std::uintptr_t>(array.data()), nb::tuple(shape),
                        nb::tuple(strides), int{dtype.code}, int{dtype.bits}, int{dtype.lanes},
                        array.device_id());
}

}  // namespace

std::mutex& device_mutex() {
  // Never destroyed, because drivers may be unloaded before other libraries' objects when the
  // process ends.
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

std::shared_ptr<device::Device> opened_device(const std::string& name) {
  static auto& devices = *new std::map<std::string, std::shared_ptr<device::Device>>;
  auto& opened = devices[name];
  if (!opened) opened = device::open_device(name);
  return opened;
}

void bind_device(nb::module_& m) {
  nb::class_<DeviceMemory>(m, "DeviceMemory", "Memory of a CUDA device.")
      .def(nb::init<std::size_t, std::size_t>(), nb::arg("number"), nb::arg("bytes"),
           nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("address", &DeviceMemory::address)
      .def_static("array", &array_of, nb::arg("memory"), nb::arg("shape"), nb::arg("code"),
                  nb::arg("bits"));
  m.def("describe_dlpack", &described, nb::arg("capsule"));
  m.def("cuda_device_of", &device::cuda_device_of, nb::arg("address"));
}

}  // namespace mmaspec::python
