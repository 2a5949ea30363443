-- include: expiry, publish, size
-- The queue of waiters. Positions are numbered in the order of arrival: 'q:<n>' is
-- '<heartbeat><mode>:<channel> <since> <id> <who>', in which the mode is 'r' for a reader, 's' and a number for a waiter for so
-- many permits, or empty. The id is that of the acquisition that polled last: by it a repeat of the first request, whose answer
-- was lost, finds its position. Since and who are for people. 'qh' is the first position or one before it, 'qt' the last, 'wn'
-- the number of waiters. No position between 'qh' and 'qn' is taken, so a gap behind the head is crossed once. An empty queue
-- leaves nothing, and a new one begins at TIME: so a position is not given twice, even if the data was lost.

-- Forgets a queue whose counters make no sense, or count positions that are not there. Waiters return by their polls.
local function forget_queue()
  redis.call('HDEL', key, 'wn', 'qh', 'qt', 'qn', 'rv', 're', 'wb')
  return 0, -1, 0, 0
end

-- Returns a counter of the queue; nil if it makes no sense: Redis could not count up a larger one, nor one in another form.
local LAST_POSITION = 2 ^ 52
local function counter(value, default)
  if not value then
    return default
  end
  local n = tonumber(value)
  return n and n >= 0 and n <= LAST_POSITION and text(n) == value and n or nil
end

-- Returns the first position or one before it, the last, the one before which none behind the first is taken, and the number
-- of waiters.
local function read_ends()
  local queue = redis.call('HMGET', key, 'qh', 'qt', 'qn', 'wn')
  local head, tail, after, count = counter(queue[1], 0), counter(queue[2], -1), counter(queue[3], 0), counter(queue[4], 0)
  local makes_sense = head and tail and after and count and head <= tail + 1
    and (count > 0) == (tail >= 0) and (queue[1] and true) == (queue[2] and true)
  if not makes_sense then
    return forget_queue()
  end
  return head, tail, after, count
end

-- The part of the queue that was read last, so that several positions in a row are read once.
local POSITIONS_OF_ONE_READ = 64
local part = {lock = false}

-- How many positions this call may still read of this lock, taken or not: behind a wider gap, a later call goes on. Of several
-- locks each has its share, so that the gap of one does not hide the positions of another.
local MOST_READ = 20000
local unread = MOST_READ
local function share_of_reads(locks)
  return math.max(math.floor(MOST_READ / locks), 2 * POSITIONS_OF_ONE_READ + 1)
end

