-- Stands before the scripts of plain locks: the clock, and what lies under the key.
--
-- A plain lock is a string (docs/protocol.md), as SET with NX and PX writes it: '<id> <since> <holder>', a line feed and the
-- label, if this library wrote it, else whatever its holder chose. It goes with the hold, so there is no fencing token, no
-- queue, and no memory of what was released. TIME is read once, because it moves inside a script on Redis 7.0 and before.
local key = KEYS[1]
local clock = redis.call('TIME')
local now_text = clock[1] .. string.sub('00000' .. clock[2], -6)

-- The longest time that is told of a key: one that never expires has no end of its own.
local FOR_EVER = 86400001

-- The value under a key, false if there is none; and what is there instead of a string.
local function read(name)
  local value = redis.pcall('GET', name)
  if type(value) == 'table' then
    if not string.find(value.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('GET', name)
    end
    return false, redis.call('TYPE', name).ok
  end
  return value
end

-- Whether a value is that of an acquisition of ours.
local function is_of(value, id)
  return value and string.sub(value, 1, #id + 1) == id .. ' '
end

-- How long a key lasts, in ms; nil if it never expires. Expiry is read and set relative to the server's clock, never to TIME:
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

-- What may be told of so many ms, in microseconds as by the scripts of other locks: the present ms is over in part.
local function told(left)
  return string.format('%.0f', math.max(0, left - 1) * 1000)
end

-- For how many ms a key must last so that so many microseconds may be told, but for what they are more than whole ms.
local function whole(text)
  return math.floor(tonumber(text) / 1000) + 1
end
