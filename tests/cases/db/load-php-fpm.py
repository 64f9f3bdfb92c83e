#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""php-fpm behind nginx under load, with PDO: see support/service.py.

NEEDS: mariadbd psql nginx /usr/sbin/php-fpm8.2
TIMEOUT: 300
SLOW: two services under load
"""
import os
import pwd
import signal

import case
import service

WORKERS = 3
FPM = '''[global]
error_log = {folder}/fpm.log
[www]
user = {user}
listen = {folder}/fpm
pm = static
pm.max_children = {workers}
clear_env = no
'''
NGINX = '''daemon off;
user {user};
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    fastcgi_temp_path {folder}/fastcgi;
    proxy_temp_path {folder}/proxy;
    scgi_temp_path {folder}/scgi;
    uwsgi_temp_path {folder}/uwsgi;
    server {{
        listen unix:{path};
        location / {{
            fastcgi_pass unix:{folder}/fpm;
            fastcgi_param SCRIPT_FILENAME {page};
            fastcgi_param REQUEST_METHOD $request_method;
            fastcgi_param REQUEST_URI $request_uri;
            fastcgi_param QUERY_STRING $query_string;
        }}
    }}
}}
'''


def fpm(folder):
    def command(page, path):
        words = {'folder': folder, 'page': page, 'path': path,
                 'workers': WORKERS, 'user': pwd.getpwuid(os.getuid()).pw_name}
        folder.mkdir()
        (folder / 'fpm.conf').write_text(FPM.format(**words))
        (folder / 'nginx.conf').write_text(NGINX.format(**words))
        command.nginx = case.start('/usr/sbin/nginx', '-c',
                                   folder / 'nginx.conf', '-p', folder)
        return ['/usr/sbin/php-fpm8.2', '-F', '-R', '-y', folder / 'fpm.conf']
    return command


def test():
    for kind, driver in ((service.MariaDB, 'mysql'),
                         (service.PostgreSQL, 'pgsql')):
        server, env = service.started(kind)
        command = fpm(case.FOLDER / driver)
        try:
            service.run(f'PDO {driver}', 'page.php', server,
                        {**env, 'DRIVER': driver}, command, WORKERS)
        finally:
            server.stop()
            os.kill(command.nginx.pid, signal.SIGTERM)
            command.nginx.wait()


case.main(test)
