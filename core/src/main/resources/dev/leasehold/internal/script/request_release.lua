-- request_release: asks the holders to release the lock. They learn of it when they renew, and a client that retains it at once;
-- nothing is taken away.
--
-- KEYS[1] lock
-- ARGV[1] notAfter: Redis time after which this request must not ask the holders, us
-- ARGV[2] remember: how long the key outlives its last use, ms
--
-- RETURN requested, now us, count: so many live holds are asked
-- RETURN free, now us: nobody holds the lock
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: layout, survey, expiry, retained

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[1]) then
  return {'stale', now_text}
end
local last, live, latest = stored_token(fields[2], fields[3]), 0, 0
if fields[3] then
  live, latest = survey(fields[3], '')
end
if live == 0 then
  return {'free', now_text}
end
keep(math.max(latest, last), tonumber(ARGV[2]), fields[4], fields[5])
if redis.call('EXISTS', key) == 0 then
  -- As in write; but here the field is new.
  error('the key expired while this script ran')
end
-- The next holder has a higher token: so the request ends with the hold, and no other script need remove it.
redis.call('HSET', key, 'rq', fields[2])
ask_retainer(redis.call('HGET', key, 'rt'), fields[2])
return {'requested', now_text, text(live)}
