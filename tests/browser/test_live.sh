#!/bin/bash
# The live page in a browser, while storms run.
#   test_live.sh LOGINSTORM FOLDER   where the packages go
set -u
here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/browser/lib.sh
source "$here/lib.sh"

# Everybody at once, so that there is a queue to be seen; names that would be markup.
scenario outage.yaml 'name: </script><img src=x onerror=alert(1)>' 'users: 900' 'arrivals: {shape: burst, at: 08:00, over: 2s}' 'pace: {speedup: 1}' \
    'login: {timeouts: {connect: 10m, handshake: 10m, login: 10m}}' \
    "certificates: [{name: '</script><script>alert(2)</script>', key: rsa-4096}, {name: '\"><svg onload=alert(3)>', key: ecdsa-p256}]"
scenario long.yaml 'window: {from: 08:00, to: 08:30}'
scenario loops.yaml 'arrivals: {shape: closed, requests: 400, concurrency: 4}'
sed -i '/^window\|^pace\|^users/d' loops.yaml

in_browser live.mjs "$BIN" "$TMP"
