/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the certificates of a Windows CA (ADCS, as it is set up by default) have beside those of any other: a name made of
 * domain components, addresses in the directory, and the template that they were made from. */
#include <stdio.h>
#include <string.h>

#include "tls/certificate.h"

#define CA_NAME "CORP-CA01-CA"
#define CA_HOST "CA01"
#define SERVICES "CN=Public%20Key%20Services,CN=Services,CN=Configuration,DC=corp,DC=example"
#define CDP                                                                                        \
    "ldap:///CN=" CA_NAME ",CN=" CA_HOST ",CN=CDP," SERVICES                                       \
    "?certificateRevocationList?base?objectClass=cRLDistributionPoint"
#define AIA                                                                                        \
    "ldap:///CN=" CA_NAME ",CN=AIA," SERVICES                                                      \
    "?cACertificate?base?objectClass=certificationAuthority"
/* A template's number is drawn when the forest is set up; this is one of the shape. */
#define TEMPLATE "1.3.6.1.4.1.311.21.8.9306121.4470395.16204167.9183544.4227311.79.11562018.5127940"
#define SERVER_AUTH "1.3.6.1.5.5.7.3.1"
#define COMMON_NAME_MAX 64

static void put_attribute(struct der *der, const char *oid, unsigned char tag, const char *value)
{
    const size_t set = der_open(der, DER_SET);
    const size_t pair = der_open(der, DER_SEQUENCE);

    der_oid(der, oid);
    der_text(der, tag, value);
    der_close(der, pair);
    der_close(der, set);
}

void profile_put_issuer(struct der *der, enum ls_identity_profile profile)
{
    const size_t name = der_open(der, DER_SEQUENCE);

    if (profile == LS_PROFILE_OF_PLAIN) {
        put_attribute(der, "2.5.4.3", DER_UTF8, "loginstorm issuer");
    } else {
        put_attribute(der, "0.9.2342.19200300.100.1.25", DER_IA5, "example");
        put_attribute(der, "0.9.2342.19200300.100.1.25", DER_IA5, "corp");
        put_attribute(der, "2.5.4.3", DER_PRINTABLE, CA_NAME);
    }
    der_close(der, name);
}

/* A common name has at most 64 characters; a longer name stands in the SAN alone, where it counts.
 */
void profile_put_subject(struct der *der, enum ls_identity_profile profile, const char *name)
{
    const size_t subject = der_open(der, DER_SEQUENCE);
    const bool fits = strlen(name) <= COMMON_NAME_MAX;

    if (profile != LS_PROFILE_OF_PLAIN) {
        put_attribute(der, "2.5.4.6", DER_PRINTABLE, "FR");
        put_attribute(der, "2.5.4.7", DER_UTF8, "Paris");
        put_attribute(der, "2.5.4.10", DER_UTF8, "Example Corp");
    } else if (!fits) {
        put_attribute(der, "2.5.4.10", DER_UTF8, "loginstorm");
    }
    if (fits) {
        put_attribute(der, "2.5.4.3", DER_UTF8, name);
    }
    der_close(der, subject);
}

struct extension extension_open(struct der *der, const char *oid, bool critical)
{
    struct extension extension = {.outer = der_open(der, DER_SEQUENCE)};

    der_oid(der, oid);
    if (critical) {
        der_put(der, DER_BOOLEAN, "\xff", 1);
    }
    extension.octets = der_open(der, DER_OCTETS);
    return extension;
}

void extension_close(struct der *der, struct extension extension)
{
    der_close(der, extension.octets);
    der_close(der, extension.outer);
}

/* CRLDistributionPoints and AuthorityInfoAccess of RFC 5280, one address each. */
void profile_put_places(struct der *der)
{
    struct extension extension = extension_open(der, "2.5.29.31", false);
    size_t marks[5];

    marks[0] = der_open(der, DER_SEQUENCE);
    marks[1] = der_open(der, DER_SEQUENCE);
    marks[2] = der_open(der, DER_WRAP(0)); /* distributionPoint */
    marks[3] = der_open(der, DER_WRAP(0)); /* fullName */
    der_text(der, DER_CONTEXT(6), CDP);
    for (size_t i = 4; i-- > 0;) {
        der_close(der, marks[i]);
    }
    extension_close(der, extension);
    extension = extension_open(der, "1.3.6.1.5.5.7.1.1", false);
    marks[0] = der_open(der, DER_SEQUENCE);
    marks[1] = der_open(der, DER_SEQUENCE);
    der_oid(der, "1.3.6.1.5.5.7.48.2"); /* caIssuers */
    der_text(der, DER_CONTEXT(6), AIA);
    der_close(der, marks[1]);
    der_close(der, marks[0]);
    extension_close(der, extension);
}

static void put_template_name(struct der *der, const char *name)
{
    const struct extension extension = extension_open(der, "1.3.6.1.4.1.311.20.2", false);
    const size_t text = der_open(der, DER_BMP);

    for (; *name != '\0'; name++) {
        const unsigned char wide[2] = {0, (unsigned char)*name};

        der_raw(der, wide, sizeof wide);
    }
    der_close(der, text);
    extension_close(der, extension);
}

/* A template of version 1 is named, a later one has a number and a version. */
void profile_put_template(struct der *der, enum ls_identity_profile profile)
{
    struct extension extension;
    size_t mark;

    if (profile == LS_PROFILE_OF_ADCS_WEBSERVER) {
        put_template_name(der, "WebServer");
        return;
    }
    extension = extension_open(der, "1.3.6.1.4.1.311.21.7", false);
    mark = der_open(der, DER_SEQUENCE);
    der_oid(der, TEMPLATE);
    der_put(der, DER_INTEGER, "\x64", 1); /* 100 */
    der_put(der, DER_INTEGER, "\x04", 1);
    der_close(der, mark);
    extension_close(der, extension);
}

/* Application policies: the extended key usage once more, in Microsoft's way. */
void profile_put_policies(struct der *der)
{
    const struct extension extension = extension_open(der, "1.3.6.1.4.1.311.21.10", false);
    const size_t list = der_open(der, DER_SEQUENCE);
    const size_t item = der_open(der, DER_SEQUENCE);

    der_oid(der, SERVER_AUTH);
    der_close(der, item);
    der_close(der, list);
    extension_close(der, extension);
}
