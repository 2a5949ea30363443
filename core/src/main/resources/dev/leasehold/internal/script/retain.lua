-- retain: keeps a hold that its client uses no longer, for a short time in which the client may use it again without a
-- request; or keeps it so for longer. Not if another client asked for the lock.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] lease: how long the hold shall last from now, us; at most a second
-- ARGV[3] remember: how long the key outlives its last use, ms
-- ARGV[4] last: the last token of the hold, as the client knows it
-- ARGV[5] channel: where this client receives the request to release the lock
-- ARGV[6] again: 1 if the hold is retained already and may be used, so that an end that lies later stays; 0 if nobody uses it, so
--   that it ends after the lease even if its end lies later
--
-- RETURN going, now us, left us, token, last: the hold lasts for left from now, and the tokens from token to last belong to it
-- RETURN wanted, now us: another client waits or asked for the lock; nothing was changed
-- RETURN spent, now us: the request is a repeat, or no token below 2^53 is left; nothing was changed
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, id, lease = KEYS[1], ARGV[1], ARGV[2]
-- include: layout, expiry, token, retained

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn', 'rq', 'rt')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local last, own = fields[2], fields[3]
if own ~= id or not fields[4] then
  return {'gone', now_text, own and own ~= id and 'taken' or 'free'}
end
local ends, _, since = read_hold(id, fields[4])
if ends <= now then
  return {'ended', now_text}
end
local again = ARGV[6] == '1'
-- Up to TIME after the lease: after a failover that lost these tokens, the next one is higher once the hold would have ended. At
-- least one: by `last` a repeat finds that this request was executed. It must not lower the end of a hold that is used by now.
local token = math.max(stored_token(last, own) + 1, now)
local highest = math.max(now + tonumber(lease), token)
if last ~= ARGV[4] or highest > LAST_TOKEN then
  return {'spent', now_text}
end
if fields[6] or fields[7] == last or again and not channel_of_retainer(fields[8], last) then
  return {'wanted', now_text}
end
local renewed = math.max(again and ends or 0, now + tonumber(lease))
-- Redis refuses the first write when the memory is full, unless it is this one.
keep(math.max(renewed, highest), tonumber(ARGV[3]), fields[5], fields[6])
if renewed == now + tonumber(lease) then
  write('h:' .. id, now_text .. ':' .. lease .. ':' .. since)
end
write('last', text(highest))
write('tok', text(token))
write('rt', text(highest) .. ':' .. ARGV[5])
return {'going', now_text, text(renewed - now), text(token), text(highest)}
