-- The layout version of a lock, which is one hash (docs/protocol.md).
local LAYOUT = '1'

-- Returns the kind of value under the key, for people, if it is no lock; nil if it is one or there is no key. `fields` is
-- the reply of a pcall'ed HMGET whose first field is 'v'.
local function foreign(fields)
  if fields[1] == LAYOUT then
    return nil
  end
  if fields.err then
    if not string.find(fields.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('HMGET', key, 'v')
    end
    return redis.call('TYPE', key).ok
  end
  if fields[1] then
    return 'layout ' .. string.sub(fields[1], 1, 20)
  end
  return redis.call('EXISTS', key) == 1 and 'hash' or nil
end
