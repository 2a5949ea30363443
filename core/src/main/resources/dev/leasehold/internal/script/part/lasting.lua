-- Keys that belong to one hold: its value begins with the id of the acquisition, and it goes with the hold.

-- The longest time that is reported of a key: one that never expires has no end of its own.
local FOR_EVER = 86400001

-- Returns whether a value was written by this acquisition.
local function is_of(value, id)
  return value and string.sub(value, 1, #id + 1) == id .. ' '
end

-- Returns how long a key lasts, in ms; nil if it never expires. Expiry is read and set relative to the server's clock, never to TIME:
-- after a standstill between the two commands an end that was meant to rise would be lowered.
local function lasts(name)
  local left = redis.call('PTTL', name)
  return left >= 0 and left or nil
end

-- Makes a key last for so many ms. None would delete it: it ends by itself within the present ms.
local function expire(name, left)
  if left > 0 then
    redis.call('PEXPIRE', name, left)
  end
end

-- Returns what may be reported of so many ms, in microseconds as by the scripts of other locks: part of the present ms is over.
local function reported(left)
  return string.format('%.0f', math.max(0, left - 1) * 1000)
end

-- Returns for how many ms a key must last so that so many microseconds may be reported, less what exceeds whole ms.
local function whole(text)
  return math.floor(tonumber(text) / 1000) + 1
end

-- Returns how long a hold lasts for a repeat of its acquire, in ms: as long as before, because it may have been extended; but for one
-- lease at most if the clock of another server, which was ahead, has written it.
local function still_lasts(name, value, lease)
  local left = lasts(name)
  local since = tonumber(string.match(value, '^%S+ (%d+)'))
  if left and not (since and since > now) then
    return left
  end
  return math.min(left or lease, lease)
end
