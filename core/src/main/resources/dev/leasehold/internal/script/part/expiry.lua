-- include: hold, token
-- The expiry of the key.

-- Writes a field of a lock that exists, whether or not the field does. On Redis 7.0 and earlier time advances within a script, and a server that stood
-- still meanwhile finds the key expired and deletes it: then the write has created a key without layout and expiry.
local function write(field, value)
  if redis.call('HSET', key, field, value) == 1 and redis.call('HGET', key, 'v') == false then
    redis.call('HDEL', key, field)
    error('the key expired while this script ran')
  end
end

-- Tombstones 'x:<id>' refuse late copies of an acquire until a time; 'xn' is '<count>:<latest of these times>'.
local function read_tombstones(value)
  local count, latest = string.match(value or '0:0', '^(%d+):(%d+)$')
  return tonumber(count or '0'), math.min(tonumber(latest or '0'), LAST_TOKEN)
end

local function bury(id, until_when)
  local count, latest = read_tombstones(redis.call('HGET', key, 'xn'))
  count = count + redis.call('HSET', key, 'x:' .. id, until_when)
  redis.call('HSET', key, 'xn', text(count) .. ':' .. text(math.max(latest, tonumber(until_when))))
end

-- Removes tombstones whose time has passed: all of a small hash, or those of one page, somewhere in a large one.
local function exhume(tombstones)
  local fields = is_small() and redis.call('HGETALL', key)
    or redis.call('HSCAN', key, text(now % 1000000), 'MATCH', 'x:*', 'COUNT', FIELDS_OF_A_PAGE)[2]
  local past, removed = {}, 0
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 2) == 'x:' and (tonumber(fields[i + 1]) or 0) < now then
      past[#past + 1] = fields[i]
    end
  end
  in_parts(past, function(...)
    removed = removed + redis.call('HDEL', key, ...)
  end)
  local count, latest = read_tombstones(tombstones)
  if removed >= count then
    redis.call('HDEL', key, 'xn')
  elseif removed > 0 then
    write('xn', text(count - removed) .. ':' .. text(latest))
  end
end

-- While there are waiters, a position outlives two polls, however short the token memory is.
local WAITERS_KEPT = 15000000

-- Makes the key outlive `micros`, and the tombstones 'xn', by the token memory. Every script passes all live ends and the
-- last token, read as a time: so a token is not forgotten before Redis TIME has passed it. Redis never refuses PEXPIREAT
-- for lack of memory, nor any write that follows another in a script: scripts that renew or release call this first.
-- Writes corrected holds.
--
-- In the usual state of a lock its key has the field 'ex': its expiry, in ms, which acquire_free and renew_many have set ahead.
-- Every script that brings a lock into another state calls this, so there is no such field in any other state.
local function keep(micros, remember, tombstones, waiters)
  if waiters then
    micros = math.max(micros, now + WAITERS_KEPT)
  end
  if tombstones then
    local _, latest = read_tombstones(tombstones)
    micros = math.max(micros, latest)
  end
  -- A stored end may lie beyond any time that Redis takes.
  micros = math.min(math.max(micros, now), LAST_TOKEN)
  redis.call('PEXPIREAT', key, text(math.ceil(micros / 1000) + remember))
  redis.call('HDEL', key, 'ex')
  if tombstones then
    exhume(tombstones)
  end
  for id, value in pairs(healed or {}) do
    write('h:' .. id, value)
  end
end

-- The same after the first write of a key, which these fields are if it is new: a user who may not let the key expire must not leave one
-- that never does.
local function keep_or_remove(written, ...)
  local kept, refusal = pcall(keep, ...)
  if not kept then
    if written then
      redis.call('HDEL', key, unpack(written))
    end
    error(refusal, 0)
  end
end
