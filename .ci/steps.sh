# shellcheck shell=bash
# Shared by .ci/run and .ci/nightly: steps that are counted, builds.

# site_packages is of setup.sh.
# shellcheck disable=SC2034,SC2154
check_packages="check $site_packages gtkwave gnuplot-nox parallel tmux clang-14 libclang-rt-14-dev lld-14 clang-format-14 clang-tidy-14
    cppcheck shellcheck cmake make python3-numpy jupyter-nbconvert python3-ipykernel python3-matplotlib chromium chromium-driver node-typescript"

passed=0 failed=0

# step NAME COMMAND...: runs it, counts it.
step() {
    local name=$1
    shift
    echo "== $name ($(date -u +%H:%M:%S))"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "== FAILED: $name"
    fi
}

# What clang-tidy looks at: the program and the libraries, without what is compiled for devices.
tidy_sources() {
    git ls-files 'isa/*.c' 'sim/*.c' 'inspect/*.c' 'study/*.c' 'grade/*.c' 'cli/*.c' 'library/*.c' 'runtime/*.c' |
        grep -v '^isa/cuda/include/'
}

# build FOLDER COMPILER OPTION...
build() {
    local folder=$1 compiler=$2
    shift 2
    rm -rf "$folder"
    CC=$compiler meson setup "$folder" "$@" >/dev/null && ninja -C "$folder" | tail -40 &&
        test "${PIPESTATUS[0]}" -eq 0
}

# Options of a build by clang with the sanitizers. What a report needs is lines, not types.
# shellcheck disable=SC2034
sanitizers="-Dmanual=disabled -Db_sanitize=address,undefined -Db_lundef=false -Dc_args=-g1 -Dc_link_args=-fuse-ld=lld"
