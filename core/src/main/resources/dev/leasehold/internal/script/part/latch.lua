-- include: clock, text
-- Latches. A latch is one hash (docs/protocol.md) with a layout of its own, so that latches and locks refuse each other's keys.
-- It is set once, its count only falls, and it goes when its time is over. A latch with rounds has another layout, and is the round of the
-- largest number: it is set anew for the next one, which keeps the former ones reached.
local LAYOUT, WITH_ROUNDS = 'latch 1', 'latch rounds 1'

-- Whoever shows a latch asks for either layout.
local EITHER = '*'

-- The most clients that are woken; others poll.
local MOST_WAITERS = 1000

local MOST_COUNTS, LATEST = 2147483647, 2 ^ 53

-- Returns a number as Redis counts; nil if it is none.
local function counter(value, most)
  local n = tonumber(value or '')
  return n and n >= 0 and n <= most and text(n) == value and n or nil
end

-- Returns the latch under the key, nil if there is none, its time is over, or its numbers are none; and the kind of what is there instead.
-- Of a latch with rounds it is the present one, whichever was asked for.
local function read(round)
  local fields = redis.pcall('HMGET', key, 'v', 'n', 'ends', 'by', 'wn', 'rd', 'rf')
  if fields.err then
    if not string.find(fields.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('HMGET', key, 'v')
    end
    return nil, redis.call('TYPE', key).ok
  end
  local rounds = fields[1] == WITH_ROUNDS
  if fields[1] == (round and WITH_ROUNDS or LAYOUT) or (round == EITHER and fields[1] == LAYOUT) then
    local count, ends = counter(fields[2], MOST_COUNTS), counter(fields[3], LATEST)
    local number, first = counter(fields[6], LATEST), counter(fields[7], LATEST)
    if not count or not ends or ends <= now or (rounds and not (number and first)) then
      return nil
    end
    local waiting = math.min(counter(fields[5], LATEST) or 0, MOST_WAITERS)
    return {count = text(count), ends = ends, by = fields[4], waiting = waiting, number = number, first = first}
  end
  if fields[1] then
    return nil, 'layout ' .. string.sub(fields[1], 1, 20)
  end
  if redis.call('EXISTS', key) == 1 then
    return nil, 'hash'
  end
  return nil
end

-- Returns the latch as the round that was asked for sees it: reached if others have followed it without a gap, nil if it was not set.
local function seen(latch, round)
  if not latch or not round or round == EITHER or text(latch.number) == round then
    return latch
  end
  local asked = tonumber(round)
  return latch.first <= asked and asked < latch.number and {count = '0', ends = latch.ends} or nil
end

-- Makes the key expire with the latch. Redis never refuses PEXPIREAT for lack of memory, nor any write that follows another in
-- a script: so a count-down calls this first. Called again after the last write, it removes what was written to a new key
-- because the old one expired while the server stood still inside the script.
local function keep(ends)
  redis.call('PEXPIREAT', key, text(math.ceil(ends / 1000)))
end
