# SPDX-License-Identifier: GPL-2.0-or-later
"""An asyncio service with asyncpg: asyncpg_page.py SOCKET; see service.py."""
import asyncio
import json
import os
import signal
import sys
import time
import urllib.parse

import asyncpg


async def title_of(base, word, number):
    return await base.fetchval(  # ORM-LINE
        f"SELECT title FROM book WHERE '{word}' = '{word}' AND id = $1", number)


async def sleep(base, sql):
    began = time.perf_counter()
    await base.fetch(sql)  # SLOW-LINE
    return time.perf_counter() - began


async def answer(pool, target):
    parts = urllib.parse.urlsplit(target)
    _, word, number = parts.path.split('/')
    query = urllib.parse.parse_qs(parts.query)
    async with pool.acquire() as base:
        titles = [await title_of(base, word, int(number) + i)
                  for i in range(3)]
        took = await sleep(base, query['sleep'][0]) if query else 0
    return json.dumps([titles, took]).encode()


async def main():
    pool = await asyncpg.create_pool(
        user='xtrace', database='postgres', host=os.environ['PGHOST'],
        min_size=3, max_size=3)

    async def serve(reader, writer):
        head = await reader.readuntil(b'\r\n\r\n')
        body = await answer(pool, head.split()[1].decode())
        writer.write(b'HTTP/1.0 200 OK\r\n\r\n' + body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_unix_server(serve, sys.argv[1])
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, server.close)
    over = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, over.set)
    await over.wait()


asyncio.run(main())
