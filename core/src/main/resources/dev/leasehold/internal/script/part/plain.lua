-- include: clock, lasting, described
-- Plain locks. A plain lock is a string (docs/protocol.md), as SET with NX and PX writes it: '<id> <since> <holder>', a line feed
-- and the label, if this library wrote it, else whatever its holder chose. It goes with the hold, so there is no fencing
-- token, no queue, and no memory of what was released.

-- Returns the value under a key, false if there is none; and what is there instead of a string.
local function read(name)
  local value = redis.pcall('GET', name)
  if type(value) == 'table' then
    if not string.find(value.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('GET', name)
    end
    return false, described(name)
  end
  return value
end

-- Tells waiters that listen to a channel of a release, which must not fail because the user may not publish.
local function wake(name, channel)
  if channel ~= '' then
    redis.pcall('PUBLISH', channel, name)
  end
end
