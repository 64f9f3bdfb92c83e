#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An asyncio service under load, with asyncpg: see support/service.py.

NEEDS: psql
TIMEOUT: 200
SLOW: a service under load
"""
import case
import service


def test():
    server, env = service.started(service.PostgreSQL)
    try:
        service.run('asyncpg', 'asyncpg_page.py', server, env,
                    lambda page, path: [case.PYTHON, page, path], 1)
    finally:
        server.stop()


case.main(test)
