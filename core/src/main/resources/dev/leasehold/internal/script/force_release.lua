-- force_release: takes the lock from its holders and raises the last token, so that their late writes are refused.
--
-- KEYS[1] lock
-- ARGV[1] notAfter: Redis time after which this request must not take the lock away, us
-- ARGV[2] token: the lock is taken away only from the holders with this token; 0 from whichever
-- ARGV[3] retention: how long the key outlives its last use, ms
-- ARGV[4] countsReceivers: 1 if a message that Redis delivered to no subscriber was received by none, so on a single server; else 0
--
-- RETURN freed, now us, count: so many live holds were removed
-- RETURN free, now us: nobody held the lock
-- RETURN other, now us: the holders have another token; nothing was changed
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, seen, retention = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- include: layout, survey, expiry, wake, token

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn', 'tok')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[1]) then
  return {'stale', now_text}
end
if not fields[3] then
  return {'free', now_text}
end
-- A client hands a lock off with the tokens of its hold, of which others see the first.
if seen > 0 and (seen < tonumber(fields[6] or fields[2]) or seen > tonumber(fields[2])) then
  return {'other', now_text}
end
local live = survey(fields[3], '')
local last = math.min(math.max(tonumber(fields[2] or '0') + 1, now), LAST_TOKEN)
-- Holds that are removed need no correction.
healed = nil
keep(last, retention, fields[4], fields[5])
overwrite('last', text(last))
local holds = {}
for _, field in ipairs(redis.call('HKEYS', key)) do
  if string.find(field, '^[hilp]:') then
    holds[#holds + 1] = field
  end
end
in_parts(holds, function(...)
  redis.call('HDEL', key, ...)
end)
redis.call('HDEL', key, 'own', 'tok', 'rs', 'rc', 'rt')
if fields[5] then
  pass_on(ARGV[4] == '1', now, 0)
end
return {live == 0 and 'free' or 'freed', now_text, live > 0 and text(live) or nil}
