-- include: clock, text, size
-- A hold is the field 'h:<id>', '<from>:<length>:<since>': it ends `length` after `from`, and was granted at `since`.

-- The owner of all holds of readers, and of all holds of permits.
local READERS, PERMITS = 'r', 's'

-- Returns whether this owner may have several holds; any other owner is the id of its only hold.
local function has_several(own)
  return own == READERS or own == PERMITS or string.find(own, '^n[:#]') ~= nil
end

-- Three numbers below 2^53.
local LONGEST_HOLD = 50

-- Holds that began in the future, and their corrected values; nil if there are none.
local healed

-- Returns the end, the length and the grant of a hold. A hold that began in the future was written before the clock
-- stepped back: it begins now, so it lasts no shorter than its holder was promised. Only here is an end lowered.
local function read_hold(id, value)
  local from, length, since = string.match(value, '^(%d+):(%d+):(%d+)$')
  if not from or #value > LONGEST_HOLD then
    error('a hold of this lock cannot be read; take the lock away from its holders')
  end
  local begins = tonumber(from)
  if begins > now then
    begins = now
    healed = healed or {}
    healed[id] = now_text .. ':' .. length .. ':' .. since
  end
  length = tonumber(length)
  return begins + length, length, since
end

-- Removes holds that have ended. Not as the first write: Redis may refuse it when the memory is full.
local function drop(ids)
  local fields = {}
  for _, id in ipairs(ids) do
    for _, kind in ipairs({'h:', 'i:', 'l:', 'p:'}) do
      fields[#fields + 1] = kind .. id
    end
  end
  in_parts(fields, function(...)
    redis.call('HDEL', key, ...)
  end)
end
