-- Stands before every script of Leasehold: the clock, and what all scripts do with holds.
--
-- A lock is one hash (docs/protocol.md). TIME is read once, because it moves inside a script on Redis 7.0 and before.
-- All times are microseconds of Redis TIME; numbers leave a script as strings, because Lua's are doubles.
local LAYOUT = '1'
local key = KEYS[1]
local clock = redis.call('TIME')
local now_text = clock[1] .. string.sub('00000' .. clock[2], -6)
local now = tonumber(now_text)

local function text(number)
  return string.format('%.0f', number)
end

-- Holds whose end was set right by read_hold, and what is to be written for them; nil while there are none.
local healed

-- End, length and beginning of the hold. An end further away than the hold's length can only come from a clock that
-- stepped back since it was written: it counts as now + length, which is no less than what anybody was promised. This
-- is the only way in which an end is lowered.
local function read_hold(id, value)
  local ends, length, since = string.match(value, '^(%d+):(%d+):(%d+)$')
  ends, length = tonumber(ends), tonumber(length)
  if ends - now > length then
    ends = now + length
    healed = healed or {}
    healed[id] = text(ends) .. ':' .. text(length) .. ':' .. since
  end
  return ends, length, since
end

-- Making a function costs about as much as a command, so those that a lone holder never needs are made on first use.
local rare
local function rarely()
  if rare then
    return rare
  end
  rare = {}

  -- What lies under the key if it is no lock of this layout, else nil. `fields` is the answer of a pcall'ed HMGET that
  -- began with 'v'.
  function rare.foreign(fields)
    if fields.err then
      if not string.find(fields.err, 'WRONGTYPE', 1, true) then
        -- A missing right, for example: raise it again instead of hiding it.
        redis.call('HMGET', key, 'v')
      end
      return redis.call('TYPE', key).ok
    end
    if fields[1] then
      return 'layout ' .. fields[1]
    end
    if redis.call('EXISTS', key) == 1 then
      return 'hash'
    end
    return nil
  end

  -- The holds of the lock apart from `mine`: how many are live, the latest end among these, and the ids of the ended.
  -- Only a named owner ('n:...' or 'n#...') can have several; any other owner is the id of the one hold there is.
  function rare.survey(own, mine)
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

  -- The tombstones whose acquire could not be granted any more anyway, how many others there are, and until when the
  -- last of those must be known.
  function rare.tombstones()
    local past, left, latest = {}, 0, 0
    local all = redis.call('HGETALL', key)
    for i = 1, #all, 2 do
      if string.sub(all[i], 1, 2) == 'x:' then
        local not_after = tonumber(all[i + 1])
        if not_after < now then
          past[#past + 1] = all[i]
        else
          left = left + 1
          latest = math.max(latest, not_after)
        end
      end
    end
    return past, left, latest
  end

  function rare.forget(past, left)
    for _, field in ipairs(past) do
      redis.call('HDEL', key, field)
    end
    if left == 0 then
      redis.call('HDEL', key, 'xn')
    elseif #past > 0 then
      rare.overwrite('xn', left)
    end
  end

  -- A server that stood still since TIME was read finds the expiry that keep has set passed, and deletes the key at once
  -- (7.0 and before, where time goes on inside a script). What is written then must not stay for ever, without layout
  -- and expiry: `field` was there, so it is new only if the key is.
  function rare.overwrite(field, value)
    if redis.call('HSET', key, field, value) == 1 then
      redis.call('HDEL', key, field)
      error('the key expired while this script ran')
    end
  end

  function rare.heal()
    for id, value in pairs(healed) do
      rare.overwrite('h:' .. id, value)
    end
  end

  function rare.drop(ids)
    for _, id in ipairs(ids) do
      redis.call('HDEL', key, 'h:' .. id, 'i:' .. id, 'l:' .. id)
    end
  end

  return rare
end

-- The key outlives `micros`, every end and the last token read as a time, by the retention: so a token is never
-- forgotten before Redis time has passed it. PEXPIREAT is never refused for lack of memory, and after a write that was
-- made the following ones are not refused either: so scripts that renew or release call this first.
-- If there are tombstones, which the field 'xn' counts, the key outlives them too, and the past ones are forgotten.
-- Ends that were set right are written.
local function keep(micros, retention, tombstones)
  local past, left, latest
  if tombstones then
    past, left, latest = rarely().tombstones()
    micros = math.max(micros, latest)
  end
  redis.call('PEXPIREAT', key, text(math.ceil(math.max(micros, now) / 1000) + retention))
  if tombstones then
    rarely().forget(past, left)
  end
  if healed then
    rarely().heal()
  end
end