local function read_part(from, tail)
  local fields = {}
  for n = from, math.min(from + POSITIONS_OF_ONE_READ - 1, tail) do
    fields[#fields + 1] = 'q:' .. text(n)
  end
  part = {lock = key, from = from, to = from + #fields - 1, values = redis.call('HMGET', key, unpack(fields))}
  unread = unread - #fields
end

-- Returns the first position from `from` on of a small hash, whose names are read at once; one behind the last if there is none.
local function find_taken(from, tail)
  local first = tail + 1
  each_field('q:*', function(field)
    local n = tonumber(string.match(field, '^q:(%d+)$'))
    if n and n >= from and n < first and 'q:' .. text(n) == field then
      first = n
    end
  end)
  unread = unread - MOST_FIELDS_READ_AT_ONCE
  return first
end

-- Returns the first position from `from` on that is taken, and its value. Returns nil if there is none, or none was found so far;
-- then also the first position that was not read.
local function next_taken(from, tail)
  local n = from
  while n <= tail do
    if part.lock ~= key or n < part.from or n > part.to then
      if unread <= 0 then
        return nil, nil, n
      end
      if n > from and is_small() then
        n = find_taken(n, tail)
      end
      if n <= tail then
        read_part(n, tail)
      end
    end
    local value = n <= tail and part.values[n - part.from + 1]
    if value then
      return n, value
    end
    n = n + 1
  end
  return nil, nil, tail + 1
end

-- Each part of a pattern excludes what follows it: otherwise matching takes quadratic time, in a long value for ever.
local function channel_of(value)
  return string.match(value, '^%d[^: ]*:([^ ]*)') or ''
end

-- Returns whether this position, false if there is none, belongs to the client with this channel.
local function is_of(value, channel)
  return value and client_of(channel_of(value)) == client_of(channel)
end

-- Returns the position that an acquisition has taken, if that is one of the last; else '0'. It does not know its position if it
-- got no answer.
local function position_of(id, channel)
  local head, tail = read_ends()
  if tail < head then
    return '0'
  end
  local from = math.max(head, tail - POSITIONS_OF_ONE_READ + 1)
  read_part(from, tail)
  for n = from, tail do
    local value = part.values[n - from + 1]
    if value and string.match(value, '^[^ ]* %d+ ([^ ]*)') == id and is_of(value, channel) then
      return text(n)
    end
  end
  return '0'
end

-- Returns whether a waiter with this value waits to read.
local function is_reader(value)
  return string.find(value, '^%d+r:')
end

-- Removes the heartbeats 'b:<channel>' of an empty queue; if there are very many, the others stay until the next time.
local function remove_heartbeats()
  local fields = {}
  each_field('b:*', function(field)
    fields[#fields + 1] = field
  end)
  in_parts(fields, function(...)
    redis.call('HDEL', key, ...)
  end)
end

-- Removes a position. Returns whether the queue is left: others may have written fewer waiters than positions.
local function vacate(n)
  redis.call('HDEL', key, 'q:' .. text(n))
  if part.lock == key and n >= part.from and n <= part.to then
    part.values[n - part.from + 1] = false
  end
  local left = redis.pcall('HINCRBY', key, 'wn', -1)
  if type(left) == 'table' or left <= 0 then
    forget_queue()
    if redis.call('HDEL', key, 'qf') == 1 then
      remove_heartbeats()
    end
    return false
  end
  return true
end

-- The heartbeat timeout. Waiters poll at least every 5 s.
local HEARTBEAT_TIMEOUT = 7000000

-- Returns whether the waiter at a position is alive: by its own heartbeat, or by that of its client, which has one for all its
-- positions in a fair queue. A heartbeat from the future, from before the clock stepped back, counts from now on. What is no
-- position is dead.
local function is_alive(n, value)
  local beat = tonumber(string.match(value, '^%d+'))
  if not beat then
    return false
  end
  if beat > now then
    write('q:' .. text(n), now_text .. string.match(value, '^%d+(.*)$'))
  end
  if now - beat <= HEARTBEAT_TIMEOUT then
    return true
  end
  local field = 'b:' .. client_of(channel_of(value))
  local of_client = tonumber(redis.call('HGET', key, field) or '0') or 0
  if of_client > now then
    write(field, now_text)
  end
  return now - of_client <= HEARTBEAT_TIMEOUT
end

-- Removes dead waiters from the head of the queue, and returns the first one alive: its position and value, and the last
-- position of the queue. A call removes a limited number; the next one then counts as alive.
local MOST_REMOVED = 100
local function head_of_queue()
  local head, tail, after = read_ends()
  local n, value, unknown = head, redis.call('HGET', key, 'q:' .. text(head)), nil
  if not value then
    n, value, unknown = next_taken(math.max(head + 1, after), tail)
  end
  local removed = 0
  while n do
    if removed == MOST_REMOVED or is_alive(n, value) then
      if n > head then
        write('qh', text(n))
      end
      return n, value, tail
    end
    if not vacate(n) then
      return nil
    end
    removed = removed + 1
    n, value, unknown = next_taken(math.max(n + 1, after), tail)
  end
  if unknown <= tail then
    write('qh', text(unknown))
  elseif tail >= 0 then
    forget_queue()
  end
  return nil
end

-- Returns the position after the head, and its value; nil if there is none.
local function second_in_queue(head, tail)
  local after = math.max(head + 1, counter(redis.call('HGET', key, 'qn'), 0) or 0)
  local n, value, unknown = next_taken(after, tail)
  if (n or unknown) > after then
    redis.call('HSET', key, 'qn', text(n or unknown))
  end
  return n, value
end

-- Returns whether everybody waits fairly: then no waiter overtakes.
local function is_fair()
  return redis.call('HGET', key, 'qf') == '1'
end
