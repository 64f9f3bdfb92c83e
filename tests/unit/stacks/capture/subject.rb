# SPDX-License-Identifier: GPL-2.0-or-later
# Prints its stack, function TAB file TAB line TAB ..., and waits there.

def say(frames)
  words = frames.flat_map do |frame|
    found = /\A(.*?):(\d+):in [`'](.*)'\z/m.match(frame)
    [found[3], found[1], found[2]]
  end
  owner = RUBY_VERSION >= '3.4' ? 'IO#' : ''
  $stdout.puts(["#{owner}gets", words[1], words[2], *words].join("\t"))
  $stdout.flush
end

class Place
  include Comparable

  def <=>(_)
    say(caller(0)); $stdin.gets
    0
  end

  def deeper
    [self, self].max
  end

  define_method(:defined) do |n|
    [n].each { deeper }
  end
end

def grüße
  eval("\n\n  [1].map { |n| Place.new.defined(n) }", binding, '/tmp/путь.rb')
end

Thread.new do
  Fiber.new { grüße.tap { |n| n } }.resume
end.join
