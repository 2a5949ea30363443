-- The usual case of a release: a lock with one hold, that nobody waits for. As it still owns the lock, nobody else had it
-- meanwhile. Redis takes half as long to send a text as a table.
local usual = redis.pcall('HMGET', key, 'own', 'wn')
if usual[1] == id and not usual[2] then
  redis.call('HDEL', key, 'own', 'h:' .. id, 'i:' .. id)
  return 'released'
end
