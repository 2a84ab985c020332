# shellcheck shell=bash disable=SC2034
# Sourced by tools/bench: what was measured, one line a figure in raw.tsv; the table and the verdicts are made of it alone.
: "${ours_full:=}" "${check_row:=}"

# name · unit · which is better · title
figures_prepare() {
    : >raw.tsv
    : >notes.tsv
    cat >sections.tsv <<'END'
rate	/s	more	handshakes a second, ECDSA P-256
client	µs	less	client CPU per full handshake, ECDSA P-256
client-128	µs	less	the same with TLS_AES_128_GCM_SHA256
gateway-p256	µs	less	server CPU per full handshake, ECDSA P-256
gateway-rsa	µs	less	server CPU per full handshake, RSA 4096
outside	%	-	CPU of nginx as a storm's report has it, of its own account
memory-client	kB	less	client memory per held connection
memory-server	kB	less	server memory per held connection
lag	ms	-	start lag at 2,000 logins/s, one injector
live	ms	less	start lag p99 at 2,000 logins/s, with a live page
flight	-	-	handshakes under way at once, one injector
start	ms	-	a whole process
model-queue	ns	less	virtual time: a customer of an M/M/1 queue
model-morning	ms	less	virtual time: a morning
import	s	less	a web log read once
import-packed	s	less	the same, gz
import-memory	MB	-	memory of the import
END
}

# put SECTION SUBJECT VALUE [FIGURE]: the figure that the table shows has no name.
put() {
    if [ -z "$3" ]; then
        echo "bench: $1: no ${4:-figure} for $2" >&2
        could_not=1
        return 0
    fi
    printf '%s\t%s\t%s\t%s\n' "$1" "$2" "${4:-}" "$3" >>raw.tsv
}
note() { printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>notes.tsv; }

# median SECTION SUBJECT [FIGURE]: empty when there is none.
median() {
    awk -F'\t' -v s="$1" -v who="$2" -v f="${3:-}" '$1 == s && $2 == who && $3 == f { print $4 }' raw.tsv | sort -g |
        awk '{ v[NR] = $1 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

# best_peer SECTION: the lowest median of those that are not loginstorm's.
best_peer() {
    local who
    awk -F'\t' -v s="$1" '$1 == s && $3 == "" && $2 !~ /^loginstorm/ && !seen[$2]++ { print $2 }' raw.tsv |
        while IFS= read -r who; do printf '%s\t%s\n' "$(median "$1" "$who")" "$who"; done | sort -g | head -n 1
}

calc() { awk -v OFMT=%.9g "BEGIN { print ($1) }"; }

figures_table() {
    local section unit better title who
    while IFS=$'\t' read -r section unit better title; do
        grep -q "^$section	" raw.tsv || continue
        awk -F'\t' -v s="$section" '$1 == s && $3 == "" && !seen[$2]++ { print $2 }' raw.tsv | while IFS= read -r who; do
            awk -F'\t' -v s="$section" -v who="$who" '$1 == s && $2 == who && $3 == "" { print $4 }' raw.tsv | sort -g |
                awk -v who="$who" -v said="$(awk -F'\t' -v s="$section" -v who="$who" '$1 == s && $2 == who { print $3; exit }' notes.tsv)" '
                    { v[NR] = $1 }
                    END { m = NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2
                          printf "%s\t%.9g\t%.9g\t%.9g\t%d\t%s\n", who, m, v[1], v[NR], NR, said }'
        done >rows.tsv
        awk -F'\t' -v unit="$unit" -v better="$better" -v title="$title" '
            function figure(x) { return sprintf(x >= 1000 ? "%.0f" : x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x) }
            { row[NR] = $0; m[NR] = $2
              if (better != "-" && $1 !~ /^loginstorm/ && (best == "" || (better == "less" ? $2 < best : $2 > best))) best = $2 }
            END {
                # µ is two bytes, and widths are counted in bytes here.
                printf "\n%-44s %" (unit == "µs" ? 10 : 9) "s %17s %8s\n", title, unit == "-" ? "" : unit, "lowest-highest",
                    best == "" ? "" : "to best"
                for (i = 1; i <= NR; i++) {
                    split(row[i], c, "\t")
                    printf "  %-42s %9s %17s %8s%s\n", c[1], figure(c[2]), (c[5] > 1 ? figure(c[3]) "-" figure(c[4]) : ""),
                        best == "" ? "" : sprintf("%.2f", c[2] / best), c[6] == "" ? "" : "  " c[6]
                }
            }' rows.tsv
    done <sections.tsv
    rm -f rows.tsv
}

# verdict WHAT VALUE most|least LIMIT UNIT: nothing when the value or the limit was not had.
verdict() {
    local what=$1 value=$2 way=$3 limit=$4 unit=${5:+ $5} met='not met'
    [ -n "$value" ] && [ -n "$limit" ] || return 0
    case $way in
    most) [ "$(calc "$value <= $limit")" = 0 ] || met=met ;;
    least) [ "$(calc "$value >= $limit")" = 0 ] || met=met ;;
    esac
    printf '  %-8s %s: %s%s (at %s %s%s)\n' "$met" "$what" "$(short "$value")" "$unit" "$way" "$(short "$limit")" "$unit"
}

