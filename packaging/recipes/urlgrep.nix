# nix-env -if urlgrep.nix
{ pkgs ? import <nixpkgs> { } }:

let
  archives = {
    x86_64-linux = {
      url = "@url x86_64-unknown-linux-musl@";
      sha256 = "@sha256 x86_64-unknown-linux-musl@";
    };
    aarch64-linux = {
      url = "@url aarch64-unknown-linux-musl@";
      sha256 = "@sha256 aarch64-unknown-linux-musl@";
    };
    x86_64-darwin = {
      url = "@url x86_64-apple-darwin@";
      sha256 = "@sha256 x86_64-apple-darwin@";
    };
    aarch64-darwin = {
      url = "@url aarch64-apple-darwin@";
      sha256 = "@sha256 aarch64-apple-darwin@";
    };
  };
in
pkgs.stdenvNoCC.mkDerivation {
  pname = "urlgrep";
  version = "@version@";
  src = pkgs.fetchurl archives.${pkgs.stdenvNoCC.hostPlatform.system};
  installPhase = ''
    mkdir $out
    cp -r bin share $out
  '';
  # On macOS a program is signed as it is.
  dontStrip = true;
  meta = {
    description = "@summary@";
    homepage = "@homepage@";
    license = map pkgs.lib.getLicenseFromSpdxId [ @licences without commas@ ];
    mainProgram = "urlgrep";
    platforms = builtins.attrNames archives;
  };
}
