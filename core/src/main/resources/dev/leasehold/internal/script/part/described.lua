-- The locks of Redisson: a hash whose only field is the holder, a client's UUID and the id of a thread, with a count. Its asynchronous
-- calls take any long for a thread. If this library holds it, the field is '<id> <since> <holder>', a line feed and the label.
local LONGEST_OF_REDISSON = 100
local function is_redisson(field)
  return #field <= LONGEST_OF_REDISSON and string.find(field, '^%x+%-%x+%-%x+%-%x+%-%x+:%-?%d+$')
end

-- Returns what a key holds, for people: the lock of Redisson that it seems to be, else its type.
local function described(name)
  local held = redis.call('TYPE', name).ok
  -- A user without these commands learns the type only.
  local fields = held == 'hash' and redis.pcall('HLEN', name) == 1 and redis.pcall('HKEYS', name) or {}
  if fields[1] and is_redisson(fields[1]) then
    return 'a Redisson lock held by ' .. fields[1]
  end
  if held == 'hash' and redis.pcall('HEXISTS', name, 'mode') == 1 then
    return 'a Redisson read-write lock'
  end
  return held
end
