-- Stands before every script of Leasehold: the clock, and what all scripts do with holds.
--
-- A lock is one hash (docs/protocol.md). TIME is read once, because it moves inside a script on Redis 7.0 and before.
-- All times are microseconds of Redis TIME; numbers leave a script as strings, because Lua's are doubles.
local LAYOUT = '1'
-- The owner of all holds of readers, who share the lock; and of all permits of a semaphore.
local READERS, PERMITS = 'r', 's'
local key = KEYS[1]
local clock = redis.call('TIME')
local now_text = clock[1] .. string.sub('00000' .. clock[2], -6)
local now = tonumber(now_text)

local function text(number)
  return string.format('%.0f', number)
end

-- Whether there may be many holds of this owner, which are summed up.
local function shared(own)
  return own == READERS or own == PERMITS
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

  -- Holds that share are summed up in one field, 'rs', for there may be thousands: '<count>:<earliest>:<latest>:<longest>',
  -- in which no end is earlier and none later, and no hold longer. Only if one may have ended, or the clock has stepped
  -- back, are all of them looked through. A reader counts as 1, and so does a permit: a hold of more has their number in
  -- 'p:<id>'. This is what the last survey found of the others than `mine`, and how many permits that has.
  local sharing

  local function widen(ends, length)
    sharing.earliest = math.min(sharing.earliest or ends, ends)
    sharing.latest = math.max(sharing.latest or ends, ends)
    sharing.longest = math.max(sharing.longest or length, length)
  end

  local function summed_up(mine)
    local found = redis.call('HMGET', key, 'rs', 'h:' .. mine, 'p:' .. mine)
    local count, earliest, latest, longest = string.match(found[1] or '', '^(%d+):(%d+):(%d+):(%d+)$')
    earliest, latest, longest = tonumber(earliest), tonumber(latest), tonumber(longest)
    if not count or earliest <= now or latest - now > longest then
      return nil
    end
    local of_mine = tonumber(found[3] or '1')
    return {count = tonumber(count) - (found[2] and of_mine or 0), of_mine = of_mine, earliest = earliest, latest = latest,
      longest = longest}
  end

  -- Writes the sum of those whom the survey has found and, if it is there, of the hold with this end, which counts as told
  -- or as the survey has found. Not as the first write.
  function rare.sum_up(ends, length, counts)
    sharing = sharing or {count = 0}
    if ends then
      sharing.count = sharing.count + (counts or sharing.of_mine or 1)
      widen(ends, length)
    end
    redis.call('HSET', key, 'rs', text(sharing.count) .. ':' .. text(sharing.earliest) .. ':' .. text(sharing.latest) .. ':'
      .. text(sharing.longest))
  end

  -- Before when none of those that the survey has found ends.
  function rare.earliest()
    return sharing.earliest
  end

  -- How many of the holds of this owner, apart from `mine`, are live, as what each counts for; the latest end among these,
  -- and the ids of the ended. Only a named owner ('n:...' or 'n#...') and those who share can have several; any other owner
  -- is the id of the one hold there is.
  function rare.survey(own, mine)
    local live, latest, ended = 0, 0, {}
    local counts = {}
    local function look(id, value)
      local ends, length = read_hold(id, value)
      if ends > now then
        live = live + (counts[id] or 1)
        latest = math.max(latest, ends)
        if sharing then
          widen(ends, length)
        end
      else
        ended[#ended + 1] = id
      end
    end
    sharing = shared(own) and summed_up(mine) or nil
    if sharing then
      return sharing.count, sharing.count > 0 and sharing.latest or 0, ended
    end
    sharing = shared(own) and {} or nil
    if sharing or string.find(own, '^n[:#]') then
      local all = redis.call('HGETALL', key)
      for i = 1, #all, 2 do
        if string.sub(all[i], 1, 2) == 'p:' then
          counts[string.sub(all[i], 3)] = tonumber(all[i + 1])
        end
      end
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
    if sharing then
      sharing.count, sharing.of_mine = live, counts[mine]
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
      redis.call('HDEL', key, 'h:' .. id, 'i:' .. id, 'l:' .. id, 'p:' .. id)
    end
    redis.call('HDEL', key, 'tok')
  end

  -- The queue. Places are numbered in the order of arrival: 'q:<n>' is '<heartbeat><what for>:<channel>', in which what for is
  -- 'r' to read, 's' and a number for so many permits, or nothing. 'qh' is the first place or one before it, 'qt' the last
  -- one given, 'wn' how many are taken. Between 'qh' and 'qn' none is: so who comes and goes
  -- behind a head that stays is passed over once, not at every look. Of an empty queue nothing is left, and the first
  -- place of a new one is TIME: so a place is not given twice, also if the data were lost.

  -- The first taken place from `from` on, with its value; nil if there is none.
  local function taken(from, tail)
    while from <= tail do
      local to = math.min(from + 15, tail)
      local names = {}
      for n = from, to do
        names[#names + 1] = 'q:' .. text(n)
      end
      local values = redis.call('HMGET', key, unpack(names))
      for i = 1, #names do
        if values[i] then
          return from + i - 1, values[i]
        end
      end
      from = to + 1
    end
    return nil
  end

  local function ends_of_queue()
    local queue = redis.call('HMGET', key, 'qh', 'qt', 'qn')
    return tonumber(queue[1] or '0'), tonumber(queue[2] or '-1'), tonumber(queue[3] or '0')
  end

  local function channel_of(value)
    return string.match(value, '^%d+[rs]?%d*:(.*)$')
  end

  -- Whose channel it is: in a cluster a client has one of its own and others for shards, '<channel>{<tag>}'.
  local function client_of(channel)
    return string.match(channel, '^[^{]*')
  end

  -- Whether the place with this value, false if there is none, is that of the client with this channel.
  function rare.is_of(value, channel)
    return value and client_of(channel_of(value)) == client_of(channel)
  end

  -- Whether who waits with this value wants to read.
  local function to_read(value)
    return string.find(value, '^%d+r:')
  end

  -- How many permits a semaphore has, as 'pt' tells: 'n', or '=n' if it was changed to that; nil if there is none.
  local function number_in(pt)
    return tonumber(string.match(pt or '', '%d+$'))
  end

  function rare.total()
    return number_in(redis.call('HGET', key, 'pt'))
  end

  -- How many permits there are for who wants some of a semaphore of so many, and what 'pt' is to be made if it is not that
  -- yet. nil, and how many there are, if others are there than it says, or fewer than it wants.
  function rare.permits(wanted, says)
    local found = redis.call('HGET', key, 'pt')
    local total = number_in(found or says)
    if wanted > total or (found and found ~= says and string.sub(found, 1, 1) ~= '=') then
      return nil, text(total)
    end
    return total, not found and says or nil
  end

  -- How many of so many permits who waits with this value needs; who waits for the lock needs all.
  local function needs(value, total)
    return math.min(tonumber(string.match(value, '^%d+s(%d+):') or total), total)
  end

  -- Publishes, and returns how many heard it. What cannot be published on a channel of this shard, or is heard by nobody
  -- there, is published on the client's own channel: the slots of the channel and of the lock may have parted.
  local function publish(channel, message)
    local own = client_of(channel)
    local heard = own ~= channel and redis.pcall('SPUBLISH', channel, message)
    if type(heard) == 'number' and heard > 0 then
      return heard
    end
    return redis.pcall('PUBLISH', own, message)
  end

  -- Takes a place out of the queue.
  function rare.vacate(n)
    redis.call('HDEL', key, 'q:' .. text(n))
    if redis.call('HINCRBY', key, 'wn', -1) <= 0 then
      redis.call('HDEL', key, 'wn', 'qh', 'qt', 'qn', 'rv', 're', 'wb')
      if redis.call('HDEL', key, 'qf') == 1 then
        local all = redis.call('HKEYS', key)
        for i = 1, #all do
          if string.sub(all[i], 1, 2) == 'b:' then
            redis.call('HDEL', key, all[i])
          end
        end
      end
    end
  end

  -- Whoever has not looked for so long is taken for dead: looks come every 5 s.
  local LAPSED = 7000000

  -- By its own heartbeat, or that of its client, which looks once for all places that it has in a fair queue. One that lies
  -- ahead is from before a step back of the clock: it counts from now on, or the dead would live until then.
  local function lives(n, value)
    local beat = tonumber(string.match(value, '^%d+'))
    if beat > now then
      rare.overwrite('q:' .. text(n), now_text .. string.match(value, '^%d+(.*)$'))
    end
    if now - beat <= LAPSED then
      return true
    end
    local client = 'b:' .. client_of(channel_of(value))
    local of_client = tonumber(redis.call('HGET', key, client) or '0')
    if of_client > now then
      rare.overwrite(client, now_text)
    end
    return now - of_client <= LAPSED
  end

  -- Removes the dead from the head of the queue; returns the first living place, its value and the end of the queue.
  function rare.head()
    local head, tail, after = ends_of_queue()
    local n, value = head, redis.call('HGET', key, 'q:' .. text(head))
    if not value then
      n, value = taken(math.max(head + 1, after), tail)
    end
    while n do
      if lives(n, value) then
        if n > head then
          rare.overwrite('qh', text(n))
        end
        return n, value, tail
      end
      rare.vacate(n)
      n, value = taken(math.max(n + 1, after), tail)
    end
    return nil
  end

  -- Whether anybody else waits than who has this place.
  function rare.others(place)
    local n = rare.head()
    return n and (text(n) ~= place or tonumber(redis.call('HGET', key, 'wn')) > 1)
  end

  -- The place after the head, with its value; nil if there is none.
  local function second(head, tail)
    local after = math.max(head + 1, tonumber(redis.call('HGET', key, 'qn') or '0'))
    local n, value = taken(after, tail)
    if (n or tail + 1) > after then
      redis.call('HSET', key, 'qn', text(n or tail + 1))
    end
    return n, value
  end

  -- Somebody got the lock: a waiter leaves the queue, and whoever overtakes the head is counted, unless he joins others. With
  -- `beside`, what is reserved stays so: it is not what was taken.
  function rare.enter(place, channel, joins, beside)
    local n = tonumber(place)
    local mine = n > 0 and redis.call('HGET', key, 'q:' .. place)
    if rare.is_of(mine, channel) then
      local first = rare.head()
      -- Not if it had lapsed itself: then it was the first, and is out of the queue already.
      local there = redis.call('HGET', key, 'q:' .. place)
      if there then
        rare.vacate(n)
      end
      if first == n or not there then
        redis.call('HDEL', key, 'rv', 're', 'wb')
        return
      end
    end
    if not joins and redis.call('HGET', key, 'wn') then
      redis.call('HINCRBY', key, 'wb', 1)
      if not beside then
        redis.call('HDEL', key, 'rv', 're')
      end
    end
  end

  local function call(n, value)
    return publish(channel_of(value), text(n) .. ' ' .. key)
  end

  -- Who waits to read right behind a place goes with who has it.
  local function wake_readers_behind(n, tail)
    local value
    repeat
      n, value = taken(n + 1, tail)
    until not n or not to_read(value) or not call(n, value)
  end

  -- So with who finds permits left over.
  local function wake_more_behind(n, tail, room, total)
    local value
    while room > 0 do
      n, value = taken(n + 1, tail)
      room = n and room - needs(value, total) or -1
      if room >= 0 then
        call(n, value)
      end
    end
  end

  -- Wakes the first waiter that hears it, and returns its place; with `sure`, a wake-up that nobody received goes to the
  -- next. Nobody is removed: a wake-up is a hint, and who is overtaken keeps its place. If `total` says that these are permits,
  -- of which `live` are taken, only who finds enough is woken.
  function rare.wake(sure, total, live)
    local n, value, tail = rare.head()
    local head = n
    while n do
      local left = total and total - live - needs(value, total)
      if left and left < 0 then
        return nil
      end
      local heard = call(n, value)
      if not sure or heard ~= 0 then
        if to_read(value) then
          wake_readers_behind(n, tail)
        elseif left then
          wake_more_behind(n, tail, left, total)
        end
        return n
      end
      if n == head then
        n, value = second(n, tail)
      else
        n, value = taken(n + 1, tail)
      end
    end
    return n
  end

  -- Readers hold the lock, and a writer before whom none came has left the queue: those behind it may join.
  function rare.wake_readers()
    local n, value, tail = rare.head()
    if n and to_read(value) then
      call(n, value)
      wake_readers_behind(n, tail)
    end
  end

  -- Whether who wants to join the readers is to let a writer go first that waits.
  function rare.writer_first(place)
    local n, value = rare.head()
    return n and text(n) ~= place and not to_read(value)
  end

  -- At most so many clients wait in a queue; others ask from time to time. In a fair one each waiter has a place.
  local MOST_WAITERS = 64
  local MOST_FAIR = 100000

  -- How far beyond the last place another may lie: the places between are looked for, one after another.
  local FARTHEST = 1000

  -- Takes or keeps a place and tells it with its rank: 0 is the head, 1 the next, 2 any other. nil if there is none to be
  -- had: the queue is full, or the memory.
  function rare.stay(place, channel, fair, what_for)
    local n = tonumber(place)
    local mine = n > 0 and redis.call('HGET', key, 'q:' .. place)
    mine = rare.is_of(mine, channel)
    local head, tail = ends_of_queue()
    local count = tonumber(redis.call('HGET', key, 'wn') or '0')
    if not mine then
      if count >= (fair and MOST_FAIR or MOST_WAITERS) then
        return nil
      end
      -- After a loss of data it may come back to its old place; one that was taken for dead begins anew.
      local back = n > 0 and (count == 0 or (n > tail and n <= tail + FARTHEST))
      if not back then
        n = math.max(tail + 1, count == 0 and now or 0)
      end
    end
    local wrote = redis.pcall('HSET', key, 'q:' .. text(n), now_text .. what_for .. ':' .. channel,
      'qh', text(count == 0 and n or head), 'qt', text(math.max(tail, n)))
    if type(wrote) == 'table' then
      return nil
    end
    if not mine then
      redis.call('HINCRBY', key, 'wn', 1)
    end
    if fair then
      redis.call('HSET', key, 'qf', '1', 'b:' .. client_of(channel), now_text)
    end
    local first, _, last = rare.head()
    if first == n then
      return text(n), '0'
    end
    return text(n), second(first, last) == n and '1' or '2'
  end

  -- The lock became free while others wait: wakes the head. A holder that had the lock for long gives way: it is reserved for
  -- the head for a moment, which costs little beside the work. Short work may overtake the head, but only so often, or a
  -- process that comes again and again would starve the others.
  local MOST_OVERTAKEN = 8
  function rare.reserve_next()
    redis.call('HSET', key, 'wb', text(MOST_OVERTAKEN))
  end
  local RESERVED_FOR = 50000
  local LONG = 1000
  -- In a fair queue nobody comes before the head until it has had time to answer.
  local RESERVED_FAIR = 1000000

  local function keep_for(n, length)
    redis.call('HSET', key, 'rv', text(n), 're', text(now + length) .. ':' .. text(length))
  end

  -- `live` permits are taken still.
  function rare.free(sure, since, live)
    local queue = redis.call('HMGET', key, 'wb', 'qf', 'pt')
    local n = rare.wake(sure, number_in(queue[3]), live)
    if n and queue[2] then
      keep_for(n, RESERVED_FAIR)
    elseif n and (tonumber(queue[1] or '0') >= MOST_OVERTAKEN or now - since >= LONG) then
      keep_for(n, RESERVED_FOR)
    end
  end

  -- Somebody took permits, and `live` of them are taken now: who is first in the queue may come, too.
  function rare.more_may_come(total, live)
    local n = rare.wake(false, total, live)
    if n and rare.fair() then
      keep_for(n, RESERVED_FAIR)
    end
  end

  -- Whether somebody else is first in the queue and finds too few permits: then nobody takes these from under it.
  local function lacks(n, value, place, total, live)
    return n and text(n) ~= place and needs(value, total) > total - live
  end

  function rare.first_lacks(place, total, live)
    local n, value = rare.head()
    return lacks(n, value, place, total, live)
  end

  -- Until when the free lock belongs to the first of a fair queue before who asks from this place; nil if it does not. The
  -- first is woken and has a second to come; then it is taken for dead, and the next is the first. `over` is when the last
  -- hold ended that nobody gave back: who was first then knew of it, and had its second. To a first who reads all others may come who read. With `total` these are permits, of which `live` are taken.
  function rare.belongs_to_first(place, reads, over, total, live)
    local was = redis.call('HGET', key, 'qh')
    while true do
      local n, value = rare.head()
      local reserved = redis.call('HMGET', key, 'rv', 're')
      if not n or text(n) == place or (reserved[1] and reserved[1] == place) or (reads and to_read(value)) then
        return nil
      end
      if total and lacks(n, value, place, total, live) then
        return rare.earliest()
      end
      -- Another was first until now, or was called since that hold ended; or it is too early to tell.
      if reserved[1] ~= text(n) and (was ~= text(n) or reserved[1] or over == 0 or now - over < RESERVED_FAIR) then
        rare.wake(false, total, live)
        keep_for(n, RESERVED_FAIR)
        return now + RESERVED_FAIR
      end
      -- Its time to come is over.
      rare.vacate(n)
      redis.call('HDEL', key, 'rv', 're')
      over = 0
    end
  end

  function rare.fair()
    return redis.call('HGET', key, 'qf') == '1'
  end

  -- Until when the lock is kept for another place; nil if it is not. What is kept for one who reads is so for all who do; and
  -- not from who leaves enough of `spare` permits, nil if none are spared.
  function rare.kept_from(place, reads, spare)
    local reserved = redis.call('HMGET', key, 'rv', 're')
    if reserved[1] and reserved[1] ~= place then
      local value = (reads or spare) and redis.call('HGET', key, 'q:' .. reserved[1])
      if value and (reads and to_read(value) or spare and needs(value, math.huge) <= spare) then
        return nil
      end
      local ends, length = string.match(reserved[2], '^(%d+):(%d+)$')
      ends = tonumber(ends)
      -- Further away than it is long, it comes from before a step back of the clock.
      if ends > now and ends - now <= tonumber(length) then
        return ends
      end
    end
    return nil
  end

  return rare
end

-- The last of so many tokens from `first` on. No more than the one if they lay more than a second ahead of the clock: a
-- fail-over that lost them is to find a clock that has passed them.
local function reserve(first, tokens)
  local last = first + tokens - 1
  if last > now + 1000000 or last >= 9007199254740992 then
    return first
  end
  return last
end

-- The key outlives `micros`, every end and the last token read as a time, by the retention: so a token is never
-- forgotten before Redis time has passed it. PEXPIREAT is never refused for lack of memory, and after a write that was
-- made the following ones are not refused either: so scripts that renew or release call this first.
-- If there are tombstones, which the field 'xn' counts, the key outlives them too, and the past ones are forgotten. While
-- anybody waits, as the field 'wn' tells, a place is not forgotten between two looks, however short the retention. Ends that
-- were set right are written.
local WAITERS_KEPT = 15000000
local function keep(micros, retention, tombstones, waiters)
  local past, left, latest
  if waiters then
    micros = math.max(micros, now + WAITERS_KEPT)
  end
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
