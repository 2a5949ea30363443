-- downgrade: makes a writer's hold a reader's, with no moment between the two in which the lock is free.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] remember: how long the key outlives its last use, ms
-- ARGV[3] floor: the highest token that the client knows of this name
-- ARGV[4] given: the token that readers have under this hold already, to whom their client handed it off; 0 if none has
--
-- RETURN shared, now us, left us, token: it is a reader's hold with that token and lasts for left; a repeat gets the same answer
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN clock, now us, last: the last token known here and the clock are both behind the floor; nothing was changed
-- RETURN exhausted, now us, last: no token below 2^53 is left; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, id, remember, given = KEYS[1], ARGV[1], tonumber(ARGV[2]), ARGV[4]
-- include: layout, survey, expiry, wake, token

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn', 'tok', 'rq')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local last, own = stored_token(fields[2], fields[3]), fields[3]
stored_token(fields[7])
if not fields[4] or (own ~= id and own ~= READERS) then
  return {'gone', now_text, own and 'taken' or 'free'}
end
local ends, length = read_hold(id, fields[4])
if ends <= now then
  return {'ended', now_text}
end
local _, latest = survey(own, id)
if own == READERS then
  keep(math.max(ends, latest, last), remember, fields[5], fields[6])
  return {'shared', now_text, text(ends - now), fields[7] or fields[2]}
end

-- Readers have a token above that of the writer before them: otherwise its late writes could pass for theirs. Those that have
-- one already keep it, and share it with those that come: it is one of the tokens that the writer's client had reserved.
local token, refusal = next_token(last, tonumber(ARGV[3]))
if not token then
  return refusal
end
keep(math.max(ends, token), remember, fields[5], fields[6])
write('own', READERS)
write('last', text(token))
if given ~= '0' then
  write('tok', given)
else
  given = text(token)
  redis.call('HDEL', key, 'tok')
end
sum_up(ends, length)
if fields[8] and fields[8] == fields[2] then
  -- A request to release concerns the hold, which stays.
  write('rq', text(token))
end
if fields[6] then
  wake_readers()
end
return {'shared', now_text, text(ends - now), given}
