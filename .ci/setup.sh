# shellcheck shell=sh
# Shared by quickstart, run-tests and .ci/run: installs Debian packages that are missing.

# is_installed NAME: a Debian package.
is_installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# choose NAMES...: the first of them that apt knows, or the last.
choose() {
    for name in "$@"; do
        # Without a candidate, or with (none), other packages only name it.
        if apt-cache policy "$name" 2>/dev/null | grep -q 'Candidate: [^(]'; then
            break
        fi
    done
    echo "$name"
}

# can_build [PACKAGE...]: whether everything is there to build, whoever put it there: for systems without apt-get.
# Of the packages only the unit-test library check is looked for, which is not needed by every build.
can_build() {
    for tool in cc meson ninja pkg-config python3; do
        command -v $tool >/dev/null || return 1
    done
    case " $* " in
    *" check "*) pkg-config --exists check || return 1 ;;
    esac
    pkg-config --exists glib-2.0 gio-2.0 yaml-0.1 json-glib-1.0 libseccomp libdw libelf libedit ncursesw zlib libzstd liblz4
}

# What to install where there is no apt-get. These names have been looked up, not tried.
name_packages() {
    if command -v dnf >/dev/null; then
        echo "sudo dnf install gcc gcc-c++ meson ninja-build pkgconf python3 glib2-devel libyaml-devel json-glib-devel" \
            "libseccomp-devel elfutils-devel libedit-devel ncurses-devel zlib-devel libzstd-devel lz4-devel check-devel clang"
    elif command -v pacman >/dev/null; then
        echo "sudo pacman -S base-devel meson ninja pkgconf python glib2-devel libyaml json-glib libseccomp elfutils" \
            "libedit ncurses zlib zstd lz4 check clang"
    elif command -v apk >/dev/null; then
        echo "sudo apk add build-base meson ninja pkgconf python3 glib-dev yaml-dev json-glib-dev libseccomp-dev" \
            "elfutils-dev libedit-dev ncurses-dev zlib-dev zstd-dev lz4-dev check-dev clang"
    elif command -v brew >/dev/null; then
        echo "brew install gcc meson ninja pkgconf python glib libyaml json-glib libseccomp elfutils libedit ncurses" \
            "zlib zstd lz4 check llvm"
    else
        echo "a C compiler, meson, ninja, pkg-config, python3, clang, and the development files of GLib, libyaml," \
            "json-glib, libseccomp, elfutils, libedit, ncurses, zlib, zstd, lz4 and check"
    fi
}

# NAME may be several with | between: one of them is enough, the first that there is to be had.
install_packages() {
    missing=
    for package in "$@"; do
        found=
        for name in $(echo "$package" | tr '|' ' '); do
            if is_installed "$name"; then
                found=$name
            fi
        done
        [ -n "$found" ] || missing="$missing $package"
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null; then
        if can_build "$@"; then
            return 0
        fi
        echo "error: something is missing to build Warpstep; install: $(name_packages)" >&2
        echo "(The names have been looked up and not been tried; Warpstep is tried on Debian 12 and 13.)" >&2
        exit 1
    fi
    sudo=
    if [ "$(id -u)" != 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "error: not root and no sudo; as root: apt-get install$missing" >&2
            exit 1
        fi
        sudo=sudo
    fi
    $sudo apt-get update -qq
    chosen=
    for package in $missing; do
        # shellcheck disable=SC2046
        chosen="$chosen $(choose $(echo "$package" | tr '|' ' '))"
    done
    echo "Installing Debian packages:$chosen"
    # $chosen is a list of words
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $chosen >/dev/null
}

# shellcheck disable=SC2034
build_packages="gcc libc6-dev pkg-config meson ninja-build python3 libglib2.0-dev libyaml-dev
    libjson-glib-dev libseccomp-dev libdw-dev libelf-dev libedit-dev libncurses-dev zlib1g-dev
    libzstd-dev liblz4-dev clang-14|clang-19|clang-18|clang-17|clang-16|clang-15|clang libstdc++-12-dev|libstdc++-13-dev|libstdc++-14-dev esbuild"

# What builds the manual as a site.
site_packages="python3-sphinx python3-myst-parser"

# What ./make-release needs besides: for the tarballs, for the Debian packages.
# shellcheck disable=SC2034
release_packages="git ca-certificates binutils patchelf $site_packages"
# shellcheck disable=SC2034
debian_packages="build-essential debhelper lintian $site_packages"

# configure FOLDER [OPTION...]: sets up a build folder, or changes the options of one.
configure() {
    folder=$1
    shift
    if [ -f "$folder/build.ninja" ]; then
        meson configure "$folder" "$@"
    else
        meson setup "$folder" "$@"
    fi
}
