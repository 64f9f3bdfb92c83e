#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The prototypes of database clients, TLS, zlib and libcurl, checked as
prototypes.py describes.

NEEDS: /usr/include/mariadb /usr/include/postgresql /usr/include/sqlite3.h
NEEDS: /usr/include/openssl/ssl.h /usr/include/zlib.h /usr/include/ldap.h
NEEDS: /usr/include/hiredis /usr/include/x86_64-linux-gnu/curl
TIMEOUT: 240
"""
import pathlib

import case
from prototypes import Set, check_all


def includes(*names):
    return ''.join(f'#include <{name}.h>\n' for name in names)


def openssl():
    """OpenSSL's headers, as far as they can be included together."""
    headers = sorted(pathlib.Path('/usr/include/openssl').glob('*.h'))
    return includes('stdio', 'sys/time', *[f'openssl/{header.stem}'
                                           for header in headers
                                           if header.stem != 'asn1_mac'])


def test():
    check_all('clients', [
        Set('MySQL, MariaDB', ['libmariadb.so.conf'], ['libmariadb.so.3'],
            includes('stddef', 'mysql', 'errmsg', 'mariadb_rpl'),
            ['-I/usr/include/mariadb']),
        # Debian 12 has no client of MySQL itself; MariaDB's is used instead.
        Set('libmysqlclient', ['libmysqlclient.so.conf'], ['libmariadb.so.3'],
            includes('stddef', 'mysql'), ['-I/usr/include/mariadb']),
        Set('libpq', ['libpq.so.conf'], ['libpq.so.5'],
            includes('libpq-fe', 'libpq/libpq-fs', 'libpq-events'),
            ['-I/usr/include/postgresql']),
        Set('SQLite', ['libsqlite3.so.conf'], ['libsqlite3.so.0'],
            includes('sqlite3'), []),
        Set('hiredis', ['libhiredis.so.conf'], ['libhiredis.so.0.14'],
            includes('hiredis/hiredis', 'hiredis/async'), []),
        Set('OpenLDAP', ['libldap.so.conf', 'liblber.so.conf'],
            ['libldap-2.5.so.0', 'liblber-2.5.so.0'],
            includes('stddef', 'stdio', 'sys/time', 'ldap', 'ldap_schema',
                     'ldap_utf8', 'ldif'), ['-DLDAP_DEPRECATED']),
        Set('zlib', ['libz.so.conf'], ['libz.so.1'], includes('zlib'),
            ['-D_LARGEFILE64_SOURCE']),
        Set('libcurl', ['libcurl.so.conf'], ['libcurl.so.4'],
            includes('stdio', 'curl/curl'), ['-DCURL_NO_OLDIES']),
        Set('libssl', ['libssl.so.conf'], ['libssl.so.3'], openssl(), []),
        Set('libcrypto', ['libcrypto.so.conf'], ['libcrypto.so.3'], openssl(),
            []),
    ])


case.main(test)
