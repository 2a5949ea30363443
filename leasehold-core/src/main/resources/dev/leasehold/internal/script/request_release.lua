-- request_release: asks whoever holds the lock to release it. The holders are told when they renew; nothing is taken away.
--
-- KEYS[1] lock
-- ARGV[1] retention: how long the key outlives its last use, ms
--
-- RETURN requested, now us, count: so many live holds are asked
-- RETURN free, now us: nobody holds the lock
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local live, latest = 0, 0
if fields[3] then
  live, latest = rarely().survey(fields[3], '')
end
if live == 0 then
  return {'free', now_text}
end
keep(math.max(latest, tonumber(fields[2])), tonumber(ARGV[1]), fields[4], fields[5])
if redis.call('EXISTS', key) == 0 then
  -- As in prelude's overwrite; but here the field is new.
  error('the key expired while this script ran')
end
-- Whoever holds the lock next has a higher token: so the request ends with the hold, and no other script need remove it.
redis.call('HSET', key, 'rq', fields[2])
return {'requested', now_text, text(live)}
