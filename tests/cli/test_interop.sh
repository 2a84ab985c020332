#!/bin/bash
# The gateway's certificates with OpenSSL's eyes: every kind that it knows, several on one address, one's own.
# shellcheck source=tests/cli/lib.sh
source "$(dirname "$0")/lib.sh" "$1"
material=$(realpath "$(dirname "$0")/../unit/tls/material.sh")
cd "$TMP" || exit 1

# stand NAME OPTION...: a gateway on a port that the kernel chooses, as $pid and $port
stand() {
    local name=$1

    shift
    launch "$name" gateway --listen 127.0.0.1:0 --trust "$name.pem" "$@"
    port=none
    patiently listening "$name" || bad "$name: the gateway listens" "a port" "$(cat "$name.out" "$name.err")"
}
# listening NAME: it has said its port, as $port, and takes connections there; at once when it has ended instead
# shellcheck disable=SC2317
listening() {
    [ -n "$(stat_of "$pid")" ] || return 0
    port=$(sed -n 's/.* on 127\.0\.0\.1:\([0-9]*\); Ctrl-C ends it$/\1/p' "$1.out")
    [ -n "$port" ] && (: <>"/dev/tcp/127.0.0.1/$port")
}
leave() {
    kill -INT "$pid"
    ended "$pid"
}
# seen NAME OPTION...: what openssl s_client says to a gateway that asks for that name
seen() {
    local name=$1

    shift
    openssl s_client -connect "127.0.0.1:$port" -servername "$name" -verify_hostname "$name" -verify_return_error "$@" </dev/null 2>&1
}
# subject NAME: the common name of the certificate that is shown to who asks for it
subject() {
    openssl s_client -connect "127.0.0.1:$port" -servername "$1" </dev/null 2>/dev/null | openssl x509 -noout -subject 2>/dev/null
}

for key in rsa-2048 rsa-3072 rsa-4096 ecdsa-p256 ecdsa-p384 ecdsa-p521 ed25519; do
    stand "$key" --key "$key"
    for version in 1_2 1_3; do
        has "$key, TLS ${version/_/.}: OpenSSL verifies chain and name" "$(seen localhost "-tls$version" -CAfile "$key.pem")" "Verify return code: 0 (ok)"
    done
    leave
done

stand several --key rsa-2048 --name a.example --key ecdsa-p256 --name '*.wild.example' --key ed25519 --name exact.wild.example
is "it says what it shows, for whom" "$(sed 's/ on 127.*//' several.out)" "rsa-2048 for a.example, ecdsa-p256 for *.wild.example, ed25519 for exact.wild.example"
is "--trust holds all issuers" "$(grep -c 'BEGIN CERTIFICATE' several.pem)" 3
for name in a.example x.wild.example exact.wild.example; do
    for version in 1_2 1_3; do
        has "$name, TLS ${version/_/.}: its certificate verifies" "$(seen "$name" "-tls$version" -CAfile several.pem)" "Verify return code: 0 (ok)"
    done
    is "curl: $name" "$(curl -sS --cacert several.pem --resolve "$name:$port:127.0.0.1" -i "https://$name:$port/bytes/300" | wc -c)" 300
done
is "in any case of letters" "$(subject EXACT.Wild.example)" "subject=CN = exact.wild.example"
is "just the name goes before a star" "$(subject exact.wild.example)" "subject=CN = exact.wild.example"
is "a name of nobody gets the first one" "$(subject unknown.example)" "subject=CN = a.example"
is "two labels for a star are nobody's" "$(subject x.y.wild.example)" "subject=CN = a.example"
is "no name gets the first one" "$(openssl s_client -connect "127.0.0.1:$port" -noservername </dev/null 2>/dev/null | openssl x509 -noout -subject)" "subject=CN = a.example"
leave

bash "$material"
stand own --chain full.pem --private-key leaf.aes256 --password-file password --key rsa-2048 --name other.example
is "one from files and one that is made" "$(sed 's/ on 127.*//' own.out)" "ecdsa-p256 of full.pem, rsa-2048 for other.example"
has "OpenSSL verifies the one from files" "$(seen leaf.example -CAfile root.pem)" "Verify return code: 0 (ok)"
has "and the other" "$(seen other.example -CAfile own.pem)" "Verify return code: 0 (ok)"
is "the chain is sent as the file has it" "$(openssl s_client -connect "127.0.0.1:$port" -servername a.wild.example -showcerts </dev/null 2>/dev/null | grep -c 'BEGIN CERTIFICATE')" 3
leave
SECRET=secret stand variable --chain rsa3072.pem --private-key rsa3072.aes256 --password-env SECRET
has "a password from a variable; RSA, signed by itself" "$(seen rsa3072.example -CAfile rsa3072.pem)" "Verify return code: 0 (ok)"
leave

# refused STATUS PART OPTION...
refused() {
    local expected=$1 part=$2

    shift 2
    timeout 120 "$BIN" gateway --listen 127.0.0.1:0 "$@" >out 2>err
    is "gateway $*: exit status $expected" "$?" "$expected"
    has "gateway $*: says why" "$(cat err)" "$part"
}
refused 64 '--private-key is missing' --chain full.pem
refused 64 '--chain is missing' --private-key leaf.key
refused 64 '--name b.example has no --key beside it; with several certificates write --key KIND --name HOST for each' --key rsa-2048 --name a.example --name b.example
refused 64 '--name b.example has no --key beside it' --name a.example --key rsa-2048 --name b.example --name c.example --key rsa-2048
refused 64 'two certificates for localhost' --key rsa-2048 --key ecdsa-p256
refused 64 'full.pem has names of its own' --chain full.pem --private-key leaf.key --name x.example
refused 64 'belong to --private-key' --key rsa-2048 --password-file password
refused 65 'leaf.aes256: the password is wrong' --chain full.pem --private-key leaf.aes256 --password-file password.wrong
refused 66 'cannot open nowhere.pem' --chain nowhere.pem --private-key leaf.key
finish
