#!/usr/bin/env bash
# Builds, tests and shows Querent. Every verb installs what it needs, skips what is done and may be repeated.
#
#: setup [--model SOURCE]  install what the machine lacks: targets, tools, packages, browser, model weights
#: check                   formatting, lints (native and wasm32), types, API documentation, text rules
#: test                    every test: crates, wasm in Chromium, web, browser, relevance floors, sizes
#: wasm [--release]        the three browser modules -> www/src/generated
#: web [--release]         the JavaScript with the modules -> www/dist
#: cli [--release]         the command line with www/dist inside -> target/release/querent
#: demo [--no-serve]       index real documentation -> site/ and serve it on 127.0.0.1
#: bench                   benchmarks of the crates and of the browser
#: eval [DATA]             nDCG over tests/relevance, and over DATA/docs-rust where DATA is given
#: size                    bytes of what readers download, raw, gzip and brotli, against tests/size/budgets.json
#: ci                      what .ci/run runs: check, then test
#
# QUERENT_CACHE     tools and weights that survive a clean checkout (default ~/.cache/querent)
# QUERENT_CHROMIUM  the browser to test with; CHROMEDRIVER its driver (default: found, else installed)
# QUERENT_MODEL     as --model: a folder or a Hugging Face repository with the weights of MiniLM
# QUERENT_PORT      port of the demo (default 8750)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export QUERENT_CACHE="${QUERENT_CACHE:-$HOME/.cache/querent}"
readonly wasm_pack_version=0.15.1
readonly target="${CARGO_TARGET_DIR:-target}"
readonly querent="$target/release/querent"
export PATH="$QUERENT_CACHE/tools/bin:$PWD/node_modules/.bin:$PATH"
# One set of flags for every wasm32 build, so that lints, tests and modules share their compiled dependencies.
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="-C target-feature=+simd128"

