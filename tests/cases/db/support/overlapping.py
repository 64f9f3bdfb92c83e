# SPDX-License-Identifier: GPL-2.0-or-later
"""A server of asyncio with asyncpg: overlapping.py SOCKET REQUESTS [uvloop]. It
answers GET /page/N on connections that stay open. Each query of a request has
the text 'page N' in it, and each but the first is sent only when all REQUESTS
clients have a request that is being answered. A task of its own makes queries,
too, and so do tasks that a request starts; these have other texts."""
import asyncio
import os
import sys

import asyncpg

SOCKET, REQUESTS = sys.argv[1], int(sys.argv[2])


class Round:
    """What all requests of a round wait for."""
    def __init__(self):
        self.arrived = 0
        self.full = asyncio.Event()

    async def arrive(self):
        self.arrived += 1
        if self.arrived == REQUESTS:
            self.full.set()
        await self.full.wait()


async def title(base, number):
    return await base.fetchval(f"SELECT 'page {number}', $1::text", 'title')


async def started(pool, number):
    async with pool.acquire() as base:
        return await base.fetchval(f"SELECT 'started by {number}'")


async def answer(pool, around, number):
    async with pool.acquire() as base:
        found = [await base.fetchval(f"SELECT 'page {number} first'")]
        await around.arrive()
        for _ in range(3):
            found.append(await title(base, number))
            await asyncio.sleep(0)
    found += await asyncio.gather(started(pool, number), started(pool, number))
    return '\n'.join(found).encode()


async def beside(pool, begin, stop):
    await begin.wait()
    async with pool.acquire() as base:
        while not stop.is_set():
            await base.fetchval("SELECT 'beside'")
            await asyncio.sleep(0.01)


async def main():
    pool = await asyncpg.create_pool(
        user=os.environ['PGUSER'], database=os.environ['PGDATABASE'],
        host=os.environ['PGHOST'], min_size=2 * REQUESTS + 1,
        max_size=2 * REQUESTS + 1)
    begin, stop = asyncio.Event(), asyncio.Event()
    rounds = [Round()]

    async def serve(reader, writer):
        while True:
            line = await reader.readline()
            if not line.startswith(b'GET '):
                break
            await reader.readuntil(b'\r\n\r\n')
            begin.set()
            around = rounds[-1]
            if around.arrived == REQUESTS:
                around = Round()
                rounds.append(around)
            body = await answer(pool, around, int(line.split()[1].split(b'/')[2]))
            writer.write(b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n'
                         % len(body) + body)
            await writer.drain()
        stop.set()
        writer.close()

    task = asyncio.create_task(beside(pool, begin, stop))
    server = await asyncio.start_unix_server(serve, SOCKET)
    print('ready', flush=True)
    await task
    server.close()
    await pool.close()


if sys.argv[3:] == ['uvloop']:
    import uvloop
    uvloop.install()
asyncio.run(main())
