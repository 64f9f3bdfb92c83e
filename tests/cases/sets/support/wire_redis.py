# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of Redis for sets/wire-redis.py: SOCKET [VERSION]."""
import sys

import redis

client = redis.Redis(unix_socket_path=sys.argv[1], decode_responses=True,
                     socket_timeout=20)
print(client.set('a', '1'), client.get('a'), client.get('none'))
print(client.incr('a'), client.rpush('list', 'x', 'a b'),
      client.lrange('list', 0, -1))
try:
    client.lpush('a', 'x')
except redis.ResponseError as error:
    print(error)
try:
    client.execute_command('AUTH', 'who', 'secret')
except redis.ResponseError as error:
    print(error)
pipe = client.pipeline(transaction=False)
for i in range(3):
    pipe.set(f'key{i}', i)
pipe.get('key2')
print(pipe.execute())
channel = client.pubsub()
channel.subscribe('news', 'sports')
print([channel.get_message(timeout=20)['type'] for _ in range(2)])
print(client.publish('news', 'hello'))
print(channel.get_message(timeout=20)['data'])
channel.unsubscribe('news', 'sports')
print([channel.get_message(timeout=20)['type'] for _ in range(2)])
channel.close()
print(client.delete('a', 'list'))
