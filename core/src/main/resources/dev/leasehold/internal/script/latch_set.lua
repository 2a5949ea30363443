-- latch_set: sets the count of a latch that is not there.
--
-- KEYS[1] latch
-- ARGV[1] id: of this call; a repeat with the same id finds the latch that it has set
-- ARGV[2] count: how many count-downs it waits for
-- ARGV[3] expiry: how long the latch is there from now, us
-- ARGV[4] notAfter: Redis time after which this request must not set it, us
--
-- RETURN set, now us: the latch is there; this call has set it, or an earlier copy of it
-- RETURN there, now us: a latch is there that another call has set, whatever is left of its count; it was left as it is
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: latch
local latch, found = read()
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[4]) then
  return {'stale', now_text}
end
if latch and latch.by == ARGV[1] then
  return {'set', now_text}
end
if latch then
  return {'there', now_text}
end
if redis.call('EXISTS', key) == 1 then
  -- Its time is over, but not yet the ms in which it expires.
  redis.call('PEXPIREAT', key, '1')
end
local ends = now + tonumber(ARGV[3])
redis.call('HSET', key, 'v', LAYOUT, 'n', ARGV[2], 'of', ARGV[2], 'by', ARGV[1], 'ends', text(ends))
local kept, refusal = pcall(keep, ends)
if not kept then
  -- A user who may not let the key expire must not leave one that never does.
  redis.call('HDEL', key, 'v', 'n', 'of', 'by', 'ends')
  error(refusal, 0)
end
return {'set', now_text}
