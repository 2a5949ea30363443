-- include: clock, lasting, described
-- Locks that are shared with Redisson: a hash whose only field is the holder, with the count of its holds, that expires with the hold
-- (docs/protocol.md). Redisson compares fields with its own only, so it takes no holder of this library for one of its own.

-- Returns the holder, false if nobody holds the lock; and what is there instead of such a lock.
local function read(name)
  local fields = redis.pcall('HKEYS', name)
  if fields.err then
    if not string.find(fields.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('HKEYS', name)
    end
    return false, described(name)
  end
  local holder = fields[1] or false
  if #fields > 1 or (holder and not is_redisson(holder) and not string.find(holder, '^%S+ %d+ ')) then
    return false, described(name)
  end
  return holder
end

-- Tells waiters of a release, as Redisson does. Some of its clients hear only the command for channels of a shard, which servers before
-- 7.0 do not have, and some only the other, so both are used. A release must not fail because the user may not publish.
local function wake(_, channel)
  redis.pcall('SPUBLISH', channel, '0')
  redis.pcall('PUBLISH', channel, '0')
end
