-- inspect: reads a lock without changing it.
--
-- KEYS[1] lock
--
-- RETURN lock, now us, omitted, fields: fields and values of the hash in turn, none if there is no key; so many fields are left out,
--   and long values are cut
-- RETURN foreign, now us, found: the key holds something else
local key = KEYS[1]
-- include: clock, layout, reported
local fields = redis.pcall('HMGET', key, 'v')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
return {'lock', now_text, unpack((report()))}
