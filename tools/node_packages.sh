#!/usr/bin/env bash
# The packages of Node that tests compare with, into build/node (or OMI_NODE_PACKAGES):
# Jolt Physics as WebAssembly. Exit 75 where they cannot be had.
#
#   node_packages.sh install     get what is missing; as root on Debian also Node and npm themselves
set -euo pipefail

FOLDER=${OMI_NODE_PACKAGES:-$(cd "$(dirname "$0")/.." && pwd)/build/node}
PACKAGES=(jolt-physics@1.1.0)

cannot_be_had() {
    echo "packages of Node cannot be had: $*" >&2
    exit 75
}

install() {
    [ -f "$FOLDER/node_modules/jolt-physics/package.json" ] && command -v node >/dev/null && return
    if ! command -v npm >/dev/null; then
        { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; } || cannot_be_had "no npm on PATH"
        apt-get install -y -q --no-install-recommends nodejs npm || cannot_be_had "apt has no Node"
    fi
    mkdir -p "$FOLDER"
    npm install --prefix "$FOLDER" --no-audit --no-fund --no-save --ignore-scripts --loglevel=error \
        "${PACKAGES[@]}" || cannot_be_had "npm cannot install ${PACKAGES[*]}"
}

case ${1:-} in
    install) install ;;
    *) sed -n '2,5p' "$0" && exit 2 ;;
esac
