-- acquire: enters a hold if the lock is free or held by the same named owner, and mints the fencing token.
--
-- KEYS[1] lock
-- ARGV[1] id: of this acquisition; a repeat with the same id finds its own hold and enters nothing twice
-- ARGV[2] owner: the id itself, or 'n:' and the named owner, or 'n#' and its hash, or 'r' for who reads, or 's' for permits
-- ARGV[3] lease: how long the hold lasts, us
-- ARGV[4] notAfter: Redis time after which this request must not be granted any more, us
-- ARGV[5] floor: the highest token the client has seen for this name, 0 if none
-- ARGV[6] retention: how long the key outlives its last use, ms
-- ARGV[7] holder: pid@host, a blank, and the thread, for people
-- ARGV[8] label: for people, empty if none
-- ARGV[9] channel: where this client hears wake-ups if it is to wait for this lock, else empty
-- ARGV[10] place: its place in the queue, 0 if it has none yet
-- ARGV[11] tokens: how many tokens to reserve, for those of the same process to whom the hold is handed on; else 1
-- ARGV[12] fair: 1 if it overtakes nobody in the queue and takes a place of its own, else 0
-- ARGV[13] permits: how many it wants; absent if it wants the lock
-- ARGV[14] total: how many permits there are, for the first to say so; absent if it wants the lock
--
-- RETURN granted, now us, left us, token, last: the hold is there; left counts from now also when an earlier copy entered
--   it; the tokens up to last belong to it, absent if that is only the one
-- RETURN busy, now us, left us, place, rank: another owner holds the lock or it is reserved, for left at the most unless
--   renewed; who is to wait has the place, with rank 0 at the head, 1 as the next, 2 as any other. Both are 0 and 2 if there
--   was no place to be had, and absent for who is not to wait
-- RETURN stale, now us: the request came after notAfter, or after its own release; nothing was changed
-- RETURN ended, now us: the hold of this id has ended; an ended hold is never revived
-- RETURN clock, now us, last: the last token known here and the clock are both behind the floor; nothing was changed
-- RETURN exhausted, now us, last: no token below 2^53 is left
-- RETURN permits, now us, total: it wants more permits than there are, or says that there are others than the first has said
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, owner, retention = ARGV[1], ARGV[2], tonumber(ARGV[6])
local reads, wanted = owner == READERS, tonumber(ARGV[13] or '')

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'x:' .. id, 'xn', 'wn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[4]) or fields[5] then
  return {'stale', now_text}
end

-- While there are holds, the last token is theirs; readers share one.
local last, token, own = tonumber(fields[2] or '0'), fields[2], fields[3]
local live, latest, ended = 0, 0, nil

local function granted(left)
  local last_text = text(last)
  return {'granted', now_text, left, token, last_text ~= token and last_text or nil}
end

if fields[4] then
  local ends = read_hold(id, fields[4])
  if ends <= now then
    return {'ended', now_text}
  end
  -- An answer that says "yours" always writes, so that a WAIT after it speaks of this connection's last write.
  local _, others_end = rarely().survey(own or id, id)
  keep(math.max(ends, others_end, last), retention, fields[6], fields[7])
  token = redis.call('HGET', key, 'tok') or token
  return granted(text(ends - now))
end

local function busy(until_when)
  local left = text(until_when - now)
  if ARGV[9] == '' then
    if healed then
      keep(math.max(until_when, latest, last), retention, fields[6], fields[7])
    end
    return {'busy', now_text, left}
  end
  local place, rank = rarely().stay(ARGV[10], ARGV[9], ARGV[12] == '1', reads and 'r' or wanted and 's' .. ARGV[13] or '')
  keep(math.max(until_when, latest, last), retention, fields[6], true)
  return {'busy', now_text, left, place or '0', rank or '2'}
end

if own then
  live, latest, ended = rarely().survey(own, id)
end
local total, says
if wanted then
  total, says = rarely().permits(wanted, ARGV[14])
  if not total then
    return {'permits', now_text, says}
  end
end
if live > 0 and (own ~= owner or wanted and wanted > total - live) then
  return busy(wanted and own == owner and rarely().earliest() or latest)
end
if reads and live > 0 and fields[7] then
  -- The first write of all is one that Redis never refuses.
  keep(math.max(latest, last), retention, fields[6], true)
  if rarely().writer_first(ARGV[10]) then
    return busy(latest)
  end
end
if fields[7] and (live == 0 or wanted) then
  if wanted then
    -- The first write of all is one that Redis never refuses.
    keep(math.max(latest, last), retention, fields[6], true)
    if rarely().first_lacks(ARGV[10], total, live) then
      return busy(rarely().earliest())
    end
  end
  local fair = ARGV[12] == '1' or rarely().fair()
  local kept = rarely().kept_from(ARGV[10], reads, wanted and not fair and total - live - wanted)
  if not kept and fair then
    local over = 0
    for _, one in ipairs(ended or {}) do
      over = math.max(over, (read_hold(one, redis.call('HGET', key, 'h:' .. one))))
    end
    -- The first write of all is one that Redis never refuses.
    keep(math.max(latest, last), retention, fields[6], true)
    kept = rarely().belongs_to_first(ARGV[10], reads, over, total, live)
  end
  if kept then
    return busy(kept)
  end
end

local floor = tonumber(ARGV[5])
-- Who enters again needs one too if a fail-over lost a grant that this client has seen, and brought an older hold back.
if live == 0 or floor > last then
  -- A floor that neither the key nor the clock confirms: the data was lost and the clock is behind, or the client is
  -- wrong. A token from here could be older than one in use, so none is given.
  if floor > last and floor > now + 2000000 then
    return {'clock', now_text, text(last)}
  end
  local next_token = math.max(last + 1, now, floor + 1)
  if next_token >= 9007199254740992 then
    return {'exhausted', now_text, text(last)}
  end
  last = next_token
  token = next_token == now and now_text or text(next_token)
  last = reserve(last, tonumber(ARGV[11]))
end

if ARGV.asking then
  -- acquire_many wants to know first whether all would be granted.
  return nil
end

-- The first write of all, so that a full memory refuses the whole.
local ends = now + tonumber(ARGV[3])
redis.call('HSET', key, 'v', LAYOUT, 'last', text(last), 'own', owner,
  'h:' .. id, text(ends) .. ':' .. ARGV[3] .. ':' .. now_text, 'i:' .. id, ARGV[7])
if ARGV[8] ~= '' then
  redis.call('HSET', key, 'l:' .. id, ARGV[8])
end
if wanted and wanted > 1 then
  redis.call('HSET', key, 'p:' .. id, ARGV[13])
end
if says then
  redis.call('HSET', key, 'pt', says)
end
keep(math.max(ends, latest, last), retention, fields[6], fields[7])
if ended then
  rarely().drop(ended)
end
if last > tonumber(token) then
  redis.call('HSET', key, 'tok', token)
end
if reads or wanted then
  rarely().sum_up(ends, tonumber(ARGV[3]), wanted)
elseif own and shared(own) then
  redis.call('HDEL', key, 'rs')
end
if fields[7] and (live == 0 or reads or wanted) then
  rarely().enter(ARGV[10], ARGV[9], live > 0 and reads, wanted)
  if wanted and ARGV[10] ~= '0' then
    rarely().more_may_come(total, live + wanted)
  end
end
return granted(ARGV[3])
