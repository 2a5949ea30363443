-- downgrade: makes a writer's hold a reader's, with no moment between the two in which the lock is free.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] retention: how long the key outlives its last use, ms
--
-- RETURN shared, now us, left us, token: it is a reader's hold, with that token, and lasts for left; a repeat is told so again
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN exhausted, now us, last: no token below 2^53 is left; nothing was changed
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, retention = ARGV[1], tonumber(ARGV[2])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local last, own = tonumber(fields[2] or '0'), fields[3]
if not fields[4] or (own ~= id and own ~= READERS) then
  return {'gone', now_text, own and 'taken' or 'free'}
end
local ends, length = read_hold(id, fields[4])
if ends <= now then
  return {'ended', now_text}
end
local _, latest = rarely().survey(own, id)
if own == READERS then
  keep(math.max(ends, latest, last), retention, fields[5], fields[6])
  return {'shared', now_text, text(ends - now), text(last)}
end

-- Readers have a token above that of the writer before them: or what it wrote late could pass for theirs.
local token = math.max(last + 1, now)
if token >= 9007199254740992 then
  return {'exhausted', now_text, text(last)}
end
keep(math.max(ends, token), retention, fields[5], fields[6])
rarely().overwrite('own', READERS)
rarely().overwrite('last', text(token))
redis.call('HDEL', key, 'tok')
rarely().sum_up(ends, length)
if fields[6] then
  rarely().wake_readers()
end
return {'shared', now_text, text(ends - now), text(token)}
