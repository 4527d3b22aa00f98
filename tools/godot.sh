#!/usr/bin/env bash
# Godot 4 for `make oracles`, in the folder of the desktop Blender (desktop_blender.sh), which it asks to read .blend files.
#
#   godot.sh status        exit 1 where there is none in that folder
#   godot.sh install       get it, and Blender, where there is none: Debian's (as root, with apt); exit 75 where it cannot be had
#   godot.sh run ARG ...   run it without a window, with arguments of Godot; it sees the folder that this starts in
#                          (DESKTOP_BLENDER_BIND), and its home folder DESKTOP_BLENDER_HOME
set -euo pipefail

BLENDER=$(dirname "$0")/desktop_blender.sh
FOLDER=${OMI_DESKTOP_BLENDER:-/opt/desktop-blender}

has_godot() { [ "$(id -u)" = 0 ] && [ -x "$FOLDER/usr/bin/godot" ]; }

cannot_be_had() {
    echo "Godot cannot be had: $*" >&2
    exit 75
}

install() {
    if has_godot; then return; fi
    "$BLENDER" install
    [ -x "$FOLDER/usr/bin/apt-get" ] || cannot_be_had "this needs Debian in $FOLDER"
    "$BLENDER" program sh -euc '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q
        apt-get install -y -q --no-install-recommends godot
        apt-get clean' || cannot_be_had "Debian's package cannot be installed"
}

case ${1:-} in
    status) has_godot ;;
    install) install ;;
    run) "$BLENDER" program godot --headless "${@:2}" ;;
    *)
        sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
