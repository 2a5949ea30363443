-- Locks whose key is one hold, in each format: the part of the format says how the hold is read, and how waiters are woken. A function
-- returns the outcome and its details, which stand behind the time in the reply.

-- Makes the hold of an acquisition last for `lease` from now, at least; 0 only confirms it. The detail is how long the hold lasts
-- from now, why there is none, or what the key holds.
local function renew(name, id, lease)
  local value, found = read(name)
  if found then
    return 'foreign', found
  end
  if not is_of(value, id) then
    return 'gone', value and 'taken' or 'free'
  end
  local left = lasts(name)
  if lease ~= '0' then
    -- Sets an expiry again that somebody has removed.
    left = math.max(left or 0, whole(lease))
  end
  if left then
    expire(name, left)
  end
  return 'renewed', reported(left or FOR_EVER)
end

-- Ends the hold of an acquisition.
local function release(name, id, channel)
  local value, found = read(name)
  if found then
    return 'foreign', found
  end
  if not is_of(value, id) then
    return 'gone', value and 'taken' or 'free'
  end
  redis.call('DEL', name)
  wake(name, channel)
  return 'released'
end

-- Ends the hold, whosever it is.
local function force_release(name, channel)
  local value, found = read(name)
  if found then
    return 'foreign', found
  end
  if not value then
    return 'free'
  end
  redis.call('DEL', name)
  wake(name, channel)
  return 'freed'
end

-- Returns the hold, of which others may have written any length, and how long it lasts.
local MOST_OF_A_HOLD = 1024
local function inspect(name)
  local value, found = read(name)
  if found then
    return 'foreign', found
  end
  if not value then
    return 'free'
  end
  return 'held', string.sub(value, 1, MOST_OF_A_HOLD), reported(lasts(name) or FOR_EVER)
end
