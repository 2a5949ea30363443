-- include: text, size
-- What is reported of a lock to people. Others may have written any number of fields of any length under its key.

local MOST_BYTES_OF_A_LOCK = 64000
local MOST_BYTES_OF_A_FIELD = 1024
local MOST_PAGES_REPORTED = 10
local POSITIONS_REPORTED = 64

-- Returns a list that begins with the number of fields that are left out, and then has fields and values in turn: first those of
-- which there is one in each lock, then holds and waiters. Values are cut.
local function report()
  local words, bytes, seen, count = {'0'}, 0, {}, 0
  local function add(field, value)
    if seen[field] or not value then
      return
    end
    local name, content = string.sub(field, 1, MOST_BYTES_OF_A_FIELD), string.sub(value, 1, MOST_BYTES_OF_A_FIELD)
    bytes = bytes + #name + #content
    if bytes <= MOST_BYTES_OF_A_LOCK then
      seen[field], count = true, count + 1
      words[#words + 1], words[#words + 2] = name, content
    end
  end
  local function add_all(fields)
    local values = redis.call('HMGET', key, unpack(fields))
    for i, field in ipairs(fields) do
      add(field, values[i])
    end
    return values
  end

  local owner = add_all({'own', 'last', 'tok', 'rt', 'pt'})[1]
  if owner then
    add_all({'h:' .. owner, 'i:' .. owner, 'l:' .. owner})
  end
  local size = redis.call('HLEN', key)
  if size <= MOST_FIELDS_READ_AT_ONCE then
    local all = redis.call('HGETALL', key)
    for i = 1, #all, 2 do
      add(all[i], all[i + 1])
    end
  else
    local head, positions = tonumber(redis.call('HGET', key, 'qh')) or 0, {}
    for n = 1, POSITIONS_REPORTED do
      positions[n] = 'q:' .. text(head + n - 1)
    end
    add_all(positions)
    each_field('[hilpb]:*', add, MOST_PAGES_REPORTED)
  end
  words[1] = text(math.max(0, size - count))
  return words, bytes
end
