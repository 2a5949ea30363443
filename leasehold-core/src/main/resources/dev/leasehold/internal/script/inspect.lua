-- inspect: reads a lock without changing it.
--
-- KEYS[1] lock
--
-- RETURN lock, now us, fields: all fields and values of the hash in turn, none if there is no key
-- RETURN foreign, now us, found: something else lies under the key
local fields = redis.pcall('HMGET', key, 'v')
local found = foreign(fields)
if found then
  return {'foreign', text(now), found}
end
local answer = redis.call('HGETALL', key)
table.insert(answer, 1, text(now))
table.insert(answer, 1, 'lock')
return answer
