#!/usr/bin/env bash
# The packages of Node that tests compare with, into build/node (or OMI_NODE_PACKAGES):
# Jolt Physics as WebAssembly, Khronos' glTF-Validator, the schema of SARIF, and for `make oracles` and `make conformance`
# Babylon.js with Havok. Exit 75 where they cannot be had.
#
#   node_packages.sh install     get the first three if they are missing; as root on Debian also Node and npm
#   node_packages.sh oracles     get all that `make oracles` and `make conformance` need, likewise
set -euo pipefail

FOLDER=${OMI_NODE_PACKAGES:-$(cd "$(dirname "$0")/.." && pwd)/build/node}
TESTS=(jolt-physics@1.1.0 gltf-validator@2.0.0-dev.3.10 @microsoft/jest-sarif@1.0.0-beta.0)
HAVOK=(@babylonjs/core@9.34.0 @babylonjs/loaders@9.28.0 @babylonjs/havok@1.3.14 esbuild@0.28.2 xhr2@0.2.1)

cannot_be_had() {
    echo "packages of Node cannot be had: $*" >&2
    exit 75
}

install() {
    local last=${*: -1}
    [ -f "$FOLDER/node_modules/${last%@*}/package.json" ] && command -v node >/dev/null && return
    if ! command -v npm >/dev/null; then
        { [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; } || cannot_be_had "no npm on PATH"
        apt-get install -y -q --no-install-recommends nodejs npm || cannot_be_had "apt has no Node"
    fi
    mkdir -p "$FOLDER"
    npm install --prefix "$FOLDER" --no-audit --no-fund --no-save --ignore-scripts --loglevel=error \
        "$@" || cannot_be_had "npm cannot install $*"
}

case ${1:-} in
    install) install "${TESTS[@]}" ;;
    # All at once: npm removes what it is not told of.
    oracles) install "${TESTS[@]}" "${HAVOK[@]}" ;;
    *) sed -n '2,7p' "$0" && exit 2 ;;
esac
