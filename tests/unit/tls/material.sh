#!/bin/bash
# What people have on disk, made by OpenSSL: chains in good and bad order, keys in every form. In the current folder.
set -e
exec >/dev/null 2>&1

# certificate NAME ISSUER EXTENSIONS [OPTION...]: NAME.pem of a P-256 key NAME.key, or of the key that is there
certificate() {
    local name=$1 issuer=$2

    printf '%b' "$3" >extensions
    shift 3
    [ -f "$name.key" ] || openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out "$name.key"
    openssl req -new -key "$name.key" -subj "/CN=$name.example" -out request
    openssl x509 -req -in request -CA "$issuer.pem" -CAkey "$issuer.key" -set_serial "$RANDOM" -extfile extensions -days 20 "$@" -out "$name.pem"
}
# own NAME DAYS: signed by itself
own() { openssl req -x509 -key "$1.key" -subj "/CN=$1.example" -days "$2" -addext "subjectAltName=DNS:$1.example" -out "$1.pem"; }
ca='basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n'
server='subjectAltName=DNS:leaf.example,DNS:*.wild.example\nextendedKeyUsage=serverAuth\n'

openssl req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -subj /CN=root.example -days 30 -addext keyUsage=critical,keyCertSign
certificate inter root "$ca"
certificate leaf inter "$server"
certificate client root 'subjectAltName=DNS:leaf.example\nextendedKeyUsage=clientAuth\n'
certificate agree root 'subjectAltName=DNS:leaf.example\nkeyUsage=critical,keyAgreement\n'
certificate caleaf root "subjectAltName=DNS:leaf.example\n$ca"
certificate nosign root 'basicConstraints=critical,CA:TRUE\nkeyUsage=critical,cRLSign\n'
certificate undersigned nosign "$server"
cat undersigned.pem nosign.pem root.pem >nosign-chain.pem
certificate noca root 'basicConstraints=critical,CA:FALSE\n'
certificate undernoca noca "$server"
cat undernoca.pem noca.pem root.pem >noca-chain.pem
certificate other root 'subjectAltName=DNS:other.example\n'
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:prime256v1 -out forged.key
openssl req -x509 -key forged.key -subj /CN=inter.example -days 30 -addext "$(printf 'keyUsage=critical,keyCertSign')" -out forged.pem
cat leaf.pem inter.pem >chain.pem
cat leaf.pem inter.pem root.pem >full.pem
cat inter.pem leaf.pem >wrong.pem
cat root.pem inter.pem leaf.pem >reverse.pem
cat leaf.pem other.pem >unrelated.pem
cat leaf.pem forged.pem >forged-chain.pem
{ openssl x509 -in leaf.pem -text && echo "some words" && cat leaf.key inter.pem root.pem; } >combined.pem
head -c 300 leaf.pem >cut.pem
sed 's/^MII/!!!/' leaf.pem >dirt.pem
{ echo "-----BEGIN CERTIFICATE-----" && echo AAAA && echo "-----END CERTIFICATE-----"; } >noise.pem
openssl x509 -in leaf.pem -outform DER -out leaf.der
for _ in 1 2 3 4 5 6 7 8 9 10; do cat root.pem; done >many.pem
: >empty.pem

for key in rsa:1024:short rsa:2048:sha1 rsa:2048:md5; do
    IFS=: read -r kind bits name <<<"$key"
    openssl genpkey -algorithm "$kind" -pkeyopt "rsa_keygen_bits:$bits" -out "$name.key"
done
own short 20
certificate sha1 root "$server" -sha1
certificate md5 root "$server" -md5
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -out koblitz.key
own koblitz 20
for kind in ED25519:ed25519 EC:p384 EC:p521 RSA:rsa3072; do
    name=${kind#*:}
    case $name in
    p384) options="-pkeyopt ec_paramgen_curve:secp384r1" ;;
    p521) options="-pkeyopt ec_paramgen_curve:secp521r1" ;;
    rsa3072) options="-pkeyopt rsa_keygen_bits:3072" ;;
    *) options="" ;;
    esac
    # shellcheck disable=SC2086
    openssl genpkey -algorithm "${kind%:*}" $options -out "$name.key"
    own "$name" 20
done

openssl ec -in leaf.key -out leaf.sec1
{ openssl ecparam -name prime256v1 && cat leaf.sec1; } >leaf.params
openssl rsa -in rsa3072.key -traditional -out rsa3072.pkcs1
openssl pkcs8 -topk8 -v2 aes-256-cbc -passout pass:secret -in rsa3072.key -out rsa3072.aes256
openssl pkcs8 -topk8 -v2 aes-256-cbc -passout pass:secret -in ed25519.key -out ed25519.aes256
openssl pkcs8 -topk8 -v2 aes-256-cbc -passout pass:secret -in leaf.key -out leaf.aes256
openssl pkcs8 -topk8 -v2 aes-128-cbc -v2prf hmacWithSHA1 -passout pass:secret -in leaf.key -out leaf.aes128
openssl pkcs8 -topk8 -v2 des3 -passout pass:secret -in leaf.key -out leaf.des3
openssl pkcs8 -topk8 -scrypt -passout pass:secret -in leaf.key -out leaf.scrypt
openssl ec -in leaf.key -aes256 -passout pass:secret -out leaf.old
openssl pkey -in leaf.key -outform DER -out leaf.key.der
openssl pkey -in leaf.key -pubout -out leaf.public
head -c 100 leaf.key >leaf.cut
printf 'secret\r\nsecond line\n' >password
printf 'wrong' >password.wrong
