# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of Redis for sets/wire-tls.py: PORT CERTIFICATE. Each line of its
input is a key, whose value it gets and prints."""
import sys

import redis

client = redis.Redis('localhost', int(sys.argv[1]), ssl=True,
                     ssl_ca_certs=sys.argv[2], decode_responses=True,
                     socket_timeout=20)
print(client.set('a', '1'), client.get('a'), flush=True)
pipe = client.pipeline(transaction=False)
print(pipe.set('b', '2').get('b').execute(), flush=True)
for line in sys.stdin:
    print(client.get(line.strip()), flush=True)
