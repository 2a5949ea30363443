-- acquire: enters a hold if the lock is free or held by the same named owner, and mints the fencing token.
--
-- KEYS[1] lock
-- ARGV[1] id: of this acquisition; a repeat with the same id finds its own hold and enters nothing twice
-- ARGV[2] owner: the id itself, or 'n:' and the named owner, or 'n#' and its hash
-- ARGV[3] lease: how long the hold lasts, us
-- ARGV[4] notAfter: Redis time after which this request must not be granted any more, us
-- ARGV[5] floor: the highest token the client has seen for this name, 0 if none
-- ARGV[6] retention: how long the key outlives its last use, ms
-- ARGV[7] process: pid@host, for people
-- ARGV[8] thread: for people
-- ARGV[9] label: for people, empty if none
--
-- RETURN granted, now us, left us, token: the hold is there; left counts from now also when an earlier copy entered it
-- RETURN busy, now us, left us: another owner holds the lock, for left at the most unless renewed
-- RETURN stale, now us: the request came after notAfter, or after its own release; nothing was changed
-- RETURN ended, now us: the hold of this id has ended; an ended hold is never revived
-- RETURN clock, now us, last: the last token known here and the clock are both behind the floor; nothing was changed
-- RETURN exhausted, now us, last: no token below 2^53 is left
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, owner = ARGV[1], ARGV[2]
local lease, not_after, floor = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local retention = tonumber(ARGV[6])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'tok', 'own', 'h:' .. id, 'x:' .. id, 'xn')
local found = foreign(fields)
if found then
  return {'foreign', text(now), found}
end
if now > not_after or fields[6] then
  return {'stale', text(now)}
end

local last, token, own = tonumber(fields[2] or '0'), fields[3], fields[4]

if fields[5] then
  local ends = read_hold(id, fields[5])
  if ends <= now then
    return {'ended', text(now)}
  end
  -- An answer that says "yours" always writes, so that a WAIT after it speaks of this connection's last write.
  local _, latest = survey(own or id, id)
  keep(math.max(ends, latest, last), retention, fields[7])
  heal()
  return {'granted', text(now), text(ends - now), token}
end

local live, latest, ended = 0, 0, nil
if own then
  live, latest, ended = survey(own, id)
  if live > 0 and own ~= owner then
    if next(healed) then
      keep(math.max(latest, last), retention, fields[7])
      heal()
    end
    return {'busy', text(now), text(latest - now)}
  end
end

if live == 0 then
  -- A floor that neither the key nor the clock confirms: the data was lost and the clock is behind, or the client is
  -- wrong. A token from here could be older than one in use, so none is given.
  if floor > last and floor > now + 2000000 then
    return {'clock', text(now), text(last)}
  end
  local next_token = math.max(last + 1, now, floor + 1)
  if next_token >= 9007199254740992 then
    return {'exhausted', text(now), text(last)}
  end
  last = next_token
  token = text(next_token)
end

-- The first write of all, so that a full memory refuses the whole.
local hold = text(now + lease) .. ':' .. text(lease) .. ':' .. text(now)
redis.call('HSET', key, 'v', LAYOUT, 'last', text(last), 'tok', token, 'own', owner,
  'h:' .. id, hold, 'i:' .. id, ARGV[7], 't:' .. id, ARGV[8])
if ARGV[9] ~= '' then
  redis.call('HSET', key, 'l:' .. id, ARGV[9])
end
keep(math.max(now + lease, latest, last), retention, fields[7])
heal()
if ended then
  drop(ended)
end
return {'granted', text(now), text(lease), token}
