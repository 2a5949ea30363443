-- release: removes one hold; the lock is free when none is left. Only fields are deleted, after a write that Redis never
-- refuses, so a full memory cannot keep a lock held.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] notAfter: until when a late copy of the acquire must be refused, us; 0 if only one was sent
-- ARGV[3] retention: how long the key outlives its last use, ms
--
-- RETURN released, now us: the hold was live and is removed
-- RETURN ended, now us: the hold had ended and is removed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, not_after, retention = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn')
local found = foreign(fields)
if found then
  return {'foreign', text(now), found}
end
local last, own = tonumber(fields[2] or '0'), fields[3]
local bury = fields[1] and not_after >= now
if not fields[4] and not bury then
  return {'gone', text(now), own and 'taken' or 'free'}
end

local live, latest, ended = 0, 0, {}
if own then
  live, latest, ended = survey(own, id)
end
keep(math.max(latest, last, not_after), retention, fields[5])
heal()
if bury and redis.call('HSET', key, 'x:' .. id, text(not_after)) == 1 then
  redis.call('HINCRBY', key, 'xn', 1)
end
if not fields[4] then
  return {'gone', text(now), own and 'taken' or 'free'}
end

local ends = read_hold(id, fields[4])
drop({id})
if live == 0 then
  drop(ended)
  redis.call('HDEL', key, 'own', 'tok')
end
return {ends > now and 'released' or 'ended', text(now)}
