# SPDX-License-Identifier: GPL-2.0-or-later
# Methods and blocks that handle requests, called as Rack calls them: with env, with
# an object that has it, in an object that has it, in a block of a method; and
# without a request.
require 'sqlite3'

GOOD, OTHER = ARGV
BASE = SQLite3::Database.new(':memory:')
# A Hash of more than eight pairs is another kind of table.
MANY = (1..30).to_h { |number| ["rack.#{number}", number] }

def ask(name)
  BASE.execute("select '#{name}'")[0][0]
end

def handle_rack(env)
  [ask('rack'), ask('rack')]
end

def handle_block(env)
  [1].map { |number| ask('block') }
end

def handle_later
  lambda { |env| ask('lambda') }
end

# The method has returned when the block runs.
def handle_proc(env)
  proc { ask('proc') }
end

# As Rack::Request, and an object with more variables than fit into it.
class Request
  def initialize(env)
    @env = env
  end
end

class Context
  def initialize(env)
    @one = @two = @three = 1
    @env = env
  end

  def handle_self
    ask('self')
  end
end

def handle_object(request)
  ask('object')
end

def handle_job(number)
  ask('job')
end

def env_of(parent, more = {})
  { 'REQUEST_METHOD' => 'GET', 'HTTP_TRACEPARENT' => parent }.merge(more)
end

p handle_rack(env_of(GOOD))
p handle_rack(MANY.merge(env_of(OTHER, MANY)))
p handle_rack(env_of('x'))
removed = env_of(GOOD, MANY)
removed.delete('HTTP_TRACEPARENT')
p handle_rack(removed)
p handle_block(env_of(GOOD))
p handle_later.call(env_of(OTHER))
p handle_proc(env_of(GOOD)).call
p handle_object(Request.new(env_of(OTHER)))
one = Request.new(env_of(GOOD, MANY))
def one.hash = 1
p handle_object(one)
p handle_object(Context.new(env_of(OTHER)))
p Context.new(env_of(GOOD)).handle_self
p handle_job(1)
