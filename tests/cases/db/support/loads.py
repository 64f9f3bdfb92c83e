# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients that execute, again and again, statements that they have prepared
before they say `ready`, until they read a line. Several threads or tasks do so
at once, where the language has them. Each statement has its word, one of
prepared.WORDS, in its text and as its bound value.
"""
import case
import prepared

ASYNCIO = f'''
import asyncio, sys
words = {prepared.WORDS!r}

async def work(ask, begun, over):
    while not over.is_set():
        for word in words:
            await ask(word)
        begun.set()

async def load(asks):
    over = asyncio.Event()
    begun = [asyncio.Event() for _ in asks]
    tasks = [asyncio.create_task(work(ask, event, over))
             for ask, event in zip(asks, begun)]
    for event in begun:
        await event.wait()
    print('ready', flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    over.set()
    await asyncio.gather(*tasks)
'''
ASYNCPG = ASYNCIO + '''
import asyncpg

def text(word):
    return f"SELECT '{word}' || $1::text"

async def main():
    pool = await asyncpg.create_pool(min_size=3, max_size=3)
    async def ask(word):
        async with pool.acquire() as base:
            await base.fetch(text(word), word)
    await load([ask] * 6)
    await pool.close()
'''
ASYNCPG_OWN = ASYNCIO + '''
import asyncpg

def text(word):
    return f"SELECT '{word}' || $1::text"

async def own():
    base = await asyncpg.connect()
    made = {word: await base.prepare(text(word)) for word in words}
    async def ask(word):
        await made[word].fetch(word)
        await base.executemany(text(word), [[word], [word]])
        async with base.transaction():
            async for _ in base.cursor(text(word), word):
                pass
            async for _ in made[word].cursor(word):
                pass
    return ask

async def main():
    await load([await own() for _ in range(3)])
'''
SQLALCHEMY = ASYNCIO + '''
import os
import sqlalchemy
from sqlalchemy.ext.asyncio import create_async_engine

async def main():
    engine = create_async_engine('postgresql+asyncpg:///', isolation_level=
                                 'AUTOCOMMIT')
    async def ask(word):
        async with engine.connect() as base:
            await base.execute(sqlalchemy.text(
                f"SELECT '{word}' || CAST(:it AS text)"), {'it': word})
    await load([ask] * 3)
    await engine.dispose()
'''
RUN = '''
asyncio.run(main())
'''
UVLOOP = '''
import uvloop
uvloop.install()
asyncio.run(main())
'''
PSYCOPG_ASYNC = ASYNCIO + '''
import psycopg

async def own():
    base = await psycopg.AsyncConnection.connect(prepare_threshold=0,
                                                 autocommit=True)
    async def ask(word):
        await base.execute(f"SELECT '{word}' || %s::text", [word])
    return ask

async def main():
    await load([await own() for _ in range(3)])
'''
PSYCOPG = f'''
import sys, threading
import psycopg

over = threading.Event()

def text(word):
    return f"SELECT '{{word}}' || %s::text"

def each(base):
    for word in {prepared.WORDS!r}:
        base.execute(text(word), [word]).fetchall()

def many(base):
    cursor = base.cursor()
    for word in {prepared.WORDS!r}:
        cursor.executemany(text(word), [[word], [word]])

def pipeline(base):
    with base.pipeline():
        for word in {prepared.WORDS!r}:
            base.execute(text(word), [word])

def work(begun):
    base = psycopg.connect(prepare_threshold=0, autocommit=True)
    while not over.is_set():
        form(base)
        begun.set()

form = FORM

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
MYSQL2 = '''
require 'mysql2'

def connect
  base = Mysql2::Client.new(username: 'root', database: 'xtrace',
                            socket: ENV['MARIADB_SOCKET'])
  %w[one two three four].to_h do |word|
    [word, base.prepare("SELECT '#{word}', ?")]
  end
end

def ask(base, word)
  base[word].execute(word).to_a
end
''' + RUBY
PG = '''
require 'pg'

def connect
  base = PG.connect
  %w[one two three four].each do |word|
    base.prepare("its_#{word}", "SELECT '#{word}' || $1::text")
  end
  base
end

def ask(base, word)
  base.exec_prepared("its_#{word}", [word]).to_a
end
''' + RUBY
PERL_WORDS = f"my @words = split ' ', '{' '.join(prepared.WORDS)}';\n"
DBI = '''
use strict;
use DBI;
use IO::Select;
$| = 1;
''' + PERL_WORDS + '''
my $base = DBI->connect(%s);
my %%known = map { $_ => $base->prepare("SELECT '$_', ?") } @words;

sub work {
    for my $word (@words) {
        $known{$word}->execute($word);
        $known{$word}->fetchall_arrayref;
    }
}
work() for 1 .. 4;
print "ready\\n";
my $line = IO::Select->new(\\*STDIN);
work() until $line->can_read(0);
'''
DBD_PG = DBI % "'dbi:Pg:', '', '', { pg_switch_prepared => 1 }"
DBD_MYSQL = DBI % ("'dbi:mysql:database=xtrace;mysql_socket=' . "
                   "$ENV{MARIADB_SOCKET} . ';mysql_server_prepare=1', 'root'")
MOJO = '''
use strict;
use Mojo::Pg;
use Mojo::IOLoop;
use Mojo::Promise;
$| = 1;
''' + PERL_WORDS + '''
my $pg = Mojo::Pg->new('postgresql:///');
$pg->max_connections(4);
my ($over, $done, $ready) = (0, 0, 0);

sub step {
    my ($at) = @_;
    my $word = $words[$at % @words];
    if ($over && $at % @words == 0) {
        Mojo::IOLoop->stop if ++$done == 3;
        return;
    }
    print "ready\\n" if $at == 4 * @words && ++$ready == 3;
    my $base = $pg->db;
    $base->query_p("SELECT '$word', ?", $word)->then(sub {
        shift->arrays;
        undef $base;
        # Some executions block.
        $pg->db->query("SELECT '$word', ?", $word)->arrays if $at % 3 == 0;
        step($at + 1);
    })->catch(sub { die @_ });
}
Mojo::IOLoop->singleton->reactor->io(\\*STDIN => sub {
    $over = 1;
    Mojo::IOLoop->singleton->reactor->remove(\\*STDIN);
})->watch(\\*STDIN, 1, 0);
step(0) for 1 .. 3;
Mojo::IOLoop->start;
'''


def python(text):
    return [case.PYTHON, '-c', text]


def ruby(text):
    return ['/usr/bin/ruby', '-e', text]


def perl(text):
    return ['/usr/bin/perl', '-e', text]


ALL = {
    'asyncpg': python(ASYNCPG + RUN),
    'asyncpg, own statements and cursors': python(ASYNCPG_OWN + RUN),
    'asyncpg, SQLAlchemy': python(SQLALCHEMY + RUN),
    'asyncpg, uvloop': python(ASYNCPG + UVLOOP),
    'asyncpg, own statements and cursors, uvloop': python(ASYNCPG_OWN + UVLOOP),
    'psycopg 3': python(PSYCOPG.replace('FORM', 'each')),
    'psycopg 3, executemany': python(PSYCOPG.replace('FORM', 'many')),
    'psycopg 3, pipeline': python(PSYCOPG.replace('FORM', 'pipeline')),
    'psycopg 3, asyncio': python(PSYCOPG_ASYNC + RUN),
    'psycopg 3, uvloop': python(PSYCOPG_ASYNC + UVLOOP),
    'ActiveRecord': ruby(ACTIVE_RECORD),
    'Sequel': ruby(SEQUEL),
    'pg': ruby(PG),
    'mysql2': ruby(MYSQL2),
    'DBD::Pg': perl(DBD_PG),
    'DBD::mysql': perl(DBD_MYSQL),
    'Mojo::Pg': perl(MOJO),
}
# The script has prepared statements, and the driver does not keep their texts.
WITHOUT_TEXTS = ('pg', 'mysql2')
