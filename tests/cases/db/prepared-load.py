#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches in the middle of a load: clients with several threads or
tasks execute statements that they have prepared. At most 2 of 100 lines have no
text. No line has another statement's text, as the bound value shows.

NEEDS: postgresql mariadb /usr/share/doc/ruby-activerecord
TIMEOUT: 180
SLOW: four loads
"""
import json
import re

import case
import matrix
import prepared

LINES = 200
ASYNCPG = f'''
import asyncio, sys
import asyncpg

async def work(pool, over):
    while not over.is_set():
        for word in {prepared.WORDS!r}:
            async with pool.acquire() as base:
                await base.fetch(f"SELECT '{{word}}' || $1::text", word)

async def main():
    over = asyncio.Event()
    pool = await asyncpg.create_pool(min_size=3, max_size=3)
    tasks = [asyncio.create_task(work(pool, over)) for _ in range(6)]
    await asyncio.sleep(0.3)
    print('ready', flush=True)
    await asyncio.to_thread(sys.stdin.readline)
    over.set()
    await asyncio.gather(*tasks)
    await pool.close()

asyncio.run(main())
'''
PSYCOPG = f'''
import sys, threading
import psycopg

over = threading.Event()

def work(begun):
    base = psycopg.connect(prepare_threshold=0, autocommit=True)
    while not over.is_set():
        for word in {prepared.WORDS!r}:
            base.execute(f"SELECT '{{word}}' || %s::text", [word]).fetchall()
        begun.set()

begun = [threading.Event() for _ in range(4)]
threads = [threading.Thread(target=work, args=[event]) for event in begun]
for thread in threads:
    thread.start()
for event in begun:
    event.wait()
print('ready', flush=True)
sys.stdin.readline()
over.set()
'''
RUBY = '''
words = %w[WORDS]
over = false
begun = Queue.new
threads = 4.times.map do
  Thread.new do
    base = connect
    until over
      words.each { |word| ask(base, word) }
      begun << true
    end
  end
end
8.times { begun.pop }
$stdout.sync = true
puts 'ready'
$stdin.gets
over = true
threads.each(&:join)
'''.replace('WORDS', ' '.join(prepared.WORDS))
ACTIVE_RECORD = '''
require 'active_record'
ActiveRecord::Base.establish_connection(
  adapter: 'postgresql', database: ENV['PGDATABASE'], pool: 4)

def connect
  ActiveRecord::Base.connection
end

def ask(base, word)
  bind = ActiveRecord::Relation::QueryAttribute.new(
    'value', word, ActiveRecord::Type::String.new)
  base.exec_query("SELECT '#{word}' || $1::text", 'it', [bind], prepare: true)
end
''' + RUBY
SEQUEL = '''
require 'sequel'
$base = Sequel.connect(adapter: 'mysql2', user: 'root', database: 'xtrace',
                       socket: ENV['MARIADB_SOCKET'], max_connections: 4)
%w[one two three four].each do |word|
  $base["SELECT '#{word}', ?", :$value].prepare(:select, word.to_sym)
end

def connect
  $base
end

def ask(base, word)
  base.call(word.to_sym, value: word)
end
''' + RUBY


def check(name, command):
    client = case.start(*command, env=matrix.env())
    client.wait_for('ready')
    # The load never pauses, so case.attach(), which waits until the client
    # sleeps, cannot be used.
    tracer = case.trace('--sql', '--json', '--bind', '-s', '1000', '-p',
                        str(client.pid))
    case.until(lambda: len(tracer.lines()) >= LINES, f'{name}: {LINES} lines')
    client.say()
    case.finish(client)
    tracer.wait(0)
    known = unknown = 0
    for row in map(json.loads, tracer.lines()):
        if row['event'] != 'call':
            continue
        text = row['arguments'][0]['value']
        if not isinstance(text, str):
            unknown += 1
            continue
        word = re.match("SELECT '(one|two|three|four)'", text)
        if not word:
            continue
        known += 1
        values = [argument['value'] for argument in row['arguments']
                  if argument['name'] == 'values']
        # A value that mysql2 bound before the attach is not known.
        case.true(values in ([], [[word.group(1)]]),
                  f'{name}: {values} is bound to {text}')
    case.true(known >= LINES // 3, f'{name}: {known} statements')
    case.true(unknown * 100 <= 2 * (known + unknown),
              f'{name}: {unknown} unknown, {known} known')


def test():
    check('asyncpg', [case.PYTHON, '-c', ASYNCPG])
    check('psycopg 3', [case.PYTHON, '-c', PSYCOPG])
    check('ActiveRecord', ['/usr/bin/ruby', '-e', ACTIVE_RECORD])
    check('Sequel', ['/usr/bin/ruby', '-e', SEQUEL])


case.main(test)
