-- include: queue, permits
-- Wake-ups. A wake-up is a hint to poll: it grants nothing and removes no position, so a waiter that is overtaken keeps its
-- position.

-- Where Redis refuses to publish, 'wr' is set: then waiters poll at their own interval.
local function wake_up(n, value)
  local received = publish(channel_of(value), text(n) .. ' ' .. key)
  if not received then
    redis.call('HSET', key, 'wr', '1')
  end
  return received
end

-- The most waiters woken behind the head. Each of a longer queue wakes more when it enters.
local MOST_WOKEN = 16

-- Wakes the readers right behind a reader.
local function wake_readers_behind(n, tail)
  local value
  for _ = 1, MOST_WOKEN do
    n, value = next_taken(n + 1, tail)
    if not n or not is_reader(value) then
      return
    end
    wake_up(n, value)
  end
end

-- Wakes the waiters behind one for whom enough permits are left, too.
local function wake_for_permits_behind(n, tail, left, total)
  local value
  for _ = 1, MOST_WOKEN do
    n, value = next_taken(n + 1, tail)
    left = n and left - permits_needed(value, total) or -1
    if left < 0 then
      return
    end
    wake_up(n, value)
  end
end

-- Wakes the first waiter that receives it. Returns its position, and whether Redis refused to publish: then this waiter comes by
-- its next poll. If `counts_receivers`, a wake-up that reached nobody goes to the next waiter, a limited number of times; a channel
-- that reached nobody is not tried again. With `total` permits, of which `live` are taken, the head is woken only if enough are left.
local MOST_UNRECEIVED = 2000
local function wake(counts_receivers, total, live)
  local n, value, tail = head_of_queue()
  local head, unreceived, deaf = n, 0, {}
  while n and unreceived < MOST_UNRECEIVED do
    local left = total and total - live - permits_needed(value, total)
    if left and left < 0 then
      return nil
    end
    local channel = channel_of(value)
    local received = deaf[channel] and 0 or wake_up(n, value)
    if not received then
      return n, true
    end
    if not counts_receivers or received > 0 then
      if is_reader(value) then
        wake_readers_behind(n, tail)
      elseif left then
        wake_for_permits_behind(n, tail, left, total)
      end
      return n
    end
    unreceived, deaf[channel] = unreceived + 1, true
    if n == head then
      n, value = second_in_queue(n, tail)
    else
      n, value = next_taken(n + 1, tail)
    end
  end
  return nil
end

-- Wakes the readers at the head of the queue: readers hold the lock, and no writer is before them.
local function wake_readers()
  local n, value, tail = head_of_queue()
  if n and is_reader(value) then
    wake_up(n, value)
    wake_readers_behind(n, tail)
  end
end

-- A holder that had the lock for long gives way: the lock is reserved for the head for a moment, which costs little beside
-- its work. Short work may overtake the head, but only so often: otherwise a busy process would starve the others.
local MOST_OVERTAKEN = 8
local LONG_HOLD = 1000
local RESERVED = 50000
local RESERVED_IN_A_FAIR_QUEUE = 1000000

local function reserve_for(n, length)
  redis.call('HSET', key, 'rv', text(n), 're', text(now + length) .. ':' .. text(length))
end

-- In a fair queue nobody overtakes the head until it has had time to answer; if Redis refused to wake it, until it must have polled.
local function reserve_fairly(n, refused)
  reserve_for(n, refused and HEARTBEAT_TIMEOUT or RESERVED_IN_A_FAIR_QUEUE)
end

-- The lock, or a permit, became free: wakes the head of the queue. `since` is the grant of the hold, and `live` permits are
-- still taken.
local function pass_on(counts_receivers, since, live)
  local queue = redis.call('HMGET', key, 'wb', 'qf', 'pt', 'wr')
  local n, refused = wake(counts_receivers, number_of_permits(queue[3]), live)
  if n and queue[4] and not refused then
    redis.call('HDEL', key, 'wr')
  end
  if n and queue[2] then
    reserve_fairly(n, refused)
  elseif n and ((tonumber(queue[1] or '0') or 0) >= MOST_OVERTAKEN or now - since >= LONG_HOLD) then
    reserve_for(n, RESERVED)
  end
end

-- A waiter took permits, and `live` are taken now: wakes the head if enough are left for it.
local function wake_for_more_permits(total, live)
  local n, refused = wake(false, total, live)
  if n and is_fair() then
    reserve_fairly(n, refused)
  end
end
