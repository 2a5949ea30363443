-- include: queue
-- Taking and keeping a position in the queue.

-- The most clients that wait in a queue; others poll. In a fair queue each waiter has a position.
local MOST_WAITERS = 64
local MOST_FAIR_WAITERS = 100000

-- How far behind the last position a waiter may return to its own: the positions between are read one after another.
local FARTHEST_RETURN = 1000

-- Takes or keeps a position. Returns it with its rank: 0 is the head, 1 the next, 2 any other; and whether Redis refused the
-- latest wake-up. Returns nil if there is none: the queue is full, or the memory. Without `who`, that of the position stays.
local function wait_in_queue(position, channel, fair, mode, who)
  local n = tonumber(position)
  local found = redis.call('HMGET', key, 'q:' .. position, 'wr')
  local head, tail, _, count = read_ends()
  local value, refused = n >= head and n <= tail and found[1], found[2]
  local mine = is_of(value, channel)
  if not mine then
    if count >= (fair and MOST_FAIR_WAITERS or MOST_WAITERS) then
      return nil
    end
    -- After a loss of data a waiter may return to its position; one that was removed as dead gets a new one.
    local returns = n > 0 and (count == 0 or (n > tail and n <= tail + FARTHEST_RETURN))
    if not returns then
      n = math.max(tail + 1, count == 0 and now or 0)
    end
  end
  local since = mine and string.match(value, '^[^ ]* (%d+) ') or now_text
  local told = who and ' ' .. since .. ' ' .. who or mine and string.match(value, '^[^ ]*(.*)$') or ''
  local wrote = redis.pcall('HSET', key, 'q:' .. text(n), now_text .. mode .. ':' .. channel .. told,
    'qh', text(count == 0 and n or head), 'qt', text(math.max(tail, n)))
  part = {lock = false}
  if type(wrote) == 'table' then
    return mine and text(n) or nil
  end
  if not mine then
    redis.call('HINCRBY', key, 'wn', 1)
  end
  if fair then
    redis.call('HSET', key, 'qf', '1', 'b:' .. client_of(channel), now_text)
  end
  local first, _, last = head_of_queue()
  if first == n then
    return text(n), '0', refused
  end
  return text(n), first and second_in_queue(first, last) == n and '1' or '2', refused
end
