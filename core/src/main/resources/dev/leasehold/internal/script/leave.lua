-- leave: gives up a position in the queue; if the lock is free by then, the next waiter is woken.
--
-- KEYS[1] lock
-- ARGV[1] position: in the queue; with an id, the one that stays, 0 if none
-- ARGV[2] channel: with which it was taken
-- ARGV[3] countsReceivers: 1 if a message that Redis delivered to no subscriber was received by none, so on a single server; else 0
-- ARGV[4] id: of an acquisition that got no answer, to give up the position that it may have taken instead; else empty
--
-- RETURN left, now us: the position was given up
-- RETURN gone, now us: there is no such position
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, position = KEYS[1], ARGV[1]
-- include: layout, survey, wake

local fields = redis.pcall('HMGET', key, 'v', 'own', 'q:' .. position, 'rv')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local value = fields[3]
if ARGV[4] ~= '' then
  -- The waiters of a client share a position, which has the id of the one that polled last.
  local taken = position_of(ARGV[4], ARGV[2])
  position = taken ~= position and taken or '0'
  value = position ~= '0' and redis.call('HGET', key, 'q:' .. position)
end
if not is_of(value, ARGV[2]) then
  return {'gone', now_text}
end
local live = 0
if fields[2] then
  live = survey(fields[2], '')
end
if fields[4] == position then
  redis.call('HDEL', key, 'rv', 're')
end
vacate(tonumber(position))
if live == 0 or fields[2] == PERMITS then
  pass_on(ARGV[3] == '1', now, live)
elseif fields[2] == READERS then
  wake_readers()
end
return {'left', now_text}
