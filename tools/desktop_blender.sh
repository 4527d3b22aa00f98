#!/usr/bin/env bash
# A desktop Blender with a window but no screen: Xvfb, software OpenGL, and the newest Blender of Debian.
#
#   desktop_blender.sh status        say which Blender `run` takes; exit 1 where there is none
#   desktop_blender.sh install       get one, where there is none: Debian unstable in a folder of its own
#                                    (as root, with apt); exit 75 where the packages cannot be had
#   desktop_blender.sh run ARG ...   run it with arguments of Blender, under an X server of its own
#   desktop_blender.sh program NAME ARG ...   run another program of the folder, without a window
#
# OMI_DESKTOP_BLENDER    the folder, default /opt/desktop-blender; about 1.7 GB
# DESKTOP_BLENDER_HOME   home folder of the run: preferences and extensions (required by run)
# DESKTOP_BLENDER_BIND   folders, separated by colons, that the run sees at their own paths (default: this one)
# DESKTOP_BLENDER_SIZE   size of the screen and of the window (default 1000x700)
set -euo pipefail

FOLDER=${OMI_DESKTOP_BLENDER:-/opt/desktop-blender}
PACKAGES=(blender xvfb imagemagick tesseract-ocr libgl1-mesa-dri libegl1 python3-numpy python3-requests
    python3-cattr) # the last one is needed by Blender's extension system, though its package does not say so

is_root() { [ "$(id -u)" = 0 ]; }

cannot_be_had() {
    echo "desktop Blender cannot be had: $*" >&2
    exit 75
}

# Print where a desktop Blender comes from: folder, command, host or nothing.
source_of_blender() {
    if is_root && [ -x "$FOLDER/usr/bin/blender" ] && [ -x "$FOLDER/usr/bin/Xvfb" ]; then
        echo folder
    elif command -v desktop-blender >/dev/null; then
        echo command
    elif command -v blender >/dev/null && command -v Xvfb >/dev/null && command -v import >/dev/null; then
        echo host
    fi
}

status() {
    case $(source_of_blender) in
        folder) echo "desktop Blender in $FOLDER" ;;
        command) echo "desktop Blender by the command desktop-blender" ;;
        host) echo "desktop Blender at $(command -v blender)" ;;
        *)
            echo "no desktop Blender: neither $FOLDER, nor blender with Xvfb and ImageMagick on PATH"
            return 1
            ;;
    esac
}

# Do $@ below the folder $1 with the kernel's file systems there; nothing stays mounted afterwards.
inside() {
    unshare --mount bash -euc '
        root=$1; shift
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        mount -t tmpfs tmpfs "$root/tmp"; chmod 1777 "$root/tmp"   # sockets of parallel runs cannot meet
        IFS=:
        for folder in ${BIND:-}; do
            mkdir -p "$root$folder"
            mount --rbind "$folder" "$root$folder"
        done
        exec chroot "$root" "$@"' bash "$@"
}

# Add what a folder of an earlier version lacks: the reader of labels, which tutorials are followed with.
install_reader() {
    [ -x "$FOLDER/usr/bin/tesseract" ] && return
    inside "$FOLDER" sh -euc '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -q
        apt-get install -y -q --no-install-recommends tesseract-ocr
        apt-get clean' || cannot_be_had "tesseract-ocr cannot be installed"
}

