# For notmuch on the command line: ". /path/to/notmuch.sh" in a shell's rc file.
#
# notmuch_urls QUERY... prints the URLs of all messages that match, each once. Options of urlgrep stand before "--":
# notmuch_urls --host '*.edu' -- from:me date:1996
notmuch_urls() {
    options=
    case " $* " in
    *" -- "*)
        while [ "$1" != -- ]; do
            options="$options $(printf '%s' "$1" | sed "s/'/'\\\\''/g; s/^/'/; s/\$/'/")"
            shift
        done
        shift
        ;;
    esac
    notmuch search --output=files --format=text0 -- "$@" | eval "urlgrep -u -I $options --files-from -"
}
