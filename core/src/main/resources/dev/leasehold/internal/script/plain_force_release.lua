-- plain_force_release: deletes the key if it is a lock, whoever holds it.
--
-- KEYS[1] key
-- ARGV[1] notAfter: Redis time after which this request must not delete the key, us
-- ARGV[2] channel: on which the key is published, for waiters of Spring Integration; empty if on none
-- ARGV[3] any: 1 deletes any string; 0 only one that looks like a lock, see below
--
-- RETURN freed, now us: the key is deleted
-- RETURN free, now us: nobody held the key
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else, or a string that is no lock; nothing was changed
local key = KEYS[1]
-- include: plain, lone_hold
if tonumber(now_text) > tonumber(ARGV[1]) then
  return {'stale', now_text}
end

-- A lock expires, and its value is what this library wrote or what others draw at random or know a process by: one word, and no number.
local FEWEST_BYTES, MOST_BYTES, MOST_OF_OURS = 8, 256, 1000
local function is_value(value)
  if #value <= MOST_BYTES and string.find(value, '^[%w_.:@+/=~,-]+$') then
    return #value >= FEWEST_BYTES and not tonumber(value)
  end
  return #value <= MOST_OF_OURS and string.find(value, '^[%w_-]+ %d+ ')
end

local value = ARGV[3] == '0' and read(key)
if value and not (lasts(key) and is_value(value)) then
  return {'foreign', now_text, 'a string that does not look like a lock'}
end
local outcome, detail = force_release(key, ARGV[2])
return {outcome, now_text, detail}
