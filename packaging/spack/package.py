"""Spack recipe: put it into packages/mmaspec/ of a Spack repository."""

from spack.package import *


class Mmaspec(CMakePackage):
    """SMT-backed formal specification and checker of what GPU matrix units compute."""

    homepage = "https://mmaspec.example"
    url = "https://mmaspec.example/releases/v0.1.0/mmaspec-0.1.0.tar.gz"

    license("Apache-2.0", checked_by="mmaspec")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("boost@1.74:")
    depends_on("cli11@2.1:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:")
    depends_on("z3@4.8.12:")
    depends_on("zlib-api")

    requires("platform=linux", msg="mmaspec needs Linux")
    conflicts("%gcc@:11", msg="mmaspec needs C++20")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define("CMAKE_UNITY_BUILD", True),
            # A cvc5 program in PATH is used at run time.
            self.define("MMASPEC_CVC5", False),
        ]

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        mmaspec = Executable(self.prefix.bin.mmaspec)
        mmaspec("eval", "volta/mma.m8n8k4.f32.f16.f16.f32", "--a", "1,1", "--b", "1,1", "--c", "1")
