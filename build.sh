#!/usr/bin/env bash
# Builds, tests and shows Querent. Every verb installs what it needs, skips what is done and may be repeated.
#
#: setup [--model SOURCE] [--reranker SOURCE]
#:                         install what the machine lacks: targets, tools, packages, browser, model weights
#: check                   formatting, lints (native and wasm32), types, API documentation, text rules
#: test                    every test: crates, wasm in Chromium, web, browser, relevance floors, sizes
#: wasm [--release]        the browser modules -> www/src/generated
#: web [--release]         the JavaScript with the modules -> www/dist
#: cli [--release]         the command line with www/dist inside -> target/release/querent
#: encoder                 train models/query-encoder.base again, from which the query encoders of sites are fitted
#: demo [--no-serve]       index real documentation -> site/ and serve it on 127.0.0.1
#: bench                   benchmarks of the crates and of the browser
#: eval [DATA] [OPTIONS]   docs/quality.md: the ranking over judged sets beside Pagefind, MiniSearch and BM25; DATA
#:                         holds the sets that are not in this repository (default ../shared/data); OPTIONS such as
#:                         --sets own,docs-rust and --modes lexical,hybrid: see tests/quality/quality.py
#: eval-questions [DATA] [OPTIONS]
#:                         docs/questions.md: what questions by rules and by language models do for a search, from kept
#:                         replies; DATA as for eval, OPTIONS of tests/questions/questions.py
#: llm [--test] [MODEL]    a small language model behind a server of llama.cpp's, until Ctrl-C; with --test the tests that
#:                         want a real model instead; MODEL is a name of tests/llm/models.json
#: size                    bytes of what readers download, raw, gzip and brotli, against tests/size/budgets.json
#: ci                      what .ci/run runs: check, then test
#
# QUERENT_CACHE     tools, weights and embeddings that survive a clean checkout (default ~/.cache/querent)
# QUERENT_CHROMIUM  the browser to test with; CHROMEDRIVER its driver (default: found, else installed)
# QUERENT_PORT      port of the demo (default 8750)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

export QUERENT_CACHE="${QUERENT_CACHE:-$HOME/.cache/querent}"
export QUERENT_MODELS="${QUERENT_MODELS:-$QUERENT_CACHE/models}"
readonly wasm_pack_version=0.15.1
readonly target="${CARGO_TARGET_DIR:-target}"
readonly querent="$target/release/querent"
export PATH="$QUERENT_CACHE/tools/bin:$PWD/node_modules/.bin:$PATH"

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

# hash_of PATH...: one hash over names and contents of the files below the paths, tests left out.
hash_of() { find "$@" -type f -not -path '*/tests/*' -not -path '*/benches/*' -print0 | hash_files; }
hash_files() { sort -z | xargs -0 sha256sum | sha256sum | cut -c1-32; }

unchanged() { [ "$(cat "$target/stamps/$1" 2>/dev/null)" = "$2" ]; }
remember() { mkdir -p "$target/stamps" && echo "$2" >"$target/stamps/$1"; }

# --- setup --------------------------------------------------------------------------------------------------

setup() {
    local model="" reranker=""
    while [ $# -gt 0 ]; do
        case "$1" in
            --model) model="${2:?--model needs a folder or a repository name}" ;;
            --reranker) reranker="${2:?--reranker needs a folder or a repository name}" ;;
            *) fail "setup: expected --model SOURCE or --reranker SOURCE, got $1" ;;
        esac
        shift 2
    done
    setup_rust
    setup_tools
    setup_node
    setup_browser
    setup_weights all-MiniLM-L6-v2 "$model"
    setup_weights ms-marco-MiniLM-L-12-v2 "$reranker"
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
    have node || fail "expected Node.js 20 or newer, found none; install it, then run this again"
    [ "$(node -p 'process.versions.node.split(".")[0]')" -ge 20 ] \
        || fail "expected Node.js 20 or newer, found $(node --version); install a newer one"
    local hash stamp=node_modules/.querent-lock
    hash="$(sha256sum package-lock.json)"
    [ "$(cat "$stamp" 2>/dev/null)" != "$hash" ] || return 0
    npm ci --no-audit --no-fund --loglevel=error >&2
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

