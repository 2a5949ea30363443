-- release: removes one hold; the lock is free when none is left. It only deletes fields, after a write that Redis never
-- refuses, so a full memory cannot keep a lock held.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] notAfter: until when a late copy of the acquire must be refused, us; 0 if only one was sent
-- ARGV[3] remember: how long the key outlives its last use, ms
-- ARGV[4] countsReceivers: 1 if a message that Redis delivered to no subscriber was received by none, so on a single server; else 0
-- ARGV[5] usual: 1 if acquire_free granted the hold, without a label, notAfter is 0, and no more than half of the token memory can be
--   left of the hold, so that an earlier expiry of the key would free little memory; else 0
-- ARGV[6] used: the last token that the client gave out of a hold that it retained, to give back those after it; else absent
-- ARGV[7] last: the last token of that hold, as the client knows it; else absent
--
-- RETURN released, now us: the hold was there and is removed; now is absent in the usual case
-- RETURN ended, now us: the hold, one of several of its owner, had ended and is removed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, id = KEYS[1], ARGV[1]

if ARGV[5] == '1' then
  -- include: usual_release
end

-- include: layout, survey, expiry, retained, wake
local not_after, remember = tonumber(ARGV[2]), tonumber(ARGV[3])
local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn', 'rt')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local own, hold = fields[3], fields[4]
local needs_tombstone = fields[1] and not_after >= now
if not hold and not needs_tombstone then
  return {'gone', now_text, own and 'taken' or 'free'}
end

local live, latest, ended = 0, 0, nil
if own and own ~= id then
  live, latest, ended = survey(own, id)
end
local ends, _, since = 0, nil, nil
if hold then
  ends, _, since = read_hold(id, hold)
end
-- An earlier expiry frees memory, but is one more write to replicate: not for a rest of the lease that is short beside the
-- token memory.
if needs_tombstone or fields[5] or healed or ends - now > remember * 500 then
  keep(math.max(latest, readable_token(fields[2]) or 0, not_after), remember, fields[5], fields[6])
end
if needs_tombstone then
  if redis.call('EXISTS', key) == 0 then
    -- As in write; but here the field is new.
    error('the key expired while this script ran')
  end
  bury(id, ARGV[2])
end
if not hold then
  return {'gone', now_text, own and 'taken' or 'free'}
end

redis.call('HDEL', key, 'h:' .. id, 'i:' .. id, 'l:' .. id, 'p:' .. id)
if live == 0 then
  redis.call('HDEL', key, 'own', 'tok', 'rs', 'rc', 'rt')
  -- Nobody else has a token of this hold: without those that were not used, the next token is not ahead of TIME. Only if these
  -- are the last: after a failover, a late copy of the acquire may have made another hold of this id, above tokens of others.
  local last = fields[2]
  local its_own = own == id and (last == ARGV[7] or channel_of_retainer(fields[7], last))
  if ARGV[6] and its_own and tonumber(ARGV[6]) < tonumber(last) then
    write('last', ARGV[6])
  end
end
if ended then
  drop(ended)
  if sum and live > 0 then
    sum_up()
  end
end
if fields[6] and (live == 0 or own == PERMITS) then
  pass_on(ARGV[4] == '1', tonumber(since), live)
end
return {(ends > now or own == id) and 'released' or 'ended', now_text}
