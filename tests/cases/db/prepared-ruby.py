#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements that Ruby's libraries prepared before xtrace attached. Each
execution is shown with its text, from the first one on, in the client's order.

NEEDS: mariadb postgresql /usr/share/doc/ruby-activerecord
TIMEOUT: 60
"""
import case
import prepared

ACTIVE_RECORD = '''
require 'active_record'
ActiveRecord::Base.establish_connection(%s)
$base = ActiveRecord::Base.connection

def ask(name, value)
  bind = ActiveRecord::Relation::QueryAttribute.new(
    'value', value.to_s, ActiveRecord::Type::String.new)
  text = "SELECT '#{name}', %s"
  $base.exec_query(text, 'it', [bind], prepare: true).to_a
end
''' + prepared.RUBY
PG = "adapter: 'postgresql', database: ENV['PGDATABASE']", '$1::text'
MYSQL2 = "adapter: 'mysql2', socket: ENV['MARIADB_SOCKET'], " \
    "username: 'root', database: 'xtrace', prepared_statements: true", '?'
SEQUEL = '''
require 'sequel'
$base = Sequel.connect(%s)
$known = {}

def ask(name, value)
  $known[name] ||= $base["SELECT '#{name}', ?", :$value].prepare(
    :select, "its_#{name}".to_sym)
  $known[name].call(value: value.to_s)
end
''' + prepared.RUBY
SEQUEL_PG = "adapter: 'postgres', host: ENV['PGHOST'], " \
    "database: ENV['PGDATABASE']"
SEQUEL_MYSQL2 = "adapter: 'mysql2', socket: ENV['MARIADB_SOCKET'], " \
    "user: 'root', database: 'xtrace'"


def test():
    for name, text, place in (
            ('ActiveRecord with pg', ACTIVE_RECORD % PG, '$1::text'),
            ('ActiveRecord with mysql2', ACTIVE_RECORD % MYSQL2, '?'),
            ('Sequel with pg', SEQUEL % SEQUEL_PG, '$1'),
            ('Sequel with mysql2', SEQUEL % SEQUEL_MYSQL2, '?')):
        prepared.check(name, ['/usr/bin/ruby', '-e', text],
                       lambda word: f"SELECT '{word}', {place}")


case.main(test)
