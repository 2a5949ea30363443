-- renew_many: renews holds of several locks for the same time, each as renew does and as if it were alone.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] lease: how long the holds shall last from now, us; an end that lies later stays
-- ARGV[2] remember: how long the keys outlive their last use, ms
-- ARGV[n+2] id: of the acquisition that holds KEYS[n]
--
-- RETURN all, now us: each hold was renewed and lasts for the lease from now, and nobody asks for its release
-- RETURN each, now us, results: otherwise; two strings for each lock in the order of KEYS, the outcome and a detail: 'renewed' or
--   'asked' and left us, 'ended' and '', 'gone' and why, 'foreign' and found, all as in renew; or 'failed' and the error that renew
--   would have raised
local lease, remember = ARGV[1], tonumber(ARGV[2])
-- include: clock
local asked, length = tonumber(lease), ':' .. lease .. ':'

-- In whole ms, of which the present one is partly over.
local function expiry_of(micros)
  return math.ceil((now + micros) / 1000) + 1 + remember
end
local expires = expiry_of(asked)
local ahead = string.format('%.0f', expires + math.ceil(asked / 1000) + remember)

-- Writes the hold of a lock whose expiry is not set ahead far enough, or that may be in another state. Redis never refuses PEXPIREAT,
-- nor any write after it, for lack of memory.
local function set_expiry_and_write(lock, id, field, hold)
  local state = redis.pcall('HMGET', lock, 'own', 'last', 'xn', 'rq', 'wn')
  if state[1] ~= id or state[3] or (state[4] and state[4] == state[2]) or not ((tonumber(state[2] or '0') or math.huge) <= now) then
    return nil
  end
  -- While there are waiters, a position outlives two polls, however short the token memory is.
  local expiry = state[5] and string.format('%.0f', expiry_of(math.max(asked, 15000000))) or ahead
  local written = redis.pcall('PEXPIREAT', lock, expiry) == 1 and redis.pcall('HSET', lock, field, hold)
  if written == 0 and not state[5] then
    redis.pcall('HSET', lock, 'ex', ahead)
  end
  return written
end

-- The usual case: the only hold of its lock, renewed for its own length. All other locks are in a state for renewal. Times in ms have
-- 13 digits: as texts they compare alike.
local usual, number, earliest, enough = {}, 0, now - asked, string.format('%.0f', expires)
local run, sub, arguments = redis.pcall, string.sub, ARGV
for n, lock in ipairs(KEYS) do
  local id = arguments[n + 2]
  local field = 'h:' .. id
  local fields = run('HMGET', lock, field, 'ex')
  local hold, ex = fields[1], fields[2]
  if hold and sub(hold, 17, 16 + #length) == length then
    local from = tonumber(sub(hold, 1, 16))
    if from and from <= now and from > earliest then
      hold = now_text .. sub(hold, 17)
      local written = ex and ex >= enough and run('HSET', lock, field, hold)
      if written ~= 0 and written ~= 1 then
        written = set_expiry_and_write(lock, id, field, hold)
      end
      if written == 0 then
        usual[n], number = true, number + 1
      elseif written == 1 then
        -- The key expired while this script ran.
        redis.call('HDEL', lock, field)
      end
    end
  end
end
if number == #KEYS then
  return {'all', now_text}
end

local key
-- include: renewal, each
local results = renew_each(lease, function(n, lock)
  if usual[n] then
    return 'renewed', lease
  end
  key, healed, sum = lock, nil, nil
  return renew(ARGV[n + 2], lease, remember)
end)
return {#results == 0 and 'all' or 'each', now_text, unpack(results)}