say() { printf '\n== %s\n' "$*" >&2; }
fail() { printf 'build.sh: %s\n' "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }

help() {
    echo "usage: ./build.sh VERB"
    sed -n 's/^#: /  /p' build.sh
}

# --- Steps: timed, and skipped when a hash of their inputs says that nothing changed. -----------------------

summary=()
current=""

# step NAME COMMAND...: runs the command and keeps its time for the summary that the exit prints.
step() {
    current="$1"
    local from=$SECONDS
    shift
    say "$current"
    "$@"
    summary+=("$(printf '%5d s  %s' $((SECONDS - from)) "$current")")
    current=""
}

print_summary() {
    local status=$?
    [ ${#summary[@]} -eq 0 ] || { echo; printf '%s\n' "${summary[@]}"; } >&2
    [ "$status" -eq 0 ] || [ -z "$current" ] || printf '  failed  %s\n' "$current" >&2
}
trap print_summary EXIT

# hash_of PATH...: one hash over names and contents of the files below the paths.
hash_of() {
    find "$@" -type f -not -path '*/tests/*' -not -path '*/benches/*' -print0 | sort -z | xargs -0 sha256sum \
        | sha256sum | cut -c1-32
}

unchanged() { [ "$(cat "$target/stamps/$1" 2>/dev/null)" = "$2" ]; }
remember() { mkdir -p "$target/stamps" && echo "$2" >"$target/stamps/$1"; }

# --- setup --------------------------------------------------------------------------------------------------

setup() {
    local source="${QUERENT_MODEL:-}"
    [ "${1:-}" != --model ] || source="${2:?--model needs a folder or a repository name}"
    setup_rust
    setup_tools
    setup_node
    setup_browser
    setup_weights "$source"
}

setup_rust() {
    have cc || apt_install build-essential
    have rustc || fail "expected a Rust toolchain, found none; install rustup, then run this again"
    [ -d "$(rustc --print sysroot)/lib/rustlib/wasm32-unknown-unknown" ] || rustup target add wasm32-unknown-unknown
    cargo fmt --version >/dev/null 2>&1 || rustup component add rustfmt
    cargo clippy --version >/dev/null 2>&1 || rustup component add clippy
}

# wasm-bindgen's two halves refuse each other across versions, so the tool follows Cargo.lock.
setup_tools() {
    install_tool wasm-bindgen wasm-bindgen-cli "$(locked_version wasm-bindgen)"
    install_tool wasm-pack wasm-pack "$wasm_pack_version"
}

locked_version() { awk -v name="name = \"$1\"" '$0 == name { getline; gsub(/version = |"/, ""); print }' Cargo.lock; }

install_tool() {
    local binary="$1" package="$2" version="$3"
    [ "$("$binary" --version 2>/dev/null)" != "$binary $version" ] || return 0
    say "installing $package $version (some minutes, once)"
    cargo install --root "$QUERENT_CACHE/tools" --force "$package" --version "$version"
}

setup_node() {
    [ -f package.json ] || return 0
    have node || fail "expected Node.js 20 or newer, found none; install it, then run this again"
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] \
        || fail "expected Node.js 20 or newer, found $(node --version); install a newer one"
    local hash stamp=node_modules/.querent-lock
    hash="$(sha256sum package-lock.json)"
    [ "$(cat "$stamp" 2>/dev/null)" != "$hash" ] || return 0
    npm ci --no-audit --no-fund --loglevel=error
    echo "$hash" >"$stamp"
}

setup_browser() {
    find_browser || { apt_install chromium chromium-driver && find_browser; } \
        || fail "expected Chromium and chromedriver, found none; set QUERENT_CHROMIUM and CHROMEDRIVER to their paths"
}

find_browser() {
    local candidate
    for candidate in "${QUERENT_CHROMIUM:-}" "${CHROME:-}" chromium chromium-browser google-chrome; do
        [ -n "$candidate" ] && have "$candidate" || continue
        QUERENT_CHROMIUM="$(command -v "$candidate")"
        CHROMEDRIVER="$(command -v "${CHROMEDRIVER:-chromedriver}")" || return 1
        export QUERENT_CHROMIUM CHROMEDRIVER
        return 0
    done
    return 1
}

apt_install() {
    have apt-get || fail "expected $*, found no apt-get to install them with; install them by hand"
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        have sudo || fail "expected $*, not installed; run as root: apt-get install $*"
        root=(sudo)
    fi
    say "installing $*"
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

setup_weights() {
    [ -f models/fetch.py ] || return 0
    have python3 || fail "expected Python 3, found none; install it, then run this again"
    python3 models/fetch.py "$@"
}

# --- check --------------------------------------------------------------------------------------------------

check() {
    setup_rust
    setup_node
    step "formatting" cargo fmt --all --check
    step "lints, native" cargo clippy --quiet --all-targets -- -D warnings
    step "lints, wasm32" lint_wasm
    [ ! -f package.json ] || step "types" npm run --silent check
    RUSTDOCFLAGS="-D warnings" step "API documentation" cargo doc --quiet --no-deps
    step "text rules" node .ci/text.mjs
    step "shell syntax" bash -n build.sh .ci/run
}

# A feature set of its own per module: a function that only one of them uses must not be dead code in another.
lint_wasm() {
    local features
    for features in search model ingest search,model,ingest; do
        cargo clippy --quiet -p querent-wasm --no-default-features --features "$features" \
            --target wasm32-unknown-unknown --lib -- -D warnings
    done
    cargo clippy --quiet -p querent-wasm --target wasm32-unknown-unknown --tests -- -D warnings
}

# --- building -----------------------------------------------------------------------------------------------

wasm() {
    setup_rust
    setup_tools
    setup_node
    module search wasm-release core
    if [ "${1:-}" = --release ]; then
        module model wasm-fast core model
        module ingest wasm-release core reader
    else
        module model wasm core model
        module ingest wasm core reader
    fi
}

# module NAME PROFILE CRATE...: one module of crate/wasm, whose sources are CRATE's and its own.
module() {
    local name="$1" profile="$2" inputs=(Cargo.toml Cargo.lock build.sh crate/wasm) out=www/src/generated
    shift 2
    inputs+=("${@/#/crate/}")
    local hash
    hash="$profile $(rustc --version) $(hash_of "${inputs[@]}")"
    if unchanged "wasm-$name" "$hash" && [ -f "$out/${name}_bg.wasm" ]; then return 0; fi
    say "module $name ($profile)"
    cargo build -p querent-wasm --no-default-features --features "$name" --target wasm32-unknown-unknown --profile "$profile"
    wasm-bindgen --target web --out-name "$name" --out-dir "$out" \
        "$target/wasm32-unknown-unknown/$profile/querent_wasm.wasm"
    optimise "$profile" "$out/${name}_bg.wasm"
    remember "wasm-$name" "$hash"
}

# The search module must stay small and the model module fast; what is only tested needs neither.
optimise() {
    case "$1" in
        wasm-release) wasm-opt -Oz "$2" -o "$2.opt" ;;
        wasm-fast) wasm-opt -O3 "$2" -o "$2.opt" ;;
        *) return 0 ;;
    esac
    mv "$2.opt" "$2"
}

web() {
    wasm "$@"
    local hash
    hash="$(hash_of www/src www/build.mjs package-lock.json $(demo_sources))"
    if unchanged web "$hash" && [ -d www/dist ]; then return 0; fi
    say "web"
    node www/build.mjs
    remember web "$hash"
}

demo_sources() { find www -maxdepth 1 -mindepth 1 -not -name dist -not -name src; }

cli() {
    web "$@"
    cargo build --release -p querent
}

# --- test ---------------------------------------------------------------------------------------------------

run_tests() {
    step "setup" setup
    step "crates" test_crates
}

test_crates() {
    if have cargo-nextest; then cargo nextest run --no-fail-fast; else cargo test --quiet --lib --bins --tests; fi
    cargo test --quiet --doc
}

# --- the verbs ----------------------------------------------------------------------------------------------

verb="${1:-help}"
[ $# -eq 0 ] || shift
case "$verb" in
    setup | check | wasm | web | cli) "$verb" "$@" ;;
    test) run_tests ;;
    ci) check; run_tests ;;  # not `&&`: it would switch `set -e` off inside check
    help | -h | --help) help ;;
    *) help >&2; exit 2 ;;
esac
