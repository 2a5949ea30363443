-- latch_count_down: counts down once for each id; at zero, all clients that wait are woken, each once.
--
-- KEYS[1] latch
-- ARGV[1] id: of this count-down, whose repeats are not counted again; 'n:' and a name, or 'n#' and its hash, if the caller chose it
-- ARGV[2] notAfter: Redis time after which this request must not be counted, us
-- ARGV[3] round: the number of the round; absent for a latch without rounds
--
-- RETURN counted, now us, count: so many are left; this request was counted, or an earlier one of the same id
-- RETURN over, now us: nothing was left to count
-- RETURN none, now us: there is no latch or round: it was not set, or its time is over
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: latch, publish
local latch, found = read(ARGV[3])
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[2]) then
  return {'stale', now_text}
end
latch = seen(latch, ARGV[3])
if not latch then
  return {'none', now_text}
end
if latch.count == '0' then
  return {'over', now_text}
end
if redis.call('HGET', key, 'd:' .. ARGV[1]) then
  return {'counted', now_text, latch.count}
end

keep(latch.ends)
redis.call('HSET', key, 'd:' .. ARGV[1], now_text)
local left = redis.call('HINCRBY', key, 'n', -1)
keep(latch.ends)
for position = 1, left == 0 and latch.waiting or 0 do
  local channel = redis.call('HGET', key, 'w:' .. text(position))
  if channel then
    publish(channel, '0 ' .. key)
  end
end
return {'counted', now_text, text(left)}
