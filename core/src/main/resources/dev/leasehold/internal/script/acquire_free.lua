-- acquire_free: acquires a lock that is free and that nobody waits for: the usual case, alone. In any other state it changes no
-- hold, and another script of this kind decides.
--
-- KEYS[1] lock
-- ARGV[1] id: of this acquisition, which was not sent before
-- ARGV[2] lease: how long the hold lasts, us
-- ARGV[3] notAfter: Redis time after which this request must not be granted, us
-- ARGV[4] floor: the highest token that the client has seen for this name, 0 if none
-- ARGV[5] expiry: how long the key lasts from now, the lease and the token memory, ms
-- ARGV[6] holder: pid@host, a blank, and the thread, for people
-- ARGV[7] label: for people; absent if none
--
-- RETURN granted, now us: the hold is there, for the lease from now, with now as its token; one text, with a blank between
-- RETURN busy, now us, left us: another acquisition holds the lock, for left at most unless renewed
-- RETURN undecided, now us: the lock is in another state, or the request is late
local key, id, lease = KEYS[1], ARGV[1], ARGV[2]
-- include: clock

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'ex')
local own = fields[3]
if own and own ~= id then
  local hold = redis.call('HMGET', key, 'h:' .. own, 'rt')
  local from, length = string.match(hold[1] or '', '^(%d+):(%d+):')
  local left = from and from + length - now
  -- A hold that began in the future is from before the clock stepped back. A longer one cannot be read.
  if left and #hold[1] <= 50 and left > 0 and now >= tonumber(from) then
    -- include: retained
    ask_retainer(hold[2], fields[2])
    return {'busy', now_text, string.format('%.0f', left)}
  end
end
-- TIME is the token, which is above all earlier ones. Times and tokens have 16 digits, or are '0': as texts they compare alike.
if own or now_text > ARGV[3] or fields[2] and now_text <= fields[2] or now_text <= ARGV[4] then
  return {'undecided', now_text}
end

local field, hold, expires = 'h:' .. id, now_text .. ':' .. lease .. ':' .. now_text, now / 1000 + ARGV[5]
if fields[1] == '1' and fields[2] and fields[4] and (tonumber(fields[4]) or 0) >= expires then
  if redis.call('HSET', key, 'last', now_text, 'own', id, field, hold, 'i:' .. id, ARGV[6]) > 3 then
    redis.call('HDEL', key, 'last', 'own', field, 'i:' .. id)
    error('the key expired while this script ran')
  end
else
  -- What the key holds is a lock if it has the layout '1'.
  local is_new = fields[1] == false and redis.call('EXISTS', key) == 0
  if not is_new then
    local unusual = redis.pcall('HMGET', key, 'v', 'xn', 'wn')
    if unusual[1] ~= '1' or unusual[2] or unusual[3] then
      return {'undecided', now_text}
    end
    -- A name that is used again may be used often, and the name of a new key never again: only here is the expiry set ahead.
    expires = expires + ARGV[5]
  end
  expires = string.format('%.0f', math.ceil(expires))
  redis.call('HSET', key, 'v', '1', 'last', now_text, 'own', id, field, hold, 'i:' .. id, ARGV[6], 'ex', expires)
  local refused = redis.pcall('PEXPIREAT', key, expires)
  if type(refused) == 'table' then
    -- A user who may not let the key expire must not leave one that never does.
    redis.call('HDEL', key, 'own', field, 'i:' .. id, 'ex')
    if is_new then
      redis.call('HDEL', key, 'v', 'last')
    end
    return refused
  end
end
if ARGV[7] then
  redis.call('HSET', key, 'l:' .. id, ARGV[7])
end
-- Redis takes half as long to send a text as a table.
return 'granted ' .. now_text
