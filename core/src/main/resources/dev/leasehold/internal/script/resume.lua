-- resume: takes an exported hold over from its holder: the same lock under a new id and a higher token, with no moment between
-- the two in which it is free. It works once, because the former hold is removed; the queue stays as it is, and its head is woken if
-- the lock may be free earlier than it knows. A reader, whose client releases it before its minimum is over, keeps its token.
--
-- KEYS[1] lock
-- ARGV[1] id: of this acquisition; a repeat with the same id finds its own hold and takes nothing over twice
-- ARGV[2] former: the acquisition whose hold it is
-- ARGV[3] owner: the id itself, or the named owner of the former hold, as in acquire_named; 'r' for the hold of a reader
-- ARGV[4] lease: how long the new hold lasts, us
-- ARGV[5] notAfter: Redis time after which this request must not be granted, us
-- ARGV[6] copies: until when a late copy of the former's acquire must be refused, us; 0 if only one was sent
-- ARGV[7] floor: the highest token that the client knows of this name, that of the former included
-- ARGV[8] remember: how long the key outlives its last use, ms
-- ARGV[9] holder: pid@host, a blank, and the thread, for people
-- ARGV[10] label: for people, empty if none
--
-- RETURN granted, now us, left us, token: the hold is there; left counts from now also if an earlier copy entered it
-- RETURN several, now us, count: the named owner has so many other live holds, which share the token; nothing was changed
-- RETURN gone, now us, why: there is no such hold: why is 'ended' if it is there and has ended, 'taken' if the lock is held
--   otherwise, else 'free'
-- RETURN stale, now us: the request came after notAfter, or after its own release; nothing was changed
-- RETURN ended, now us: the hold of this id has ended; an ended hold is never revived
-- RETURN clock, now us, last: the last token known here and the clock are both behind the floor; nothing was changed
-- RETURN exhausted, now us, last: no token below 2^53 is left; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, id, former, owner, copies, remember = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[6]), tonumber(ARGV[8])
-- include: layout, survey, expiry, wake, token

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'x:' .. id, 'xn', 'wn', 'h:' .. former, 'tok')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[5]) or fields[5] then
  return {'stale', now_text}
end
local last, own = stored_token(fields[2], fields[3]), fields[3]
stored_token(fields[9])

if fields[4] then
  local ends = read_hold(id, fields[4])
  if ends <= now then
    return {'ended', now_text}
  end
  local _, latest = survey(own, id)
  keep(math.max(ends, latest, last), remember, fields[6], fields[7])
  return {'granted', now_text, text(ends - now), fields[9] or text(last)}
end

-- A writer's hold that became a reader's meanwhile is not what was exported, and has another owner than the caller says.
if not fields[8] or (own ~= former and own ~= owner) then
  return {'gone', now_text, own and 'taken' or 'free'}
end
local former_ends = read_hold(former, fields[8])
if former_ends <= now then
  return {'gone', now_text, 'ended'}
end
healed = nil
local live, latest, ended = 0, 0, {}
if own ~= former then
  live, latest, ended = survey(own, former)
  if live > 0 and own ~= READERS then
    -- A new token for one of them would make the resource refuse the others, and the old one would let the former in.
    return {'several', now_text, text(live)}
  end
end

local token, refusal = next_token(last, tonumber(ARGV[7]))
if own == READERS then
  -- No writer was in between, and other readers may have the token of the former, which is 'tok' or 'last'.
  token = last
elseif not token then
  return refusal
end

local ends = now + tonumber(ARGV[4])
local needs_tombstone = copies >= now
keep(math.max(ends, latest, token, copies), remember, fields[6], fields[7])
write('own', owner)
write('last', text(token))
redis.call('HSET', key, 'h:' .. id, now_text .. ':' .. ARGV[4] .. ':' .. now_text, 'i:' .. id, ARGV[9])
if ARGV[10] ~= '' then
  redis.call('HSET', key, 'l:' .. id, ARGV[10])
end
if needs_tombstone then
  bury(former, ARGV[6])
end
ended[#ended + 1] = former
drop(ended)
if own ~= READERS then
  redis.call('HDEL', key, 'tok')
end
if sum then
  sum_up(ends, tonumber(ARGV[4]), 1)
end
if fields[7] and math.max(ends, latest) < former_ends then
  -- A head that does not come when the hold ends counts as dead in a fair queue, and polls late in any other.
  wake(false)
end
return {'granted', now_text, ARGV[4], own == READERS and fields[9] or text(token)}
