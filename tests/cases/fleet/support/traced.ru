# SPDX-License-Identifier: GPL-2.0-or-later
# As traced.py, with Rack.
require 'sqlite3'

BASE = SQLite3::Database.new(':memory:')
run(lambda do |env|
  found = (0..2).sum { |number| BASE.execute("select #{number}")[0][0] }
  [200, {}, ["#{env.fetch('HTTP_TRACEPARENT', 'none')} #{found}"]]
end)
