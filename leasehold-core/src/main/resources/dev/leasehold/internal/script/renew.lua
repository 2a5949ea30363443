-- renew: makes a hold last at least so long from now; with 0 it only confirms the hold.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] lease: how long the hold shall last from now, us; an end that lies later stays
-- ARGV[3] retention: how long the key outlives its last use, ms
--
-- RETURN renewed, now us, left us: the hold lasts for left from now
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, retention = ARGV[1], tonumber(ARGV[3])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local last, own = tonumber(fields[2] or '0'), fields[3]
if not fields[4] then
  return {'gone', now_text, own and 'taken' or 'free'}
end
local ends, _, since = read_hold(id, fields[4])
if ends <= now then
  return {'ended', now_text}
end
local renewed, latest = math.max(ends, now + tonumber(ARGV[2])), 0
if own and own ~= id then
  _, latest = rarely().survey(own, id)
end
keep(math.max(renewed, latest, last), retention, fields[5])
if renewed > ends then
  rarely().overwrite('h:' .. id, text(renewed) .. ':' .. ARGV[2] .. ':' .. since)
end
return {'renewed', now_text, text(renewed - now)}
