# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Shared by the scripts in this folder. Source it after `set -euo pipefail`.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
export PATH="${PATH:-/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin}"
exec </dev/null

say() { printf '\n== %s\n' "$*"; }
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 2
}

# An activated toolkit, or settings of the emulator, must not affect builds and tests.
clean_environment() {
  local name
  for name in $(compgen -e); do
    case $name in
      ACLSIM_JOBS) ;;
      ACLSIM_* | ASCEND_* | ASCENDC_* | SOC_VERSION | DDK_PATH | NPU_HOST_LIB) unset "$name" ;;
      CPATH | LIBRARY_PATH | LD_LIBRARY_PATH | CMAKE_PREFIX_PATH | PKG_CONFIG_PATH | PYTHONPATH)
        unset "$name" ;;
    esac
  done
  unset DESTDIR
  # ccache needs a writable folder.
  if [ -z "${CCACHE_DIR:-}" ] && ! [ -w "${HOME:-/nonexistent}" ]; then
    export CCACHE_DIR="$root/build-ccache"
  fi
}

# As many jobs as processors, fewer if memory is short (1.5 GiB each); ACLSIM_JOBS overrides this.
job_count() {
  local cpus memory
  cpus=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1572864) }' /proc/meminfo)
  memory=$((memory > 0 ? memory : 1))
  echo "${ACLSIM_JOBS:-$((cpus < memory ? cpus : memory))}"
}

# packages SECTION...: the names that packages.txt lists in these sections.
packages() {
  awk -v wanted=" $* " '!/^#/ && index(wanted, " " $1 " ") { print $2 }' "$root/scripts/packages.txt"
}

missing_packages() {
  local package
  for package in $(packages "$@"); do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' ||
      echo "$package"
  done
}

# install_packages SECTION...: installs the missing packages only.
install_packages() {
  local missing as_root=()
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    [ -z "${ACLSIM_SKIP_PACKAGES:-}" ] || return 0
    die "this system has no apt. Install what these Debian packages hold, then run again with" \
      "ACLSIM_SKIP_PACKAGES=1:" $(packages "$@")
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  say "installing" $missing
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null ||
      die "not root and no sudo; ask an administrator to install:" $missing
    as_root=(sudo)
  fi
  as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300)
  "${as_root[@]}" update -q || echo "apt-get update failed; trying with the lists that are there"
  "${as_root[@]}" install -q -y --no-install-recommends $missing ||
    die "apt-get could not install:" $missing
}

# set_up SECTION...: the first steps of every script.
set_up() {
  ACLSIM_SKIP_PACKAGES=${ACLSIM_SKIP_PACKAGES:-}
  local skip=$ACLSIM_SKIP_PACKAGES
  clean_environment
  ACLSIM_SKIP_PACKAGES=$skip install_packages "$@"
  jobs=$(job_count)
}

# build PRESET [CMAKE ARG...]: configures and builds into build-PRESET.
build() {
  local preset=$1
  shift
  (cd "$root" && cmake --preset "$preset" "$@" && cmake --build --preset "$preset" -j "$jobs")
}

# make_packages TREE OUT: the .tar.gz, the .deb and the wheel of a build tree, in the folder OUT.
make_packages() {
  local log=$2/package.log
  mkdir -p "$2"
  cmake --build "$1" --target package >"$log" || { cat "$log"; return 1; }
  # Not by pattern, because packages of older versions may be in the folder.
  sed -n 's/^CPack: - package: \(.*\) generated\.$/\1/p' "$log" | xargs -d '\n' cp -t "$2"
  rm "$log"
  "$root/scripts/build_wheel" --build "$1" --out "$2"
}

# For scripts that check an installation, from their folder $work.
failed=0

# check WHAT COMMAND...: runs a command line in a separate strict shell, which has the exported functions.
# Prints the output only if the command fails. (A plain subshell would ignore -e
# inside the `if`.)
check() {
  local what=$1
  shift
  if bash -euo pipefail -c '"$@"' check "$@" >"$work/log" 2>&1; then
    echo "ok   $what"
  else
    failed=1
    echo "FAIL $what"
    sed 's/^/     /' "$work/log"
  fi
}
absent() { ! "$@"; }  # unlike a bare !, this fails under set -e

# The names that libascendcl exports, for the checks of install trees and packages.
export public_names='^(acl|Msprof|profSet|rt[A-Z])'
