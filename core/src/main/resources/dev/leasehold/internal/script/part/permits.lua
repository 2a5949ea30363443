-- The permits of a semaphore.

-- 'pt' is the number of permits: 'n', as the first client set it, or '=n' after a change. Returns nil if it is no number.
local MOST_PERMITS = 2147483647
local function number_of_permits(pt)
  local n = tonumber(string.match(pt or '', '^=?(%d+)$'))
  return n and n <= MOST_PERMITS and n or nil
end

-- Returns how many permits a waiter with this value needs; a waiter for the lock needs all.
local function permits_needed(value, total)
  return math.min(tonumber(string.match(value, '^%d+s(%d+):') or total), total)
end
