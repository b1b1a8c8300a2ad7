# SPDX-License-Identifier: Apache-2.0
# Source this file (sh, dash, bash, zsh) to compile and run ACL programs with this tree, also after the
# tree was moved:  . <prefix>/set_env.sh    Sourcing it again changes nothing.
# With the argument --cuda (bash, zsh; in other shells `set -- --cuda` before) programs also find the
# emulated libcuda.so.1.

# Sets _ascendcl_file to the path of this file. bash and zsh know it; for another shell it is the
# script that the shell holds open now (in a subshell of it that would be closed).
_ascendcl_locate() {
  _ascendcl_file=
  if [ -n "${BASH_VERSION:-}" ]; then
    eval '_ascendcl_file=${BASH_SOURCE[0]}'
  elif [ -n "${ZSH_VERSION:-}" ]; then
    eval '_ascendcl_file=${(%):-%x}'
  else
    read -r _ascendcl_pid _ascendcl_rest </proc/self/stat
    for _ascendcl_rest in /proc/"$_ascendcl_pid"/fd/*; do
      _ascendcl_rest=$(readlink "$_ascendcl_rest") || continue
      case $_ascendcl_rest in
        */set_env.sh | */setenv.bash) _ascendcl_file=$_ascendcl_rest ;;
      esac
    done
  fi
}

# Sets _ascendcl_root to the folder of this file, or the one above (bin/setenv.bash).
_ascendcl_find_root() {
  _ascendcl_locate
  _ascendcl_root=$(readlink -f -- "${_ascendcl_file:-/nonexistent/file}") || return 1
  _ascendcl_root=${_ascendcl_root%/*}
  [ -e "$_ascendcl_root/lib64" ] || _ascendcl_root=${_ascendcl_root%/*}
  [ -e "$_ascendcl_root/lib64/libascendcl.so" ]
}

# _ascendcl_prepend NAME DIR: puts DIR first in the path list NAME and exports it. The list then has DIR
# once, and no empty element at either end.
_ascendcl_prepend() {
  eval "_ascendcl_rest=:\${$1:-}:"
  while :; do
    case $_ascendcl_rest in
      *":$2:"*) _ascendcl_rest="${_ascendcl_rest%%":$2:"*}:${_ascendcl_rest#*":$2:"}" ;;
      :*) _ascendcl_rest=${_ascendcl_rest#:} ;;
      *:) _ascendcl_rest=${_ascendcl_rest%:} ;;
      *) break ;;
    esac
  done
  eval "export $1=\"\$2\${_ascendcl_rest:+:}\$_ascendcl_rest\""
}

if _ascendcl_find_root; then
  export ASCEND_HOME_PATH="$_ascendcl_root"
  export ASCEND_TOOLKIT_HOME="$_ascendcl_root"
  export ASCEND_INSTALL_PATH="$_ascendcl_root"
  export ASCEND_OPP_PATH="$_ascendcl_root"
  export DDK_PATH="$_ascendcl_root"
  export NPU_HOST_LIB="$_ascendcl_root/runtime/lib64/stub"
  export ASCENDC_CMAKE_DIR="$_ascendcl_root/compiler/tikcpp/ascendc_kernel_cmake"
  export SOC_VERSION="${SOC_VERSION:-Ascend910B1}"
  _ascendcl_prepend PATH "$_ascendcl_root/bin"
  _ascendcl_prepend LD_LIBRARY_PATH "$_ascendcl_root/lib64"
  _ascendcl_prepend LIBRARY_PATH "$_ascendcl_root/lib64"
  if [ "${1:-}" = --cuda ]; then
    _ascendcl_prepend LD_LIBRARY_PATH "$_ascendcl_root/lib64/cuda"
    _ascendcl_prepend LIBRARY_PATH "$_ascendcl_root/lib64/cuda"
  fi
  _ascendcl_prepend CPATH "$_ascendcl_root/include/ascendc"
  _ascendcl_prepend CPATH "$_ascendcl_root/include"
  _ascendcl_prepend CMAKE_PREFIX_PATH "$_ascendcl_root"
  _ascendcl_prepend PKG_CONFIG_PATH "$_ascendcl_root/lib64/pkgconfig"
  if [ -d "$_ascendcl_root/python/site-packages" ]; then  # in a wheel the module lies beside the tree
    _ascendcl_prepend PYTHONPATH "$_ascendcl_root/python/site-packages"
  fi
  _ascendcl_found=0
else
  echo "set_env.sh: cannot tell where this file lies; source it by its path, from bash, zsh or dash" >&2
  _ascendcl_found=1
fi
unset -f _ascendcl_locate _ascendcl_find_root _ascendcl_prepend
unset _ascendcl_file _ascendcl_pid _ascendcl_root _ascendcl_rest
[ "$_ascendcl_found" = 0 ] && unset _ascendcl_found
