#!/usr/bin/env bash
# Times the program beside others that search text, and judges it.
#
#     benches/compare.sh
#
# The texts are those of the library's benches, generated anew, URLGREP_BENCH_MB
# megabytes each (256 by default), in a directory that is removed at the end. The
# programs take turns on each text, with their defaults, one file, in the C
# locale; they print to a file, and the text is in the cache of the system. A
# ratio is the median over the rounds. The exit code is 1 if a floor is missed; a program
# that is not installed has no floor. wc and `rg -c` read nearly as fast as
# memory does, so they are printed and not judged.
#
# What is fair: the regex is the one that the library is measured beside
# (benches/yardsticks/mod.rs). It knows six schemes in any letter case, which is
# what RFC 1738 section 2.1 asks for, takes a URL up to whitespace or a
# delimiter, and leaves out punctuation at its end; it joins nothing and balances
# no brackets. GNU grep and ugrep get it in POSIX syntax, and the script checks
# that all three print the same. "lower case" is the regex for small letters
# only, which misses `HTTP://`; it shows what a search for plain strings would
# save, and is not judged. linkify finds URLs of any scheme with `://`; the
# program around it is benches/programs/linkify.rs.
set -euo pipefail
export LC_ALL=C
cd "$(dirname "$0")/.."

readonly ROUNDS=7
readonly MEGABYTES=${URLGREP_BENCH_MB:-256}
readonly BUILT=${CARGO_TARGET_DIR:-target}/release
readonly TEXTS=(mail sparse log dense)
readonly PROGRAMS=(urlgrep wc rg-c rg-o rg-lower grep ugrep linkify)
declare -rA TITLES=(
    [urlgrep]='urlgrep, MB/s' [wc]='`wc -l`' [rg-c]='`rg -c :`' [rg-o]='`rg -o`'
    [rg-lower]='`rg -o`, lower case' [grep]='GNU `grep -o`' [ugrep]='`ugrep -o`' [linkify]='linkify'
)

# The time of urlgrep may be at most so many times that of another program.
readonly FLOORS=(
    'mail rg-o 0.2' 'sparse rg-o 0.2' 'log rg-o 0.3' 'dense rg-o 0.25'
    'mail linkify 0.7' 'sparse linkify 0.7' 'log linkify 0.7' 'dense linkify 0.7'
)

# The regex, for regexes that know escapes and for those of POSIX.
readonly SCHEMES='(?:(?:https?|ftp|gopher|telnet)://|mailto:|news:)'
readonly DELIMITERS='\x00-\x20<>"`\\|\x7f-\xff'
readonly REGEX="$SCHEMES[^$DELIMITERS]*[^$DELIMITERS.,;:!?')\\]}]"
readonly POSIX='((https?|ftp|gopher|telnet)://|mailto:|news:)[]!#-;=?-[^_a-{}~]*[#-&(*+/-9=@-[^_a-z{~-]'

fail() {
    echo "compare.sh: $1" >&2
    exit 1
}

# Sets `command` to that of program $1 for file $2.
command_for() {
    case $1 in
        urlgrep) command=("$BUILT/urlgrep" -j1 --input text "$2") ;;
        wc) command=(wc -l "$2") ;;
        rg-c) command=(rg -c : "$2") ;;
        rg-o) command=(rg -o "(?i-u)$REGEX" "$2") ;;
        rg-lower) command=(rg -o "(?-u)$REGEX" "$2") ;;
        grep) command=(grep -oiE "$POSIX" "$2") ;;
        ugrep) command=(ugrep -oiE "$POSIX" "$2") ;;
        linkify) command=("$BUILT/examples/linkify" "$2") ;;
    esac
}

is_installed() {
    command_for "$1" /dev/null
    command -v "${command[0]}" >/dev/null || return 1
    # Other greps are no yardstick.
    [[ $1 != grep ]] || [[ $(grep --version 2>&1) == *GNU* ]]
}

# What was measured, a name and a version in each line.
versions() {
    local program linkify
    for program in urlgrep wc rg-c grep ugrep; do
        [[ -n ${installed[$program]-} ]] || continue
        command_for "$program" /dev/null
        "${command[0]}" --version | sed -n '1s/\( [0-9][0-9.]*\).*/\1/p'
    done
    linkify=$(cargo pkgid linkify)
    echo "linkify ${linkify##*[@#]}"
}

