#!/usr/bin/env bash
# Runs all fuzz targets in turn, and minimises their corpora.
#
#     fuzz/run.sh HOURS [MAIL]
#
# HOURS is the time for all targets together; 0.5 will do. MAIL is a folder of real mail, whose files of up
# to 64 KB are inputs, too; their contents are never part of the repository. A corpus is kept in fuzz/corpus
# between runs. It needs a nightly toolchain and cargo-fuzz.
#
# Overflow checks and debug assertions are on, and inputs have up to 1 MB. The exit status is 1 if an input
# failed, which is then in fuzz/artifacts.
set -euo pipefail
cd "$(dirname "$0")/.."

hours=${1:?usage: fuzz/run.sh HOURS [MAIL]}
mail=${2-}
targets=(structure archive extract losses program grammar border)
seconds=$(awk -v hours="$hours" -v targets="${#targets[@]}" 'BEGIN { print int(hours * 3600 / targets) }')

cargo run --quiet --manifest-path fuzz/Cargo.toml --example seeds
if [ -n "$mail" ]; then
    # The first twelve bytes of an input say how to search.
    find "$mail" -type f -size -64k -print0 | while IFS= read -r -d '' file; do
        name=mail-$(sha1sum < "$file" | cut -c 1-16)
        { printf 000000000000; cat "$file"; } > "fuzz/corpus/archive/$name"
    done
fi

cargo +nightly fuzz build
failed=0
for target in "${targets[@]}"; do
    echo "== $target, $seconds s =="
    log=$(mktemp)
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=1000000 -timeout=25 \
        -rss_limit_mb=4096 -dict=fuzz/urlgrep.dict -print_final_stats=1 > "$log" 2>&1 || failed=1
    grep -E '^(SUMMARY|stat::number_of_executed_units)' "$log" || true
    grep -oE 'cov: [0-9]+ ft: [0-9]+' "$log" | tail -1
    grep -E 'panicked|Test unit written' -A 2 "$log" || true
    rm "$log"
    cargo +nightly fuzz cmin "$target" -- -max_len=1000000 > /dev/null 2>&1 || true
done
exit "$failed"
