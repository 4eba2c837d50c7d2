#!/bin/sh
# Shows DocMind on the bundled examples: `make demo` calls it with `docmind` on the path and a data folder of its own.
set -eu
cd "$(dirname "$0")/.."

bold='' dim='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    bold=$(printf '\033[1m') dim=$(printf '\033[2m') plain=$(printf '\033[0m')
fi

say() { printf '\n%s%s%s\n' "$bold" "$1" "$plain"; }

# Print a command as a person would type it, then run it.
try() {
    typed=docmind
    for word in "$@"; do
        case $word in
            *[!A-Za-z0-9_./=-]*) typed="$typed \"$word\"" ;;
            *) typed="$typed $word" ;;
        esac
    done
    printf '%s$ %s%s\n' "$dim" "$typed" "$plain"
    docmind "$@"
}

say "Reading the strategy papers of a fictional maker of heat pumps (PDF and Word)"
try ingest examples/strategy --workspace strategy
say "Reading the annual reports of two fictional companies (PDF with tables)"
try ingest examples/finance --workspace finance
say "Reading why DocMind is built as it is (Markdown)"
try ingest docs/decisions --workspace decisions

say "An answer, checked against the characters it cites"
try ask "What is the capital budget of Project Heron?" --workspace strategy
say "A fact, and where exactly it stands"
try search "When does production in Ostrava start?" --workspace strategy --limit 2
say "A figure out of a table, in one company's report of one year"
try search "What was the operating profit?" --workspace finance --where ticker=ELLN --where fiscal_year=2023 --limit 2
say "A question about DocMind itself"
try search "Why does the embedded index run in a process of its own?" --workspace decisions --limit 2

say "What next"
cat <<END
Ask your own papers: .venv/bin/docmind ingest ~/Documents, then .venv/bin/docmind ask "…" (--json for programs).
Look around in what this demo kept, on a page of your own: DOCMIND_DATA_DIR=$DOCMIND_DATA_DIR .venv/bin/docmind serve
END
