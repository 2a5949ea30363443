-- latch_look: reads a latch, and registers a client that waits for it.
--
-- KEYS[1] latch
-- ARGV[1] channel: where this client receives the message that nothing is left to count, if it waits for that; else empty
-- ARGV[2] position: its position among the waiters, 0 if it has none yet
-- ARGV[3] round: the number of the round; absent for a latch without rounds, '*' for whatever is there, without a wait
--
-- RETURN reached, now us, round: nothing is left to count; the present round, if whatever is there was asked for and has rounds
-- RETURN counting, now us, left us, count, position, round: so many are left to count, and the latch is there for left; a waiter has the
--   position, which is 0 if there is none left or it does not wait; round as above
-- RETURN none, now us: there is no latch or round: it was not set, or its time is over
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: latch, publish
local latch, found = read(ARGV[3])
if found then
  return {'foreign', now_text, found}
end
latch = seen(latch, ARGV[3])
if not latch then
  return {'none', now_text}
end
local round = ARGV[3] == EITHER and latch.number and text(latch.number) or nil
if latch.count == '0' then
  return {'reached', now_text, round}
end

-- Takes or keeps a position; returns 0 if there is none: all are taken, or the memory is full.
local function take_position(position, channel)
  local there = position ~= '0' and redis.call('HGET', key, 'w:' .. position)
  if there == channel then
    return position
  end
  if not there or client_of(there) ~= client_of(channel) then
    if latch.waiting >= MOST_WAITERS then
      return '0'
    end
    position = text(latch.waiting + 1)
    latch.waiting = latch.waiting + 1
  end
  local wrote = redis.pcall('HSET', key, 'w:' .. position, channel, 'wn', text(latch.waiting))
  if type(wrote) == 'table' then
    return '0'
  end
  keep(latch.ends)
  return position
end

local left = text(latch.ends - now)
if ARGV[1] == '' then
  return {'counting', now_text, left, latch.count, '0', round}
end
return {'counting', now_text, left, latch.count, take_position(ARGV[2], ARGV[1])}