install() {
    local new=$FOLDER.new
    if [ "$(source_of_blender)" = folder ]; then
        install_reader
    fi
    if [ -n "$(source_of_blender)" ]; then
        status
        return
    fi
    is_root || cannot_be_had "this needs root"
    command -v apt-get >/dev/null || cannot_be_had "this needs Debian's apt"
    export DEBIAN_FRONTEND=noninteractive
    if ! command -v debootstrap >/dev/null; then
        { apt-get update -q && apt-get install -y -q --no-install-recommends debootstrap; } \
            || cannot_be_had "debootstrap cannot be installed"
    fi
    rm -rf --one-file-system "$new"
    mkdir -p "$new"
    timeout 1200 debootstrap --variant=minbase sid "$new" || cannot_be_had "debootstrap failed"
    # A mirror that lags serves an index past its date. This follows what the machine itself allows.
    if apt-config dump Acquire::Check-Valid-Until | grep -q '"false"'; then
        echo 'Acquire::Check-Valid-Until "false";' >"$new/etc/apt/apt.conf.d/99valid-until"
    fi
    printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d" # no package may start a service
    chmod +x "$new/usr/sbin/policy-rc.d"
    timeout 1200 bash -c "$(declare -f inside)"'; inside "$@"' bash "$new" sh -euc '
        apt-get update -q
        apt-get install -y -q --no-install-recommends "$@"
        apt-get clean
        ln -sf /proc/self/mounts /etc/mtab' sh "${PACKAGES[@]}" \
        || cannot_be_had "Debian's packages cannot be installed"
    mv "$new" "$FOLDER"
    status
}

# Run Blender under an X server of its own and return its exit code.
in_window() {
    local size=${DESKTOP_BLENDER_SIZE:-1000x700} pipe display server window=() code=0
    case ${1:-} in
        -c | --command | -b | --background) ;; # these do not know window options
        *) window=(--window-geometry 0 0 "${size%x*}" "${size#*x}") ;;
    esac
    exec {pipe}<> <(:)
    Xvfb -displayfd "$pipe" -screen 0 "${size}x24" -nolisten tcp >/dev/null 2>&1 &
    server=$!
    read -r -t 30 display <&"$pipe" || {
        echo "Xvfb did not start" >&2
        return 70
    }
    DISPLAY=:$display LIBGL_ALWAYS_SOFTWARE=1 LC_ALL=C.UTF-8 \
        blender --gpu-backend opengl "${window[@]}" "$@" || code=$?
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
    return "$code"
}

# Take out of the environment what would lead programs elsewhere than home.
stay_at_home() {
    unset WAYLAND_DISPLAY PYTHONPATH PYTHONHOME VIRTUAL_ENV BLENDER_USER_RESOURCES
    unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME
}

run() {
    mkdir -p "$DESKTOP_BLENDER_HOME"
    chmod 700 "$DESKTOP_BLENDER_HOME"
    stay_at_home
    case $(source_of_blender) in
        folder)
            export HOME=$DESKTOP_BLENDER_HOME XDG_RUNTIME_DIR=$DESKTOP_BLENDER_HOME
            export BIND=${DESKTOP_BLENDER_BIND:-$PWD}:$DESKTOP_BLENDER_HOME
            inside "$FOLDER" bash -c "$(declare -f in_window)"'; cd "$1"; shift; in_window "$@"' bash "$PWD" "$@"
            ;;
        command) desktop-blender "$@" ;;
        host)
            export HOME=$DESKTOP_BLENDER_HOME XDG_RUNTIME_DIR=$DESKTOP_BLENDER_HOME
            in_window "$@"
            ;;
        *) status ;;
    esac
}

# Run a program of the folder in this one.
program() {
    [ "$(source_of_blender)" = folder ] || cannot_be_had "this needs root, and the folder $FOLDER"
    export BIND=${DESKTOP_BLENDER_BIND:-$PWD}
    stay_at_home
    if [ -n "${DESKTOP_BLENDER_HOME:-}" ]; then
        export HOME=$DESKTOP_BLENDER_HOME XDG_RUNTIME_DIR=$DESKTOP_BLENDER_HOME BIND=$BIND:$DESKTOP_BLENDER_HOME
    fi
    inside "$FOLDER" bash -c 'cd "$1"; shift; exec "$@"' bash "$PWD" "$@"
}

case ${1:-} in
    status) status ;;
    install) install ;;
    run) run "${@:2}" ;;
    program) program "${@:2}" ;;
    *)
        sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