# setup_weights MODEL [SOURCE]: a folder, or OWNER/NAME of a Hugging Face repository, instead of the default source.
setup_weights() {
    have python3 || fail "expected Python 3, found none; install it, then run this again"
    if [ -z "${2:-}" ]; then python3 models/fetch.py --model "$1"
    elif [ -d "$2" ]; then python3 models/fetch.py --model "$1" --from "$2"
    else python3 models/fetch.py --model "$1" --from-hub "$2"
    fi
}

# --- check --------------------------------------------------------------------------------------------------

check() {
    setup_rust
    setup_tools
    setup_node
    step "formatting" cargo fmt --all --check
    step "lints, native" cargo clippy --quiet --all-targets -- -D warnings
    step "lints, wasm32" lint_wasm
    step "modules" wasm # their declarations are what TypeScript is checked against
    step "types" npm run --silent check
    RUSTDOCFLAGS="-D warnings" step "API documentation" cargo doc --quiet --no-deps
    step "text rules" node .ci/text.mjs
    step "shell syntax" bash -n build.sh .ci/run
}

# A feature set of its own per module: a function that only one of them uses must not be dead code in another.
lint_wasm() {
    local features
    for features in search search-languages store model ingest ingest-documents ask; do
        cargo clippy --quiet -p querent-wasm --no-default-features --features "$features" \
            --target wasm32-unknown-unknown --lib -- -D warnings
    done
    cargo clippy --quiet -p querent-wasm --target wasm32-unknown-unknown --tests -- -D warnings
}

# --- building -----------------------------------------------------------------------------------------------

# The modules of every first search are always built as they ship: they are small, and their size is a promise.
# The others take minutes that way, so only --release spends them.
wasm() {
    setup_rust
    setup_tools
    setup_node
    module search wasm-release -Oz core
    module search-languages wasm-release -Oz core # the same glue as search: the worker's script holds it once
    module store wasm-release -Oz
    module ask wasm-release -Oz core
    if [ "${1:-}" = --release ]; then
        module model wasm -O3 core model
        module ingest wasm-release -Oz core reader
        module ingest-documents wasm-release -Oz core reader # the same glue as ingest
    else
        module model wasm "" core model
        module ingest wasm "" core reader
        module ingest-documents wasm "" core reader
    fi
}

