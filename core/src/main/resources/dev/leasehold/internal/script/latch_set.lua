-- latch_set: sets the count of a latch that is not there, or of a round above one that is reached.
--
-- KEYS[1] latch
-- ARGV[1] id: of this call; a repeat with the same id finds the latch that it has set
-- ARGV[2] count: how many count-downs it waits for
-- ARGV[3] expiry: how long the latch is there from now, us
-- ARGV[4] notAfter: Redis time after which this request must not set it, us
-- ARGV[5] round: the number of the round; absent for a latch without rounds
--
-- RETURN set, now us: the latch is there; this call has set it, or an earlier copy of it
-- RETURN there, now us: a latch is there that another call has set, whatever is left of its count; or this round or a later one, or one that is
--   not reached; it was left as it is
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: latch
local round = ARGV[5]
local latch, found = read(round)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[4]) then
  return {'stale', now_text}
end
local same = latch and (not round or text(latch.number) == round)
if same and latch.by == ARGV[1] then
  return {'set', now_text}
end
if same or (latch and (latch.count ~= '0' or tonumber(round) < latch.number)) then
  return {'there', now_text}
end
local ends, first = now + tonumber(ARGV[3]), round
if latch then
  -- A full memory or a missing right refuses this write, before anything is removed.
  redis.call('HSET', key, 'v', WITH_ROUNDS)
  -- The rounds before it stay reached for as long as they would have without it, and a late copy of the call that set one finds it.
  ends = math.max(ends, latch.ends)
  if tonumber(round) == latch.number + 1 then
    first = text(latch.first)
  end
end
if redis.call('EXISTS', key) == 1 then
  -- Its time is over, but not yet the ms in which it expires, or a round follows it.
  redis.call('PEXPIREAT', key, '1')
end
local written = {'v', round and WITH_ROUNDS or LAYOUT, 'n', ARGV[2], 'of', ARGV[2], 'by', ARGV[1], 'ends', text(ends)}
if round then
  written[#written + 1], written[#written + 2], written[#written + 3], written[#written + 4] = 'rd', round, 'rf', first
end
redis.call('HSET', key, unpack(written))
local kept, refusal = pcall(keep, ends)
if not kept then
  -- A user who may not let the key expire must not leave one that never does.
  redis.call('HDEL', key, 'v', 'n', 'of', 'by', 'ends', 'rd', 'rf')
  error(refusal, 0)
end
return {'set', now_text}
