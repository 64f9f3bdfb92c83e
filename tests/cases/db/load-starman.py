#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Starman under load, with DBIx::Class: see support/service.py.

NEEDS: mariadbd psql starman /usr/share/perl5/DBIx/Class.pm
TIMEOUT: 300
SLOW: two services under load
"""
import case
import service

WORKERS = 2


def command(page, path):
    return ['/usr/bin/starman', '--workers', str(WORKERS), '--listen', path,
            '--pid', case.FOLDER / 'starman.pid', page]


def test():
    for kind, driver in ((service.MariaDB, 'mysql'),
                         (service.PostgreSQL, 'Pg')):
        server, env = service.started(kind)
        try:
            service.run(f'Starman with {driver}', 'page.psgi', server,
                        {**env, 'DRIVER': driver}, command, WORKERS)
        finally:
            server.stop()


case.main(test)