# Generates the text $1, and checks that all of its URLs are matched and that the
# programs with the same regex print the same. That brings all into the cache.
prepare() {
    local text=$1 file=$dir/$1 urls program same=
    urls=$("$BUILT/examples/corpus" "$text" "$MEGABYTES" "$file")
    [[ $("$BUILT/urlgrep" -c --input text "$file") == "$urls" ]] || fail "$text: urlgrep does not match what was put in"
    for program in rg-o grep ugrep; do
        [[ -n ${installed[$program]-} ]] || continue
        command_for "$program" "$file"
        "${command[@]}" >"$dir/$program.out"
        [[ -z $same ]] || cmp "$dir/$same.out" "$dir/$program.out" || fail "$text: $program prints other URLs than $same"
        same=$program
    done
    rm -f "$dir"/*.out
}

# Sets `micros` to the microseconds that program $1 takes for the text $2.
measure() {
    local start end
    command_for "$1" "$dir/$2"
    # Cutting off what was printed before would be part of the time.
    rm -f "$dir/out"
    start=$EPOCHREALTIME
    "${command[@]}" >"$dir/out"
    end=$EPOCHREALTIME
    micros=$((${end/./} - ${start/./}))
}

# The median of the numbers in lines, with $1 digits after the point.
median() {
    sort -n | awk -v digits="$1" '{ a[NR] = $1 } END { printf "%.*f", digits, a[int((NR + 1) / 2)] }'
}

# Measures all programs on the text $1: a row of the table, and what was missed.
compare() {
    local text=$1 round program row bytes floor place other limit
    local -A times=()
    prepare "$text"
    for ((round = 0; round < ROUNDS; round++)); do
        for program in "${PROGRAMS[@]}"; do
            [[ -n ${installed[$program]-} ]] || continue
            measure "$program" "$text"
            times[$program]+="$micros"$'\n'
        done
    done
    bytes=$(wc -c <"$dir/$text")
    row="| $text | $(awk -v n="$bytes" '{ print n / $1 }' <<<"${times[urlgrep]%$'\n'}" | median 0)"
    for program in "${PROGRAMS[@]:1}"; do
        if [[ -n ${installed[$program]-} ]]; then row+=" | $(ratio "$program" urlgrep 2)"; else row+=' | not installed'; fi
    done
    echo "$row |" >>"$dir/table"
    for floor in "${FLOORS[@]}"; do
        read -r place other limit <<<"$floor"
        [[ $place != "$text" ]] || judge "$other" "$limit"
    done
    rm "$dir/$text"
}

# The time of program $1 as a multiple of that of program $2, with $3 digits after
# the point.
ratio() {
    paste <(echo -n "${times[$1]}") <(echo -n "${times[$2]}") | awk '{ print $1 / $2 }' | median "$3"
}

# Adds to the missed floors if urlgrep takes more than $2 times as long as program $1.
judge() {
    [[ -n ${installed[$1]-} ]] || return 0
    local taken
    taken=$(ratio urlgrep "$1" 3)
    if awk -v taken="$taken" -v limit="$2" 'BEGIN { exit taken <= limit }'; then
        echo "missed: $text: $taken × ${TITLES[$1]}, not $2" >>"$dir/missed"
    fi
}

header() {
    local program row='| text' line='|---'
    for program in "${PROGRAMS[@]}"; do
        row+=" | ${TITLES[$program]}"
        line+='|---'
    done
    echo "$row |"
    echo "$line|"
}

[[ -n ${EPOCHREALTIME-} ]] || fail "bash 5 is needed"
[[ $# -eq 0 ]] || fail "usage: benches/compare.sh"
cargo build --release --quiet --bin urlgrep
cargo build --release --quiet -p urlgrep-benches --example corpus --example linkify
declare -A installed=()
for program in "${PROGRAMS[@]}"; do
    if is_installed "$program"; then installed[$program]=yes; fi
done
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
header >"$dir/table"
touch "$dir/missed"
for text in "${TEXTS[@]}"; do
    echo "measuring $text" >&2
    compare "$text"
done
echo "$(versions | paste -sd, | sed 's/,/, /g'); $MEGABYTES MB of each text"
echo
cat "$dir/table" "$dir/missed"
[[ ! -s $dir/missed ]]
