-- force_release: takes the lock from its holders and raises the last token, so that their late writes are refused.
--
-- KEYS[1] lock
-- ARGV[1] notAfter: Redis time after which this request must not take the lock away, us
-- ARGV[2] token: the lock is taken away only from the holders with this token; 0 from whichever
-- ARGV[3] remember: how long the key outlives its last use, ms
-- ARGV[4] countsReceivers: 1 if a message that Redis delivered to no subscriber was received by none, so on a single server; else 0
-- ARGV[5] cursor: where to go on after an answer 'more'; else 0
--
-- RETURN freed, now us, count: so many live holds were removed
-- RETURN more, now us, cursor, count: so many live holds were removed, and others may be left: the request is to be sent again, with this
--   cursor
-- RETURN free, now us: nobody held the lock
-- RETURN other, now us: the holders have another token; nothing was changed
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, seen, remember = KEYS[1], tonumber(ARGV[2]), tonumber(ARGV[3])
-- include: layout, expiry, wake, token, retained

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn', 'tok')
local found = foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if now > tonumber(ARGV[1]) then
  return {'stale', now_text}
end
if not fields[1] or (seen > 0 and not fields[3]) then
  return {'free', now_text}
end
-- It must be possible to take away a lock of which nothing can be read, and to use it again.
local last = readable_token(fields[2]) or 0
-- A client hands a lock off with the tokens of its hold, of which others see the first.
if seen > 0 and (seen < (fields[6] and readable_token(fields[6]) or last) or seen > last) then
  return {'other', now_text}
end

local function is_live(hold)
  local from, length = string.match(hold, '^(%d+):(%d+):')
  return not from or math.min(tonumber(from), now) + tonumber(length) > now
end

local live, holds = 0, {}
local cursor = each_field('[hilp]:*', function(field, value)
  holds[#holds + 1] = field
  live = live + (string.sub(field, 1, 2) == 'h:' and is_live(value) and 1 or 0)
end, nil, ARGV[5])
in_parts(holds, function(...)
  redis.call('HDEL', key, ...)
end)
if cursor ~= '0' then
  return {'more', now_text, cursor, text(live)}
end
-- Others may have reserved the lock for any time.
redis.call('HDEL', key, 'rv', 're')
if fields[2] == text(last) and not fields[3] and not fields[6] and #holds == 0 and ARGV[5] == '0' then
  return {'free', now_text}
end
-- Whoever retains the lock would go on to grant it to its own callers.
ask_retainer(redis.call('HGET', key, 'rt'), fields[2])
last = math.min(math.max(last + 1, now), LAST_TOKEN)
keep(last, remember, fields[4], fields[5])
write('last', text(last))
redis.call('HDEL', key, 'own', 'tok', 'rs', 'rc', 'rt')
if fields[5] then
  pass_on(ARGV[4] == '1', now, 0)
end
return {live == 0 and 'free' or 'freed', now_text, live > 0 and text(live) or nil}
