# Nix derivation: pkgs.callPackage ./package.nix { }
{
  lib,
  stdenv,
  cmake,
  ninja,
  pkg-config,
  makeWrapper,
  boost,
  cli11,
  fmt,
  nlohmann_json,
  xbyak,
  z3,
  zlib,
  bitwuzla,
  cadical,
  cvc5,
  src ? ../../.
}:

stdenv.mkDerivation {
  pname = "mmaspec";
  version = "0.1.0";
  inherit src;

  nativeBuildInputs = [
    cmake
    ninja
    pkg-config
    makeWrapper
  ];
  buildInputs = [
    boost
    cli11
    fmt
    nlohmann_json
    z3
    zlib
  ]
  ++ lib.optional stdenv.hostPlatform.isx86_64 xbyak;

  cmakeFlags = [
    (lib.cmakeBool "BUILD_TESTING" false)
    (lib.cmakeBool "CMAKE_UNITY_BUILD" true)
    (lib.cmakeBool "MMASPEC_CVC5" false)
  ];

  # Programs that mmaspec uses if they are in PATH.
  postInstall = ''
    wrapProgram $out/bin/mmaspec --suffix PATH : ${
      lib.makeBinPath [
        bitwuzla
        cadical
        cvc5
      ]
    }
  '';

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/mmaspec eval volta/mma.m8n8k4.f32.f16.f16.f32 --a 1,1 --b 1,1 --c 1
  '';

  meta = {
    description = "Formal specification and checker of what GPU matrix units compute";
    homepage = "https://mmaspec.example";
    license = lib.licenses.asl20;
    platforms = lib.platforms.linux;
    mainProgram = "mmaspec";
  };
}