# module NAME PROFILE OPTIMISATION CRATE...: one module of crate/wasm, made from CRATE's sources and its own.
# Where no optimisation is asked for, a module that was optimised from the same sources will do.
module() {
    local name="$1" profile="$2" optimisation="$3" out=www/src/generated
    local wasm="$out/${name}_bg.wasm" hash how="$profile $optimisation"
    shift 3
    hash="$(rustc --version | cut -d' ' -f2) $(hash_of .cargo Cargo.toml Cargo.lock crate/wasm "${@/#/crate/}")"
    if [ -f "$wasm" ] && built "wasm-$name" "$hash" "$optimisation"; then return 0; fi
    say "module $name ($how)"
    cargo build -p querent-wasm --lib --no-default-features --features "$name" \
        --target wasm32-unknown-unknown --profile "$profile"
    bindgen "$name" "$target/wasm32-unknown-unknown/$profile/querent_wasm.wasm" "$out"
    if [ -n "$optimisation" ]; then
        # Inlining saves calls and costs bytes: where bytes count (-Oz) it is left out, 10 kB of the search module.
        local inline=()
        [ "$optimisation" != -Oz ] || inline=(--skip-pass=inlining-optimizing)
        wasm-opt "$optimisation" "${inline[@]}" "$wasm" -o "$wasm.opt"
        mv "$wasm.opt" "$wasm"
    fi
    remember "wasm-$name" "$hash $optimisation"
}

# bindgen NAME WASM OUT: the module and its glue. NAME-VARIANT has the glue of NAME, which is built first.
bindgen() {
    local glue="${1%%-*}" fresh="$target/glue/$1"
    wasm-bindgen --target web --out-name "$glue" --out-dir "$fresh" "$2"
    mkdir -p "$3"
    if [ "$glue" != "$1" ]; then
        cmp -s "$fresh/$glue.js" "$3/$glue.js" || fail "expected the glue of $1 to be $3/$glue.js, found another; build $glue from the same sources"
        cp "$fresh/${glue}_bg.wasm" "$3/${1}_bg.wasm"
    else
        cp "$fresh"/* "$3/"
    fi
}

built() { unchanged "$1" "$2 $3" || { [ -z "$3" ] && grep -qs "^$2 " "$target/stamps/$1"; }; }

web() {
    wasm "$@"
    local hash
    hash="$(hash_of package-lock.json $(find www -mindepth 1 -maxdepth 1 -not -name dist -not -name test))"
    if [ -d www/dist ] && unchanged web "$hash"; then return 0; fi
    say "web"
    node www/build.mjs
    remember web "$hash"
}

cli() {
    web "$@"
    cargo build --release -p querent
}

# --- the query encoder's base -------------------------------------------------------------------------------

# Documentation that Debian has as packages, besides what the toolchain brings. They are unpacked into the cache, not
# installed; what an architecture or a release does not have is left out.
readonly doc_packages="python3.11-doc git-doc debian-reference-en debian-policy developers-reference maint-guide
    postgresql-doc-15 apache2-doc sqlite3-doc python-django-doc python-flask-doc python-sqlalchemy-doc nodejs-doc
    sphinx-doc bash-doc vim-doc postfix-doc bind9-doc haproxy-doc"
# 40,000 texts are embedded in three to four minutes on two idle cores; reading takes a quarter of a minute.
readonly base_texts=40000

# encoder: models/query-encoder.base again, the part of the program from which sites' tables are fitted. Packages have
# versions, so another machine's base is another; whoever commits a new one measures it first.
encoder() {
    local paths=() package path
    setup
    cli
    unpack_docs "$QUERENT_CACHE/doc-packages"
    for path in "$(rustc --print sysroot)"/share/doc/rust/html/{std,nomicon,rustc,rustdoc,clippy,edition-guide,embedded-book,error_codes,unstable-book}; do
        [ ! -d "$path" ] || paths+=("$path")
    done
    for package in $doc_packages; do
        for path in "$QUERENT_CACHE"/doc-packages/"${package}"_*; do
            [ ! -d "$path" ] || paths+=("$path")
        done
    done
    [ ${#paths[@]} -gt 0 ] || fail "expected documentation to train on, found neither the toolchain's nor a Debian package"
    # Judged sets are made of FAQs and of the books on Rust, so neither takes part.
    "$querent" encoder train "${paths[@]}" --out models/query-encoder.base --texts "$base_texts" \
        --exclude '*[fF][aA][qQ]*' --exclude '_sources' --exclude 'genindex*' --exclude 'contents.html' --exclude 'print.html' \
        --exclude 'whatsnew' --exclude 'release*' --exclude 'changelog*' --exclude 'copyright*' --exclude '*.txt' \
        --exclude '**/manual/{da,de,es,fr,ja,ko,pt-br,ru,tr,zh-cn}'
}

# unpack_docs FOLDER: what the packages that apt has would put into /usr/share, each in FOLDER/NAME_VERSION.
unpack_docs() {
    have apt-get && have dpkg-deb || { say "no apt-get: the base is trained on the toolchain's documentation alone"; return 0; }
    local package file fresh="$1/fresh"
    for package in $doc_packages; do
        [ -z "$(find "$1" -maxdepth 1 -name "${package}_*" 2>/dev/null)" ] || continue
        rm -rf "$fresh"
        mkdir -p "$fresh"
        (cd "$fresh" && apt-get download -qq "$package" >/dev/null 2>&1) || { say "apt has no package $package"; continue; }
        file="$(basename "$fresh/$package"_*.deb)"
        dpkg-deb -x "$fresh/$file" "$fresh/unpacked"
        find "$fresh/unpacked" -type f -not -name '*.htm*' -delete
        mv "$fresh/unpacked/usr/share" "$1/$(echo "$file" | cut -d_ -f1,2)"
    done
    rm -rf "$fresh"
}

# --- sites --------------------------------------------------------------------------------------------------

# copy_docs SITE: Querent's own documentation, laid out as in the repository so that its links hold.
copy_docs() {
    mkdir -p "$1"
    rm -rf "$1/docs"
    cp -R docs "$1/docs"
    local file
    for file in README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md; do
        [ ! -f "$file" ] || cp "$file" "$1/"
    done
}

# copy_books SITE: the Rust books as the toolchain brings them; hard links where the file system allows.
copy_books() {
    local html book
    html="$(rustc --print sysroot)/share/doc/rust/html"
    mkdir -p "$1/rust"
    for book in book cargo reference; do
        [ -d "$html/$book" ] || { say "no Rust book '$book' in this toolchain (rustup component add rust-docs)"; continue; }
        [ -d "$1/rust/$book" ] || cp -al "$html/$book" "$1/rust/" 2>/dev/null || cp -R "$html/$book" "$1/rust/"
    done
}

# index_site SITE: the index of everything in SITE, at SITE/querent. print.html repeats a whole book, toc.html its
# headings, and the earlier editions only say that they have moved.
index_site() {
    local hash stamp
    stamp="site-$(basename "$1")"
    hash="$(sha256sum <"$querent") $(cd "$1" && find . -type f -not -path './querent/*' -print0 | hash_files)"
    if [ -f "$1/querent/manifest.json" ] && unchanged "$stamp" "$hash"; then return 0; fi
    "$querent" build "$1" --out "$1/querent" \
        --exclude print.html --exclude toc.html --exclude '{first,second,2018}-edition'
    remember "$stamp" "$hash"
}

demo() {
    setup
    cli
    copy_docs site
    copy_books site
    # It leads to the page that comes with the index, whose service worker serves the folder that it lies in.
    cp www/demo/index.html site/
    index_site site
    [ "${1:-}" = --no-serve ] || exec "$querent" serve site
}

# --- test ---------------------------------------------------------------------------------------------------

run_tests() {
    step "setup" setup
    step "crates" test_crates
    step "web modules" web
    step "web, unit tests" npm run --silent test:unit
    step "command line" cli
    step "site for the browser tests" test_site
    step "wasm in Chromium" test_wasm
    step "Rust book for the browser tests" test_books
    QUERENT_SITE="$PWD/$target/test-site" QUERENT_BOOKS="$books" QUERENT_PROGRAM="$PWD/$querent" \
        step "browser tests" npm run --silent test:browser
    step "relevance floors" eval_own
    step "relevance floors, no model in the browser" eval_own_table
    step "relevance floors, scripts without spaces" eval_cjk
    step "eval against ir_measures" judge
    step "sizes" node tests/size/measure.mjs
}

test_crates() {
    if have cargo-nextest; then cargo nextest run --no-fail-fast; else cargo test --quiet --lib --bins --tests; fi
    cargo test --quiet --doc
    # Native and wasm against the same committed hashes and token ids; the wasm half runs in Chromium.
    cargo test --quiet -p querent-wasm --test parity --test tokens
}

# Not --release: the profile `wasm` shares its compiled dependencies with the modules. The pack is the one that the
# site's readers download: Chromium has to give the reference implementation's vectors with it.
test_wasm() {
    local packs=("$PWD/$target"/test-site/querent/model/*.bin)
    [ -f "${packs[0]}" ] || fail "expected a model pack in ${packs[0]%/*}, found none; run ./build.sh test"
    QUERENT_PACK="${packs[0]}" WASM_BINDGEN_TEST_TIMEOUT=300 wasm-pack test --headless --chrome \
        --chromedriver "$CHROMEDRIVER" --mode no-install crate/wasm --profile wasm --features real-model
}

test_site() {
    copy_docs "$target/test-site"
    index_site "$target/test-site"
    # One with the cross-encoder's pack; its browser tests rank by words, so it needs no vectors.
    copy_docs "$target/test-site-rerank"
    "$querent" build "$target/test-site-rerank" --out "$target/test-site-rerank/querent" --embeddings none --reranker --quiet
    # A small one in other languages than English.
    "$querent" build tests/browser/languages --out "$target/test-site-languages/querent" --embeddings none --quiet
}

# The question that the demo is about, over the chapters where its answer is. Embedding them takes half a minute, once.
books=""
test_books() {
    local html site="$target/test-books"
    html="$(rustc --print sysroot)/share/doc/rust/html/book"
    [ -d "$html" ] || { say "no Rust book in this toolchain, so one browser test is skipped"; return 0; }
    mkdir -p "$site"
    [ -d "$site/book" ] || cp -R "$html" "$site/book"
    if [ ! -f "$site/querent/manifest.json" ] || ! unchanged test-books "$(sha256sum <"$querent")"; then
        "$querent" build "$site/book" --out "$site/querent" --include 'ch0[3-8]-*' --include 'ch15-*' \
            --encoder-texts 3000
        remember test-books "$(sha256sum <"$querent")"
    fi
    books="$PWD/$site"
}

# --- measuring ----------------------------------------------------------------------------------------------

# own_docs: the documents of tests/relevance. Tables of figures are none: they would measure themselves.
own_docs() {
    rm -rf "$target/eval/docs"
    mkdir -p "$target/eval"
    cp -R docs "$target/eval/docs"
    rm -f "$target/eval/docs/"{quality,questions,documents}.md
}

eval_own() {
    own_docs
    "$querent" eval --docs "$target/eval/docs" --queries tests/relevance/queries.jsonl \
        --qrels tests/relevance/qrels.tsv --mode all --floor tests/relevance/floors.json \
        --index-cache "$target/eval/own" "$@"
}

# What a browser without the model has.
eval_own_table() {
    own_docs
    "$querent" eval --docs "$target/eval/docs" --queries tests/relevance/queries.jsonl \
        --qrels tests/relevance/qrels.tsv --mode all --query-encoder table \
        --floor tests/relevance/floors-table.json --index-cache "$target/eval/own"
}

eval_cjk() {
    local set=tests/relevance/cjk
    "$querent" eval --corpus "$set/corpus.jsonl" --queries "$set/queries.jsonl" --qrels "$set/qrels.tsv" \
        --mode lexical --questions none --floor "$set/floors.json"
}

# Every figure of eval, by type and with its interval, against ir_measures from eval's own run.
judge() {
    local python
    python="$(python_with tests/judge/requirements.txt)"
    "$python" -B -m unittest discover --start-directory tests/judge
    "$python" -B -m unittest discover --start-directory tests/quality
    QUERENT_PROGRAM="$PWD/$querent" "$python" -B -m unittest discover --start-directory tests/questions
    eval_own --quiet --json --run "$target/eval/own.trec" >"$target/eval/own.json"
    "$python" -B tests/judge/judge.py "$target/eval/own.json" "$target/eval/own.trec" \
        tests/relevance/queries.jsonl tests/relevance/qrels.tsv
}

# python_with REQUIREMENTS...: the interpreter of an environment with these packages, kept by a hash of the files.
python_with() {
    local folder file arguments=()
    folder="$QUERENT_CACHE/python/$(cat "$@" | sha256sum | cut -c1-16)"
    if [ ! -f "$folder/complete" ]; then
        for file in "$@"; do arguments+=(-r "$file"); done
        say "Python packages of $*"
        rm -rf "$folder"
        # Debian's Python leaves the module out. Each failure is said: `set -e` does not reach into "$(...)".
        python3 -m venv "$folder" >&2 || { apt_install python3-venv && python3 -m venv --clear "$folder" >&2; } \
            || fail "expected Python's venv module, found none; install python3-venv"
        "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "${arguments[@]}" >&2 \
            || fail "the packages of $* cannot be installed; they need Python 3.11 or newer, this is $(python3 --version)"
        touch "$folder/complete"
    fi
    echo "$folder/bin/python"
}

# with_data VERB [DATA] [OPTIONS]: VERB DATA OPTIONS once the program is there; DATA is the folder of judged sets.
with_data() {
    local verb="$1" data=../shared/data
    shift
    if [ $# -gt 0 ] && [ "${1#--}" = "$1" ]; then
        data="$1"
        shift
        [ -d "$data" ] || fail "expected a folder of judged sets, found no folder $data"
    fi
    setup
    cli
    "$verb" "$data" "$@"
}

# evaluate DATA [OPTIONS]
evaluate() {
    local data="$1" python
    shift
    step "relevance floors" eval_own
    python="$(python_with tests/judge/requirements.txt tests/quality/requirements.txt)"
    step "docs/quality.md" "$python" -B tests/quality/quality.py --querent "$querent" --work "$target/quality" \
        --cache "$QUERENT_CACHE/quality" --data "$data" "$@"
}

# evaluate_questions DATA [OPTIONS]
evaluate_questions() {
    local data="$1" python
    shift
    python="$(python_with tests/judge/requirements.txt)"
    step "docs/questions.md" "$python" -B tests/questions/questions.py --querent "$querent" --work "$target/questions" \
        --data "$data" "$@"
}

# Weights of 98 MB for tests, which ask for a protocol; of 491 MB to look at questions.
language_model() {
    local python model="" test=""
    while [ $# -gt 0 ]; do
        case "$1" in
            --test) test=yes ;;
            -*) fail "llm: expected --test or a name of tests/llm/models.json, got $1" ;;
            *) model="$1" ;;
        esac
        shift
    done
    python="$(python_with tests/llm/requirements.txt)"
    if [ -n "$test" ]; then
        step "setup" setup
        step "command line" cli
        step "site for the browser test" test_site
        export QUERENT_SITE="$PWD/$target/test-site"
        step "tests with a real model" "$python" -B tests/llm/llm.py serve "${model:-smollm2-135m}" -- \
            cargo test -p querent --test cli real -- --nocapture
        # An answer from six passages is more than the smallest model can give.
        step "an answer in the browser" "$python" -B tests/llm/llm.py serve "${model:-qwen2.5-coder-0.5b}" -- \
            node --test tests/browser/ask-real.test.mjs
    else
        "$python" -B tests/llm/llm.py serve "${model:-qwen2.5-coder-0.5b}"
    fi
}

bench() {
    setup
    step "benchmarks of the crates" cargo bench -p querent-core -p querent-model
    cli --release
    test_site
    local script
    for script in tests/bench/*.mjs; do
        [ -f "$script" ] || continue
        QUERENT_SITE="$PWD/$target/test-site" step "$script" node "$script"
    done
}

size() {
    web "$@"
    node tests/size/measure.mjs
}

# --- the verbs ----------------------------------------------------------------------------------------------

main() {
    local verb="${1:-help}"
    [ $# -eq 0 ] || shift
    case "$verb" in
        setup | check | wasm | web | cli | encoder | demo | bench | size) "$verb" "$@" ;;
        test) run_tests ;;
        eval) with_data evaluate "$@" ;;
        eval-questions) with_data evaluate_questions "$@" ;;
        llm) language_model "$@" ;;
        ci) check; run_tests ;; # not `&&`: it would switch `set -e` off inside check
        help | -h | --help) help ;;
        *) help >&2; exit 2 ;;
    esac
}

# On one line with `exit`: whoever edits this file while it runs must not change what it does.
main "$@"; exit