short() { awk -v x="$1" 'BEGIN { printf((x >= 1000 ? "%.0f" : "%.3g"), x) }'; }

figures_verdicts() {
    local best peer section what
    printf '\ntargets\n'
    for section in client client-128; do
        what="injector CPU per full handshake (core full, $([ $section = client ] && echo AES-256 || echo AES-128))"
        IFS=$'\t' read -r best peer < <(best_peer $section) || true
        if [ "$(calc "$(median $section "$ours_full" core_share) + 0 >= 0.9")" = 1 ]; then
            verdict "$what, a third of ${peer:-}'s" "$(median $section "$ours_full")" most "${best:+$(calc "$best / 3")}" µs
        elif [ -n "$(median $section "$ours_full")" ]; then
            echo "  not judged: $what: its core was not full (something else ran there, or a quick run)"
        fi
    done
    verdict 'memory per held connection' "$(median memory-client loginstorm)" most 6 kB
    if [ "$(calc "$(median flight loginstorm users) + 0 >= 20000")" = 1 ]; then
        verdict 'handshakes under way at once in one injector' "$(median flight loginstorm)" least 20000 ''
    elif [ -n "$(median flight loginstorm)" ]; then
        echo '  not judged: 20,000 handshakes under way at once in one injector (a quick run, or too few open files: ulimit -Hn)'
    fi
    verdict 'start lag p99 at 2,000 logins/s' "$(median lag p99)" most 1 ms
    IFS=$'\t' read -r best peer < <(best_peer gateway-p256) || true
    verdict "embedded gateway CPU per full handshake, half of ${peer:-}'s" "$(median gateway-p256 loginstorm)" most "${best:+$(calc "$best / 2")}" µs
    for what in 'by its process' 'by process-exporter' 'by node_exporter'; do
        best=$(median outside "$what")
        verdict "CPU per handshake of nginx $what, off nginx's own account" "${best:+$(calc "$best > 100 ? $best - 100 : 100 - $best")}" most 10 %
    done
    best=$(median import 'grep -c')
    verdict "import of a web log, three times grep -c" "$(median import 'loginstorm import')" most "${best:+$(calc "$best * 3")}" s
    verdict 'memory of the import' "$(median import-memory loginstorm)" most 50 MB
    best=$(median model-queue 'loginstorm, model')
    verdict 'customers of an M/M/1 queue in virtual time, millions a second' "${best:+$(calc "1000 / $best")}" least 20 ''
    verdict 'a morning in virtual time' "$(median model-morning 'loginstorm, model')" most 1 ms
    verdict "$check_row" "$(median start "$check_row")" most 20 ms
}
