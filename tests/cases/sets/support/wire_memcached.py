# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of memcached for sets/wire-memcached.py: SOCKET."""
import sys

from pymemcache.client.base import Client
from pymemcache.exceptions import MemcacheClientError

client = Client(sys.argv[1], timeout=20, default_noreply=False)
print(client.set('a', 'one'), client.get('a'), client.get('none'))
print(client.set_many({'b': '2', 'c': '3'}), client.get_many(['b', 'c', 'd']))
print(client.add('a', 'two'), client.incr('b', 40), client.delete('c'))
print(client.set('quiet', 'x', noreply=True))
print(client.touch('none', 10), client.version())
try:
    client.incr('a', 1)
except MemcacheClientError as error:
    print(error)
