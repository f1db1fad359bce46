# nix run 'git+file:.?dir=packaging/nix' -- list
{
  description = "Formal specification and checker of what GPU matrix units compute";

  inputs.nixpkgs.url = "nixpkgs";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
      ];
      for = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = for (system: {
        default = nixpkgs.legacyPackages.${system}.callPackage ./package.nix { };
      });
    };
}
