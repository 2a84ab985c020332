#!/bin/bash
# The pages in a browser.
#   test_report.sh LOGINSTORM FOLDER   where the packages go
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/browser/lib.sh
source "$here/lib.sh"

# Costs that are a law, so that nothing has to be measured for a simulation.
farm='farm: {gateways: 2, cores: 1, costs: {fixed: 20ms}}'
scenario live.yaml 'users: 90' 'targets: {login_p99: 1s, failed: 1%}'
scenario simulated.yaml 'users: 1200' 'window: {from: 08:00, to: 08:30}' 'arrivals: {shape: normal, share_in_middle_sixth: 40%}' "$farm" \
    'targets: {login_p99: 1s, failed: 1%, gateway_cpu_peak: 70%}'
scenario hostile.yaml "name: '</script><img src=x onerror=alert(1)>'" 'users: 60' "$farm" \
    "certificates: [{name: '</script><script>alert(2)</script>', key: rsa-4096}, {name: '\"><svg onload=alert(3)>', key: ecdsa-p256}, {name: '<!--<script>', key: ecdsa-p384}]"
scenario loops.yaml 'arrivals: {shape: closed, requests: 40, concurrency: 4}'
sed -i '/^window\|^pace\|^users/d' loops.yaml
"$BIN" run live.yaml --out live --quiet >/dev/null
"$BIN" run loops.yaml --out loops --quiet >/dev/null
"$BIN" simulate simulated.yaml --out simulated --replications 20 --quiet >/dev/null
"$BIN" simulate hostile.yaml --out hostile --replications 2 --quiet >/dev/null
"$BIN" plan simulated.yaml --out plan --replications 20 --quiet >/dev/null
"$BIN" plan hostile.yaml --out hostile-plan --replications 5 --quiet >/dev/null
mkdir comparison
"$BIN" compare live --format html -o comparison/report.html
for folder in live loops simulated hostile plan hostile-plan comparison; do
    [ -s $folder/report.html ] || fail "$folder/report.html is made"
done

in_browser report.mjs "$TMP"
