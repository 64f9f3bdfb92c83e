-- SPDX-License-Identifier: GPL-2.0-or-later
-- Errors through C functions, which liblua leaves by longjmp, and coroutines
-- that yield across a pcall. See languages.py.
local first, last = tonumber(arg[1]), tonumber(arg[2])
local erred, sum = 0, 0
local routine = coroutine.wrap(function(x)
  while true do
    local _, y = pcall(coroutine.yield, x + 1)
    x = y
  end
end)
for i = 1, last do
  local good, text = pcall(string.rep)
  if not good and text:find('bad argument') then erred = erred + 1 end
  good = pcall(table.sort, {3, 2, 1}, function() error('in sort') end)
  if not good then erred = erred + 1 end
  sum = sum + routine(i)
  if i == first or i == last then
    print('ready')
    io.stdout:flush()
    io.read()
  end
end
print(erred .. ' errors, sum ' .. sum)
os.exit(3)
