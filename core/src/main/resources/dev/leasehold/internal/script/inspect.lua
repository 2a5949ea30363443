-- inspect: reads a lock without changing it.
--
-- KEYS[1] lock
--
-- RETURN lock, now us, fields: all fields and values of the hash in turn, none if there is no key
-- RETURN foreign, now us, found: the key holds something else
local key = KEYS[1]
-- include: clock, layout
local fields = redis.pcall('HMGET', key, 'v')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local answer = redis.call('HGETALL', key)
table.insert(answer, 1, now_text)
table.insert(answer, 1, 'lock')
return answer
