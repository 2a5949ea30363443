-- include: clock, text
-- Latches. A latch is one hash (docs/protocol.md) with a layout of its own, so that latches and locks refuse each other's keys.
-- It is set once, its count only falls, and it goes when its time is over.
local LAYOUT = 'latch 1'

-- The most clients that are woken; others poll.
local MOST_WAITERS = 1000

local MOST_COUNTS, LATEST = 2147483647, 2 ^ 53

-- Returns a number as Redis counts; nil if it is none.
local function counter(value, most)
  local n = tonumber(value or '')
  return n and n >= 0 and n <= most and text(n) == value and n or nil
end

-- Returns the latch under the key, nil if there is none, its time is over, or its numbers are none; and the kind of what is there instead.
local function read()
  local fields = redis.pcall('HMGET', key, 'v', 'n', 'ends', 'by', 'wn')
  if fields.err then
    if not string.find(fields.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('HMGET', key, 'v')
    end
    return nil, redis.call('TYPE', key).ok
  end
  if fields[1] == LAYOUT then
    local count, ends = counter(fields[2], MOST_COUNTS), counter(fields[3], LATEST)
    if not count or not ends or ends <= now then
      return nil
    end
    return {count = text(count), ends = ends, by = fields[4], waiting = math.min(counter(fields[5], LATEST) or 0, MOST_WAITERS)}
  end
  if fields[1] then
    return nil, 'layout ' .. string.sub(fields[1], 1, 20)
  end
  if redis.call('EXISTS', key) == 1 then
    return nil, 'hash'
  end
  return nil
end

-- Makes the key expire with the latch. Redis never refuses PEXPIREAT for lack of memory, nor any write that follows another in
-- a script: so a count-down calls this first. Called again after the last write, it removes what was written to a new key
-- because the old one expired while the server stood still inside the script.
local function keep(ends)
  redis.call('PEXPIREAT', key, text(math.ceil(ends / 1000)))
end
