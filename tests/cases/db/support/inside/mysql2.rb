# SPDX-License-Identifier: GPL-2.0-or-later
# Many fast queries by mysql2, and some slow ones, whose rows are stored, fetched
# one by one, and of a prepared statement.
require 'mysql2'

ROWS = "SELECT seq, REPEAT('x', 200), SLEEP(IF(seq = 1500, 0.1, 0)) " \
       'FROM seq_1_to_2000 /* slow, %s */'.freeze
base = Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
                          database: 'xtrace')
fast = lambda do |count|
  count.times { |i| base.query("SELECT #{i} + 1").to_a }
end
fast.call(200)
base.query('SELECT SLEEP(0.1) /* slow, first */').to_a
fast.call(60)
puts base.query(format(ROWS, 'later')).to_a.size
fast.call(60)
puts base.query(format(ROWS, 'by row'), stream: true, cache_rows: false)
         .to_a.size
fast.call(60)
prepared = base.prepare('SELECT SLEEP(?) /* slow, prepared */')
41.times { |i| prepared.execute(i == 40 ? 0.1 : 0).to_a }
fast.call(60)
