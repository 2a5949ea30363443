-- go_on: asks at the end of a run of hand-offs within a process whether it may go on. If nobody else waits or asked for the lock,
-- the hold is renewed and gets new tokens. If somebody waits, the lock is reserved for the head of the queue, from its release on.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] lease: how long the hold shall last from now, us; an end that lies later stays
-- ARGV[3] remember: how long the key outlives its last use, ms
-- ARGV[4] position: of this client in the queue, 0 if it has none
-- ARGV[5] tokens: how many to reserve
--
-- RETURN going, now us, left us, token, last: nobody else waits; the hold lasts for left, and the tokens up to last belong to it
-- RETURN wanted, now us: somebody else waits, and comes next when the hold is released; or somebody asked the holder to release
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, id, remember = KEYS[1], ARGV[1], tonumber(ARGV[3])
-- include: layout, expiry, wake, token

-- Returns whether anybody else waits than the waiter at this position.
local function others_wait(position)
  local n = head_of_queue()
  return n and (text(n) ~= position or (tonumber(redis.call('HGET', key, 'wn')) or 0) > 1)
end

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn', 'rq')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local own = fields[3]
if own ~= id or not fields[4] then
  return {'gone', now_text, own and 'taken' or 'free'}
end
local ends, _, since = read_hold(id, fields[4])
if ends <= now then
  return {'ended', now_text}
end
local last = stored_token(fields[2], own)
if fields[6] and others_wait(ARGV[4]) then
  -- Redis refuses the first write when the memory is full, unless it is this one.
  keep(math.max(ends, last), remember, fields[5], fields[6])
  redis.call('HSET', key, 'wb', text(MOST_OVERTAKEN))
  return {'wanted', now_text}
end
-- With new tokens, nobody would hear of the request.
local asked = fields[7] and fields[7] == fields[2]
local token = math.max(last + 1, now)
if asked or token > LAST_TOKEN then
  return {'wanted', now_text}
end
local renewed = math.max(ends, now + tonumber(ARGV[2]))
last = reserve_tokens(token, tonumber(ARGV[5]))
keep(math.max(renewed, last), remember, fields[5], fields[6])
if renewed > ends then
  write('h:' .. id, now_text .. ':' .. ARGV[2] .. ':' .. since)
end
write('last', text(last))
write('tok', text(token))
return {'going', now_text, text(renewed - now), text(token), text(last)}
