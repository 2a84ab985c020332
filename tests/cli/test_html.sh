#!/bin/bash
# report.html: where it comes from, what it is of, and what becomes of an older one. What it shows: tests/browser.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
cd "$TMP" || exit 1
export XDG_CACHE_HOME=$TMP/cache

farm='farm: {gateways: 2, cores: 1, costs: {fixed: 20ms}}'
scenario small.yaml "$farm" 'targets: {login_p99: 1s}'

call simulate small.yaml --out s --replications 5
is "a simulation leaves its page" "$status$(head -c 15 s/report.html)" '0<!DOCTYPE html>'
is "whose path is the last line" "$(tail -n 1 <<<"$out")" s/report.html
call report s --format html
same "report makes the same page again" "$TMP/out" s/report.html
call report s --format html -o page.html
is "or into a file, without a word" "$status$out$err" 0
same "the same" page.html s/report.html
call report s/result.json --format html
same "of the result's file too" "$TMP/out" s/report.html
call simulate small.yaml --out t --replications 5 --format html
same "a simulation shows it as well" "$TMP/out" t/report.html
is "and tells the path beside it" "$err" t/report.html
call report - --format html <s/result.json
same "of a result from standard input" "$TMP/out" s/report.html

# As full as a disk can be, for files of this process.
cp s/report.html before.html
(
    ulimit -f 60
    trap '' XFSZ
    "$BIN" report s --format html -o s/report.html
) >/dev/null 2>full.err
is "where there is no room the status is 74" "$?" 74
has "and the file is named" "$(cat full.err)" s/report.html
same "and the older page is still there" s/report.html before.html
is "and nothing else" "$(find s -maxdepth 1 -newer before.html -type f | wc -l)" 0
call report s --format html -o nowhere/page.html
is "a folder that is not there: 73" "$status" 73
has "named" "$err" nowhere/page.html

call plan small.yaml --replications 5 --out p
is "a plan with --out leaves its page" "$(ls p)" $'plan.json\nreport.html'
is "whose path is the last line" "$(tail -n 1 <<<"$out")" p/report.html
for format in text json csv html; do
    call plan small.yaml --replications 5 --format $format
    cp "$TMP/out" planned
    is "$format: report of the plan has its exit status" "$("$BIN" report p/plan.json --format "$format" >again; echo $?)" "$status"
    same "$format: and tells the same" again planned
    "$BIN" report p --format $format >folder
    same "$format: of its folder too" folder planned
done
call report p --format junit
is "what a plan is not told as is wrong usage" "$status" 64
has "and says so" "$err" "p/plan.json is a plan, and a plan is told as text, json, csv or html"
call compare p
is "a plan is nothing to compare" "$status" 65
cp s/result.json p/
call report p --format json
same "a folder with both: the result" "$TMP/out" s/result.json
jq 'del(.certificates[0].today)' p/plan.json >broken.json
call report broken.json
is "a plan that lacks something: 65" "$status" 65
has "which is named" "$err" "broken.json: error: certificates[0].today: is not there"

call compare s --format html -o c.html
is "a comparison has its page" "$status$(head -c 15 c.html)" '0<!DOCTYPE html>'
call run small.yaml --users 20 --out r --quiet
is "a storm leaves its page" "$(head -c 15 r/report.html)" '<!DOCTYPE html>'
"$BIN" report r --format html >again
same "of its own result" again r/report.html
finish
