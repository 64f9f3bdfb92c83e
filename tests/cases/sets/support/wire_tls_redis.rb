# SPDX-License-Identifier: GPL-2.0-or-later
# A client of Redis for sets/wire-tls.py: PORT CERTIFICATE
require 'redis'

client = Redis.new(host: 'localhost', port: ARGV[0].to_i, ssl: true,
                   ssl_params: { ca_file: ARGV[1] })
p client.set('a', '1'), client.get('a')
p client.pipelined { |pipe| pipe.set('b', '2'); pipe.get('b') }
