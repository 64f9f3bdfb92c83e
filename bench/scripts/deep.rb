# SPDX-License-Identifier: GPL-2.0-or-later
# deep.rb N [native]: calls File.umask N times from a depth of ten frames; with
# `native`, native functions are between them. Each File.umask calls umask()
# twice.
def leaf(n)
  i = 0
  while i < n
    File.umask
    i += 1
  end
end

def nest(depth, n)
  return nest(depth - 1, n) if depth > 0
  leaf(n)
end

def nest_native(depth, n)
  return [depth - 1].each { |d| nest_native(d, n) } if depth > 0
  leaf(n)
end

if ARGV.size > 1
  nest_native(4, ARGV[0].to_i)
else
  nest(6, ARGV[0].to_i)
end
