-- leave: gives a place in the queue back; if the lock is free by then, the next is woken in its stead.
--
-- KEYS[1] lock
-- ARGV[1] place: in the queue
-- ARGV[2] channel: with which it was taken
-- ARGV[3] sure: 1 if a message that nobody received was heard by nobody, so on a single server; else 0
--
-- RETURN left, now us: the place was given back
-- RETURN gone, now us: there is no such place
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local place = ARGV[1]

local fields = redis.pcall('HMGET', key, 'v', 'own', 'q:' .. place, 'rv')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if not rarely().is_of(fields[3], ARGV[2]) then
  return {'gone', now_text}
end
if fields[4] == place then
  redis.call('HDEL', key, 'rv', 're')
end
rarely().vacate(tonumber(place))
local live = 0
if fields[2] then
  live = rarely().survey(fields[2], '')
end
if live == 0 or fields[2] == PERMITS then
  rarely().free(ARGV[3] == '1', now, live)
elseif fields[2] == READERS then
  rarely().wake_readers()
end
return {'left', now_text}
