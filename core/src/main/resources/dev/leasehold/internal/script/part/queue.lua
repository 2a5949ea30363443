-- include: expiry, publish
-- The queue of waiters. Positions are numbered in the order of arrival: 'q:<n>' is '<heartbeat><mode>:<channel> <since> <who>',
-- in which the mode is 'r' for a reader, 's' and a number for a waiter for so many permits, or empty. Since and who are for
-- people, and absent if the client does not tell. 'qh' is the first position or one before it, 'qt' the last, 'wn' the number of waiters. No position between 'qh' and 'qn' is taken, so a gap behind the
-- head is crossed once. An empty queue leaves nothing, and a new one begins at TIME: so a position is not given twice, even
-- if the data was lost.

-- The part of the queue that was read last, so that several positions in a row are read once.
local POSITIONS_OF_ONE_READ = 64
local part = {lock = false}

local function read_part(from, tail)
  local fields = {}
  for n = from, math.min(from + POSITIONS_OF_ONE_READ - 1, tail) do
    fields[#fields + 1] = 'q:' .. text(n)
  end
  part = {lock = key, from = from, to = from + #fields - 1, values = redis.call('HMGET', key, unpack(fields))}
end

-- Returns the first position from `from` on that is taken, and its value; nil if there is none.
local function next_taken(from, tail)
  for n = from, tail do
    if part.lock ~= key or n < part.from or n > part.to then
      read_part(n, tail)
    end
    local value = part.values[n - part.from + 1]
    if value then
      return n, value
    end
  end
  return nil
end

local function read_ends()
  local queue = redis.call('HMGET', key, 'qh', 'qt', 'qn')
  return tonumber(queue[1] or '0'), tonumber(queue[2] or '-1'), tonumber(queue[3] or '0')
end

local function channel_of(value)
  return string.match(value, '^%d+[rs]?%d*:([^ ]*)')
end

-- Returns whether this position, false if there is none, belongs to the client with this channel.
local function is_of(value, channel)
  return value and client_of(channel_of(value)) == client_of(channel)
end

-- Returns whether a waiter with this value waits to read.
local function is_reader(value)
  return string.find(value, '^%d+r:')
end

-- Removes the heartbeats 'b:<channel>' of an empty queue; if there are very many, the others stay until the next time.
local MOST_PAGES = 25
local function remove_heartbeats()
  local cursor, pages = '0', 0
  repeat
    local page = redis.call('HSCAN', key, cursor, 'MATCH', 'b:*', 'COUNT', FIELDS_OF_A_PAGE)
    cursor, pages = page[1], pages + 1
    for i = 1, #page[2], 2 do
      redis.call('HDEL', key, page[2][i])
    end
  until cursor == '0' or pages == MOST_PAGES
end

-- Removes a position.
local function vacate(n)
  redis.call('HDEL', key, 'q:' .. text(n))
  if part.lock == key and n >= part.from and n <= part.to then
    part.values[n - part.from + 1] = false
  end
  if redis.call('HINCRBY', key, 'wn', -1) <= 0 then
    redis.call('HDEL', key, 'wn', 'qh', 'qt', 'qn', 'rv', 're', 'wb')
    if redis.call('HDEL', key, 'qf') == 1 then
      remove_heartbeats()
    end
  end
end

-- The heartbeat timeout. Waiters poll at least every 5 s.
local HEARTBEAT_TIMEOUT = 7000000

-- Returns whether the waiter at a position is alive: by its own heartbeat, or by that of its client, which has one for all its
-- positions in a fair queue. A heartbeat from the future, from before the clock stepped back, counts from now on.
local function is_alive(n, value)
  local beat = tonumber(string.match(value, '^%d+'))
  if beat > now then
    overwrite('q:' .. text(n), now_text .. string.match(value, '^%d+(.*)$'))
  end
  if now - beat <= HEARTBEAT_TIMEOUT then
    return true
  end
  local field = 'b:' .. client_of(channel_of(value))
  local of_client = tonumber(redis.call('HGET', key, field) or '0')
  if of_client > now then
    overwrite(field, now_text)
  end
  return now - of_client <= HEARTBEAT_TIMEOUT
end

-- Removes dead waiters from the head of the queue, and returns the first one alive: its position and value, and the last
-- position of the queue. A call removes a limited number; the next one then counts as alive.
local MOST_REMOVED = 100
local function head_of_queue()
  local head, tail, after = read_ends()
  local n, value = head, redis.call('HGET', key, 'q:' .. text(head))
  if not value then
    n, value = next_taken(math.max(head + 1, after), tail)
  end
  local removed = 0
  while n do
    if removed == MOST_REMOVED or is_alive(n, value) then
      if n > head then
        overwrite('qh', text(n))
      end
      return n, value, tail
    end
    vacate(n)
    removed = removed + 1
    n, value = next_taken(math.max(n + 1, after), tail)
  end
  return nil
end

-- Returns the position after the head, and its value; nil if there is none.
local function second_in_queue(head, tail)
  local after = math.max(head + 1, tonumber(redis.call('HGET', key, 'qn') or '0'))
  local n, value = next_taken(after, tail)
  if (n or tail + 1) > after then
    redis.call('HSET', key, 'qn', text(n or tail + 1))
  end
  return n, value
end

-- Returns whether everybody waits fairly: then no waiter overtakes.
local function is_fair()
  return redis.call('HGET', key, 'qf') == '1'
end
