-- plain_acquire: takes the key if it is free, as SET with NX and PX does.
--
-- KEYS[1] key
-- ARGV[1] id: of this acquisition; kept over its retries, never used for another
-- ARGV[2] lease: how long the hold lasts from now, us; less than a ms is left out
-- ARGV[3] notAfter: Redis time after which this request must not be granted, us
-- ARGV[4] holder: pid@host, a blank, and the thread without line feeds, for people
-- ARGV[5] label: for people, empty if none
--
-- RETURN granted, now us, left us: the hold is there and lasts for left; a retry that was granted before gets the same answer
-- RETURN busy, now us, left us: somebody else holds the key; it expires after left, or a day is reported if it never does
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: plain
local id, lease = ARGV[1], whole(ARGV[2])

local value, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if tonumber(now_text) > tonumber(ARGV[3]) then
  return {'stale', now_text}
end
if value and not is_of(value, id) then
  return {'busy', now_text, reported(lasts(key) or FOR_EVER)}
end
if not value then
  redis.call('SET', key, id .. ' ' .. now_text .. ' ' .. ARGV[4] .. '\n' .. ARGV[5], 'PX', lease)
  return {'granted', now_text, reported(lease)}
end
-- An answer that says "yours" always writes, so that a WAIT after it covers this connection's last write.
local left = still_lasts(key, value, lease)
expire(key, left)
return {'granted', now_text, reported(left)}
