-- The permits of a semaphore.

-- 'pt' is the number of permits: 'n', as the first client set it, or '=n' after a change.
local function number_of_permits(pt)
  return tonumber(string.match(pt or '', '%d+$'))
end

-- Returns how many permits a waiter with this value needs; a waiter for the lock needs all.
local function permits_needed(value, total)
  return math.min(tonumber(string.match(value, '^%d+s(%d+):') or total), total)
end
