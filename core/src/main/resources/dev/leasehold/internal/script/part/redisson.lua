-- include: clock, lasting, described
-- Locks that are shared with Redisson: a hash whose only field is the holder, with the count of its holds, that expires with the hold
-- (docs/protocol.md). Redisson compares fields with its own only, so it takes no holder of this library for one of its own.

-- A longer field is no holder: what others store must not make an answer large.
local MOST_BYTES = 1000
local function is_holder(field)
  return #field <= MOST_BYTES and (is_redisson(field) or string.find(field, '^%S+ %d+ '))
end

-- Returns the holder, false if nobody holds the lock; and what is there instead of such a lock. The fields are read only if there is one.
local function read(name)
  local size = redis.pcall('HLEN', name)
  if type(size) == 'table' then
    if not string.find(size.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('HLEN', name)
    end
    return false, described(name)
  end
  local holder = size == 1 and redis.call('HKEYS', name)[1]
  if size > 1 or (holder and not is_holder(holder)) then
    return false, described(name)
  end
  return holder
end

-- A token is a whole number of 64 bits, which no number of Lua is. Returns the text that is stored, '0' if there is none; nil if it is no token.
local LARGEST_TOKEN = '9223372036854775807'
local function stored_token(name)
  local value = redis.pcall('GET', name)
  if type(value) == 'table' then
    if not string.find(value.err, 'WRONGTYPE', 1, true) then
      redis.call('GET', name)
    end
    return nil
  end
  value = value or '0'
  local is_token = #value <= #LARGEST_TOKEN and string.find(value, '^%d+$')
    and (#value < #LARGEST_TOKEN or value <= LARGEST_TOKEN)
  return is_token and value or nil
end

-- Redisson leaves the hash tag of a name as it is, and makes the whole name one if it has none.
local function derived(prefix, name)
  return prefix .. ':' .. (string.find(name, '{', 1, true) and name or '{' .. name .. '}')
end

-- Its fair locks have the same hash, and beside it a list of waiters. Returns the nth of these, from 0 on: nil if the lock is not fair, if no
-- more wait for it, if the user may not read the list, or if others have written it. Each is read by itself, because it may be very long.
local function fair_waiter(name, n)
  local waiters = redis.pcall('LRANGE', derived('redisson_lock_queue', name), n, n)
  local waiter = not waiters.err and waiters[1]
  return waiter and #waiter <= MOST_BYTES and waiter or nil
end

-- Returns whether a fair waiter still waits: a sorted set has the times, in ms, until which they do. Without a time it does.
local function still_waits(name, waiter)
  local time = redis.pcall('ZSCORE', derived('redisson_lock_timeout', name), waiter)
  return type(time) ~= 'string' or (tonumber(time) or 0) * 1000 > now
end

-- Some clients of Redisson hear only the command for channels of a shard, which servers before 7.0 do not have, and some only the other,
-- so both are used. A release must not fail because the user may not publish.
local function tell(channel)
  redis.pcall('SPUBLISH', channel, '0')
  redis.pcall('PUBLISH', channel, '0')
end

-- Tells waiters of a release, as Redisson does: of those of a fair lock, each of whom hears a channel of its own, the first that still waits.
-- The clock of a client of Redisson sets its time, so those before it are told, too.
local MOST_FAIR_WAITERS = 16
local function wake(name, channel)
  tell(channel)
  for n = 0, MOST_FAIR_WAITERS - 1 do
    local waiter = fair_waiter(name, n)
    if waiter then
      tell(channel .. ':' .. waiter)
    end
    if not waiter or still_waits(name, waiter) then
      return
    end
  end
end
