-- redisson_acquire: takes a lock that is shared with Redisson if it is free.
--
-- KEYS[1] key
-- KEYS[2] token key: left out unless the lock has tokens
-- ARGV[1] id: of this acquisition; kept over its retries, never used for another
-- ARGV[2] lease: how long the hold lasts from now, us; less than a ms is left out
-- ARGV[3] notAfter: Redis time after which this request must not be granted, us
-- ARGV[4] holder: pid@host, a blank, and the thread without line feeds, for people
-- ARGV[5] label: for people, empty if none
--
-- RETURN granted, now us, left us, token: the hold is there and lasts for left; a retry that was granted before gets the same answer; the
--   token is 0 without a token key
-- RETURN busy, now us, left us, 0, 0, how: somebody else holds the key; it expires after left, or a day is reported if it never does; how is
--   'polls' if waiters of a fair lock of Redisson queue for it, whose release wakes none but these, else absent
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, token_key = KEYS[1], KEYS[2]
-- include: redisson
local id, lease = ARGV[1], whole(ARGV[2])

-- Returns the token of a new hold: greater than the last one, which Redisson counts up, and at least the time.
local function raised()
  local token = redis.call('INCR', token_key)
  if token < now then
    -- Redisson never lets it expire; if somebody else does, that stays.
    redis.call('SET', token_key, now_text, 'KEEPTTL')
    return now_text
  end
  return token > 2 ^ 53 and stored_token(token_key) or string.format('%.0f', token)
end

local holder, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if tonumber(now_text) > tonumber(ARGV[3]) then
  return {'stale', now_text}
end
if holder and not is_of(holder, id) then
  return {'busy', now_text, reported(lasts(key) or FOR_EVER), '0', '0', fair_waiter(key, 0) and 'polls'}
end
if not holder then
  -- Before anything else: a token key that holds something else is an error that changes nothing.
  local token = token_key and raised() or '0'
  local field = id .. ' ' .. now_text .. ' ' .. ARGV[4] .. '\n' .. ARGV[5]
  redis.call('HSET', key, field, '1')
  local expires, refusal = pcall(expire, key, lease)
  if not expires then
    -- A user who may not let the key expire must not leave one that never does.
    redis.call('DEL', key)
    error(refusal, 0)
  end
  return {'granted', now_text, reported(lease), token}
end
-- An answer that says "yours" always writes, so that a WAIT after it covers this connection's last write. Nobody but the holder
-- raises the token meanwhile.
local token = not token_key and '0' or stored_token(token_key)
if not token then
  error('the token of this lock cannot be read')
end
local left = still_lasts(key, holder, lease)
expire(key, left)
return {'granted', now_text, reported(left), token}
