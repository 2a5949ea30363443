-- quorum_raise: makes sure that no token up to this one is given here again, whether or not anybody holds the lock. What a
-- majority of servers knows, the next majority learns.
--
-- KEYS[1] lock
-- ARGV[1] token: of a hold that a majority has granted
-- ARGV[2] remember: how long the key outlives its last use, ms
--
-- RETURN raised, now us, last: the last token is this one or a higher one
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, token, remember = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])
-- include: layout, survey, expiry

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local last, latest = math.max(stored_token(fields[2]), token), 0
if fields[3] then
  local _
  _, latest = survey(fields[3], '')
end
if not fields[1] then
  -- The hold was lost with all the rest; what is written then is no hold.
  redis.call('HSET', key, 'v', LAYOUT, 'last', text(last))
end
-- An answer that says "yes" always writes, so that a WAIT after it covers this connection's last write.
keep_or_remove(not fields[1] and {'v', 'last'}, math.max(latest, last), remember, fields[4], fields[5])
if fields[1] then
  write('last', text(last))
end
return {'raised', now_text, text(last)}
