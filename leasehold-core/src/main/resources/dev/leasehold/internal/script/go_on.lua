-- go_on: asks at the end of a run of hand-offs within a process whether it may go on. If nobody else waits, the hold is
-- renewed and gets new tokens; else the lock is reserved for who is first in the queue, from its release on.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] lease: how long the hold shall last from now, us; an end that lies later stays
-- ARGV[3] retention: how long the key outlives its last use, ms
-- ARGV[4] place: of this client in the queue, 0 if it has none
-- ARGV[5] tokens: how many to reserve
--
-- RETURN going, now us, left us, token, last: nobody else waits; the hold lasts for left, and the tokens up to last are its
-- RETURN wanted, now us: somebody else waits; it comes next when the hold is released
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, retention = ARGV[1], tonumber(ARGV[3])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn')
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
if fields[6] and rarely().others(ARGV[4]) then
  -- The first write of all is one that Redis never refuses.
  keep(math.max(ends, last), retention, fields[5], fields[6])
  rarely().reserve_next()
  return {'wanted', now_text}
end
local token = math.max(last + 1, now)
if token >= 9007199254740992 then
  return {'wanted', now_text}
end
local renewed = math.max(ends, now + tonumber(ARGV[2]))
last = reserve(token, tonumber(ARGV[5]))
keep(math.max(renewed, last), retention, fields[5], fields[6])
if renewed > ends then
  rarely().overwrite('h:' .. id, text(renewed) .. ':' .. ARGV[2] .. ':' .. since)
end
rarely().overwrite('last', text(last))
redis.call('HSET', key, 'tok', text(token))
return {'going', now_text, text(renewed - now), text(token), text(last)}
