-- latch_look: reads a latch, and enters who waits for it among those to be woken.
--
-- KEYS[1] latch
-- ARGV[1] channel: where this client hears that nothing is left to count, if it is to wait for that; else empty
-- ARGV[2] place: its place among those who wait, 0 if it has none yet
--
-- RETURN reached, now us: nothing is left to count
-- RETURN counting, now us, left us, count, place: so many are left to count, and the latch is there for left; who is to wait has the
--   place, 0 if there was none to be had, and absent for who is not to wait
-- RETURN none, now us: there is no latch: it was not set, or its time is over
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local latch, found = read()
if found then
  return {'foreign', now_text, found}
end
if not latch then
  return {'none', now_text}
end
if latch.count == '0' then
  return {'reached', now_text}
end

-- At most so many clients wait to be woken; others ask from time to time.
local MOST_WAITERS = 1000

-- Whose channel it is: in a cluster a client has one of its own and others for shards, '<channel>{<tag>}'.
local function client_of(channel)
  return string.match(channel, '^[^{]*')
end

-- Takes or keeps a place; 0 if there is none to be had: all are taken, or the memory is full.
local function stay(place, channel)
  local there = place ~= '0' and redis.call('HGET', key, 'w:' .. place)
  if there == channel then
    return place
  end
  if not there or client_of(there) ~= client_of(channel) then
    if latch.waiting >= MOST_WAITERS then
      return '0'
    end
    place = text(latch.waiting + 1)
    latch.waiting = latch.waiting + 1
  end
  local wrote = redis.pcall('HSET', key, 'w:' .. place, channel, 'wn', text(latch.waiting))
  if type(wrote) == 'table' then
    return '0'
  end
  keep(latch.ends)
  return place
end

local left = text(latch.ends - now)
if ARGV[1] == '' then
  return {'counting', now_text, left, latch.count}
end
return {'counting', now_text, left, latch.count, stay(ARGV[2], ARGV[1])}
