# For notmuch on the command line: ". /path/to/notmuch.sh" in a shell's rc file.
#
# notmuch_urls QUERY... prints the URLs of all messages that match, each once. Options of urlgrep stand before "--":
# notmuch_urls --host '*.edu' -- from:me date:1996
#
# notmuch_menu QUERY... chooses among them in the terminal.
#
# Nothing is evaluated: options and query are passed on as they were typed, whatever they contain.
notmuch_urls() (
    before=0
    seen=0
    for argument; do
        if [ "$argument" = -- ]; then
            before=$seen
            break
        fi
        seen=$((seen + 1))
    done
    {
        shift "$before"
        if [ "${1-}" = -- ]; then shift; fi
        notmuch search --output=files --format=text0 -- "$@"
    } | {
        # The options are moved behind the query, which is then dropped.
        after=$(($# - before))
        while [ "$before" -gt 0 ]; do
            set -- "$@" "$1"
            shift
            before=$((before - 1))
        done
        shift "$after"
        urlgrep -u -I "$@" --files-from -
    }
)

notmuch_menu() {
    notmuch_urls --no-config --menu -- "$@"
}
