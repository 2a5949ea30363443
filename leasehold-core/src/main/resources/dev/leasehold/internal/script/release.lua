-- release: removes one hold; the lock is free when none is left. Only fields are deleted, after a write that Redis never
-- refuses, so a full memory cannot keep a lock held.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] notAfter: until when a late copy of the acquire must be refused, us; 0 if only one was sent
-- ARGV[3] retention: how long the key outlives its last use, ms
-- ARGV[4] sure: 1 if a message that nobody received was heard by nobody, so on a single server; else 0
--
-- RETURN released, now us: the hold was live and is removed
-- RETURN ended, now us: the hold had ended and is removed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local id, not_after, retention = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local own = fields[3]
local bury = fields[1] and not_after >= now
if not fields[4] and not bury then
  return {'gone', now_text, own and 'taken' or 'free'}
end

local live, latest, ended = 0, 0, nil
if own and own ~= id then
  live, latest, ended = rarely().survey(own, id)
end
local ends, _, since = 0, nil, nil
if fields[4] then
  ends, _, since = read_hold(id, fields[4])
end
-- Bringing the expiry forward frees memory sooner, but is one more write to replicate: not worth it for a rest of the
-- lease that is short beside the retention.
if bury or fields[5] or healed or ends - now > retention * 500 then
  keep(math.max(latest, tonumber(fields[2] or '0'), not_after), retention, fields[5], fields[6])
end
if bury then
  if redis.call('EXISTS', key) == 0 then
    -- As in prelude's overwrite; but here the field is new.
    error('the key expired while this script ran')
  end
  if redis.call('HSET', key, 'x:' .. id, ARGV[2]) == 1 then
    redis.call('HINCRBY', key, 'xn', 1)
  end
end
if not fields[4] then
  return {'gone', now_text, own and 'taken' or 'free'}
end

if live == 0 then
  redis.call('HDEL', key, 'h:' .. id, 'i:' .. id, 'l:' .. id, 'p:' .. id, 'own', 'tok', 'rs')
else
  redis.call('HDEL', key, 'h:' .. id, 'i:' .. id, 'l:' .. id, 'p:' .. id)
end
if ended and (live == 0 or shared(own)) then
  rarely().drop(ended)
end
if live > 0 and shared(own) then
  rarely().sum_up()
end
if fields[6] and (live == 0 or own == PERMITS) then
  rarely().free(ARGV[4] == '1', tonumber(since), live)
end
return {ends > now and 'released' or 'ended', now_text}
