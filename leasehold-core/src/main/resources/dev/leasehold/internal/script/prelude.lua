-- Stands before every script of Leasehold: the clock, the layout check, and what all scripts do with holds.
--
-- A lock is one hash (docs/protocol.md). TIME is read once, because it moves inside a script on Redis 7.0 and before.
-- All times are microseconds of Redis TIME; numbers leave a script as strings, because Lua's are doubles.
local LAYOUT = '1'
local key = KEYS[1]
local clock = redis.call('TIME')
local now = clock[1] * 1000000 + clock[2]

local function text(number)
  return string.format('%.0f', number)
end

-- What lies under the key if it is no lock of this layout, else nil. `fields` is the answer of a pcall'ed HMGET that
-- began with 'v'.
local function foreign(fields)
  if fields.err then
    if not string.find(fields.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('HMGET', key, 'v')
    end
    return redis.call('TYPE', key).ok
  end
  if fields[1] == LAYOUT then
    return nil
  end
  if fields[1] then
    return 'layout ' .. fields[1]
  end
  if redis.call('EXISTS', key) == 1 then
    return 'hash'
  end
  return nil
end

-- The key outlives `micros`, every end and the last token read as a time, by the retention: so a token is never
-- forgotten before Redis time has passed it. PEXPIREAT is never refused for lack of memory, and after a write that was
-- made the following ones are not refused either: so scripts that renew or release call this first.
local function keep(micros, retention)
  redis.call('PEXPIREAT', key, text(math.ceil(math.max(micros, now) / 1000) + retention))
end

-- End, length and beginning of the hold. An end further away than the hold's length can only come from a clock that
-- stepped back since it was written: it is set to now + length, which is no less than what anybody was promised. This
-- is the only place where an end is lowered.
local function read_hold(id, value)
  local ends, length, since = string.match(value, '^(%d+):(%d+):(%d+)$')
  ends, length = tonumber(ends), tonumber(length)
  if ends - now > length then
    ends = now + length
    local last = tonumber(redis.call('HGET', key, 'last') or '0')
    keep(math.max(ends, last), 60000)
    redis.call('HSET', key, 'h:' .. id, text(ends) .. ':' .. text(length) .. ':' .. since)
  end
  return ends, length, since
end

-- The holds of the lock apart from `mine`: how many are live, the latest end among these, and the ids of the ended.
-- Only a named owner ('n:...' or 'n#...') can have several; any other owner is the id of the one hold there is.
local function survey(own, mine)
  local live, latest, ended = 0, 0, {}
  local function look(id, value)
    local ends = read_hold(id, value)
    if ends > now then
      live = live + 1
      latest = math.max(latest, ends)
    else
      ended[#ended + 1] = id
    end
  end
  if string.find(own, '^n[:#]') then
    local all = redis.call('HGETALL', key)
    for i = 1, #all, 2 do
      local id = string.match(all[i], '^h:(.*)$')
      if id and id ~= mine then
        look(id, all[i + 1])
      end
    end
  elseif own ~= mine then
    local value = redis.call('HGET', key, 'h:' .. own)
    if value then
      look(own, value)
    end
  end
  return live, latest, ended
end

local function drop(ids)
  for _, id in ipairs(ids) do
    redis.call('HDEL', key, 'h:' .. id, 'i:' .. id, 't:' .. id, 'l:' .. id)
  end
end

-- Forgets tombstones whose acquire could not be granted any more anyway.
local function prune_tombstones()
  local left = 0
  local all = redis.call('HGETALL', key)
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, 2) == 'x:' then
      if tonumber(all[i + 1]) < now then
        redis.call('HDEL', key, all[i])
      else
        left = left + 1
      end
    end
  end
  if left == 0 then
    redis.call('HDEL', key, 'xn')
  else
    redis.call('HSET', key, 'xn', left)
  end
end
