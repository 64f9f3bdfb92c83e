# SPDX-License-Identifier: GPL-2.0-or-later
# A client of Redis for sets/wire-redis.py: SOCKET
require 'redis'

client = Redis.new(path: ARGV[0])
p client.set('a', '1'), client.get('a'), client.get('none')
p client.rpush('list', ['x', 'a b']), client.lrange('list', 0, -1)
begin
  client.lpush('a', 'x')
rescue Redis::CommandError => error
  puts error.message
end
p(client.pipelined { |pipe| 3.times { |i| pipe.set("key#{i}", i) } })
p client.del('a', 'list')
