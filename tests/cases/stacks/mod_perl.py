#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Perl within Apache (mod_perl): the frames are the frames that caller()
reports.

NEEDS: root /usr/sbin/apache2 /usr/lib/apache2/modules/mod_perl.so
TIMEOUT: 120
"""
import case
import hosted
import loopback

MODULES = '/usr/lib/apache2/modules'


def test():
    folder, port = case.FOLDER, loopback.free_port()
    load = ''.join(f'LoadModule {name}_module {MODULES}/mod_{name}.so\n'
                   for name in ('mpm_prefork', 'authz_core', 'perl'))
    (folder / 'httpd.conf').write_text(f'''
ServerRoot {folder}
ServerName localhost
Listen 127.0.0.1:{port}
PidFile {folder}/pid
Mutex file:{folder}
ErrorLog {folder}/error.log
{load}
User nobody
Group nogroup
PerlSwitches -I{case.SUPPORT}
PerlModule Hosted
<Location />
SetHandler modperl
PerlResponseHandler Hosted
</Location>
''')
    hosted.test(['/usr/sbin/apache2', '-X', '-f', folder / 'httpd.conf'],
                ('127.0.0.1', port), 'tcdrain', 'int tcdrain(int);', 6)


case.main(test)
