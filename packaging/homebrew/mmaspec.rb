# Homebrew formula: put it into Formula/ of a tap.
class Mmaspec < Formula
  desc "Formal specification and checker of what GPU matrix units compute"
  homepage "https://mmaspec.example"
  url "https://mmaspec.example/releases/v0.1.0/mmaspec-0.1.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "pkgconf" => :build
  depends_on "fmt"
  depends_on :linux
  depends_on "z3"
  depends_on "zlib"

  def install
    # mmaspec uses a program cvc5 in PATH.
    args = %w[
      -DBUILD_TESTING=OFF
      -DCMAKE_UNITY_BUILD=ON
      -DMMASPEC_CVC5=OFF
    ]
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", *args, *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match "mmaspec #{version}", shell_output("#{bin}/mmaspec --version")
    answer = shell_output("#{bin}/mmaspec eval volta/mma.m8n8k4.f32.f16.f16.f32 --a 1,1 --b 1,1 --c 1 --json")
    assert_match "\"d\":\"40400000\"", answer
  end
end
