# shellcheck shell=sh
# Shared by quickstart, run-tests and .ci/run: installs Debian packages that are missing.
# Usage: install_packages NAME...

install_packages() {
    missing=
    for package in "$@"; do
        if ! dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
            missing="$missing $package"
        fi
    done
    [ -n "$missing" ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "error: this needs Debian's apt-get; install by hand:$missing" >&2
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
    echo "Installing Debian packages:$missing"
    $sudo apt-get update -qq
    # $missing is a list of words
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        $missing >/dev/null
}

# shellcheck disable=SC2034
build_packages="gcc libc6-dev pkg-config meson ninja-build python3 libglib2.0-dev libyaml-dev
    libjson-glib-dev libseccomp-dev libdw-dev libelf-dev libedit-dev libncurses-dev clang-14
    libstdc++-12-dev esbuild"

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
