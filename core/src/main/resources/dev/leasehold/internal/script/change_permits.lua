-- change_permits: changes the number of permits of a semaphore, whatever its clients expect. Holders keep their permits.
--
-- KEYS[1] lock
-- ARGV[1] total: how many there are from now on
-- ARGV[2] notAfter: Redis time after which this request must not change the number, us
-- ARGV[3] remember: how long the key outlives its last use, ms
-- ARGV[4] countsReceivers: 1 if a message that Redis delivered to no subscriber was received by none, so on a single server; else 0
--
-- RETURN changed, now us, before: the number before; 0 if no client had set one
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, remember = KEYS[1], tonumber(ARGV[3])
-- include: layout, survey, expiry, wake

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn', 'pt')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[2]) then
  return {'stale', now_text}
end
local last, live, latest = stored_token(fields[2], fields[3]), 0, 0
if fields[3] then
  live, latest = survey(fields[3], '')
end
-- Redis refuses the first write when the memory is full, so the whole.
redis.call('HSET', key, 'v', LAYOUT, 'last', text(last), 'pt', '=' .. ARGV[1])
keep_or_remove(not fields[1] and {'v', 'last', 'pt'}, math.max(latest, last), remember, fields[4], fields[5])
if fields[5] then
  pass_on(ARGV[4] == '1', now, live)
end
return {'changed', now_text, text(number_of_permits(fields[6]) or 0)}
