-- include: wake, survey
-- Precedence: an attempt that could be granted may have to leave the lock to a waiter.

-- Returns whether the head of the queue, other than this position, is a writer: then readers do not join readers.
local function is_behind_a_writer(position)
  local n, value = head_of_queue()
  return n and text(n) ~= position and not is_reader(value)
end

-- Returns whether the head of the queue, other than this position, needs more permits than are left: then nobody takes
-- those from under it.
local function head_lacks_permits(n, value, position, total, live)
  return n and text(n) ~= position and permits_needed(value, total) > total - live
end

-- Returns until when the lock is reserved for another position; nil if it is not. A reservation for a reader is one for all
-- readers, and one for a waiter for permits leaves what is beyond its need, `spare`.
local function reserved_until(position, reads, spare)
  local reserved = redis.call('HMGET', key, 'rv', 're')
  if not reserved[1] or reserved[1] == position then
    return nil
  end
  local value = (reads or spare) and redis.call('HGET', key, 'q:' .. reserved[1])
  if value and (reads and is_reader(value) or spare and permits_needed(value, math.huge) <= spare) then
    return nil
  end
  local ends, length = string.match(reserved[2] or '', '^(%d+):(%d+)$')
  ends = tonumber(ends)
  if not ends then
    return nil
  end
  -- An end further away than the length is from before the clock stepped back.
  return ends > now and ends - now <= tonumber(length) and ends or nil
end

-- Returns until when the free lock belongs to the head of a fair queue; nil if the attempt may have it. The head is woken
-- and has time to come; then it is removed, and the next waiter is the head. A reader at the head lets all readers enter.
local function belongs_to_head(attempt)
  while true do
    local n, value = head_of_queue()
    local reserved = redis.call('HGET', key, 'rv')
    if not n or text(n) == attempt.position or reserved == attempt.position or attempt.reads and is_reader(value) then
      return nil
    end
    if attempt.total and head_lacks_permits(n, value, attempt.position, attempt.total, attempt.live) then
      return sum.earliest
    end
    -- Nobody counts as dead who was not woken: a head may know of a later end than that of the hold that ended by itself.
    if reserved ~= text(n) then
      local _, refused = wake(false, attempt.total, attempt.live)
      reserve_fairly(n, refused)
      return now + RESERVED_IN_A_FAIR_QUEUE
    end
    vacate(n)
    redis.call('HDEL', key, 'rv', 're')
  end
end

-- Returns until when others have precedence over an attempt that could be granted; nil if none has.
local function others_first(attempt)
  local fair = attempt.fair or is_fair()
  local spare = attempt.wanted and not fair and attempt.total - attempt.live - attempt.wanted
  local reserved = reserved_until(attempt.position, attempt.reads, spare)
  if reserved or not fair then
    return reserved
  end
  -- Redis refuses the first write when the memory is full, unless it is this one.
  keep(math.max(attempt.latest, attempt.last), attempt.remember, attempt.tombstones, true)
  return belongs_to_head(attempt)
end
