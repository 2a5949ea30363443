-- include: hold, size, expiry
-- Which holds are live.

-- An owner with several holds may have thousands. Their sum is the field 'rs', '<count>:<earliest>:<latest>:<longest>':
-- no hold ends before `earliest` or after `latest`, and none is longer than `longest`. A hold of several permits counts as
-- many; 'p:<id>' is their number. As long as `earliest` lies ahead, all holds are live and none need be read. Otherwise
-- they are read: all at once, or, in a large hash, one page in each call. Then 'rc' is the progress,
-- '<cursor>:<earliest>:<latest>' of the holds read so far, and a hold counts until its page was read. A call reads one page.
-- This is the sum of the other holds than `mine`, as the last survey found it.
local sum
local has_read_page = false

-- Returns as how many holds one counts that has this value of 'p:<id>'.
local function permits_of(value)
  local permits = tonumber(string.match(value or '', '^%d+$') or '')
  return permits and permits > 0 and permits <= LAST_TOKEN and permits or 1
end

-- Four numbers below 2^53: with larger ones the sum would not be counted exactly.
local LONGEST_SUM = 67

local function widen(bounds, ends)
  bounds.earliest = math.min(bounds.earliest or ends, ends)
  bounds.latest = math.max(bounds.latest or ends, ends)
end

local function read_sum(mine)
  local found = redis.call('HMGET', key, 'rs', 'rc', 'h:' .. mine, 'p:' .. mine)
  local count, earliest, latest, longest = string.match(found[1] or '', '^(%d+):(%d+):(%d+):(%d+)$')
  if not count or #found[1] > LONGEST_SUM then
    return nil
  end
  local of_mine = permits_of(found[4])
  local read = {count = tonumber(count) - (found[3] and of_mine or 0), of_mine = of_mine, earliest = tonumber(earliest),
    latest = tonumber(latest), longest = tonumber(longest)}
  local cursor, least, most = string.match(found[2] or '', '^(%d+):(%d+):(%d+)$')
  if cursor then
    read.scan = {cursor = cursor, earliest = least ~= '0' and tonumber(least) or nil, latest = tonumber(most)}
  end
  return read
end

-- Reads all holds. Returns the ids of those that have ended.
local function read_all(mine)
  if not is_small() then
    error('the sum of the holds of this lock cannot be read; take the lock away from its holders')
  end
  local all, permits, ended = redis.call('HGETALL', key), {}, {}
  for i = 1, #all, 2 do
    if string.sub(all[i], 1, 2) == 'p:' then
      permits[string.sub(all[i], 3)] = permits_of(all[i + 1])
    end
  end
  sum = {count = 0, of_mine = permits[mine], scanned = sum and sum.scan}
  for i = 1, #all, 2 do
    local id = string.match(all[i], '^h:(.*)$')
    if id and id ~= mine then
      local ends, length = read_hold(id, all[i + 1])
      if ends > now then
        sum.count = sum.count + (permits[id] or 1)
        sum.longest = math.max(sum.longest or length, length)
        widen(sum, ends)
      else
        ended[#ended + 1] = id
      end
    end
  end
  return ended
end

-- Reads the next page of holds. Returns the ids of those that have ended.
local function read_page(mine)
  has_read_page = true
  local scan = sum.scan or {cursor = '0'}
  local reply = redis.call('HSCAN', key, scan.cursor, 'MATCH', 'h:*', 'COUNT', FIELDS_OF_A_PAGE)
  local page, ended, permits = {}, {}, {}
  -- HSCAN may return a field twice.
  for i = 1, #reply[2], 2 do
    page[string.sub(reply[2][i], 3)] = reply[2][i + 1]
  end
  page[mine] = nil
  for id, value in pairs(page) do
    local ends = read_hold(id, value)
    if ends > now then
      widen(scan, ends)
    else
      ended[#ended + 1] = id
      permits[#permits + 1] = 'p:' .. id
    end
  end
  in_parts(permits, function(...)
    for _, count in ipairs(redis.call('HMGET', key, ...)) do
      sum.count = sum.count - permits_of(count)
    end
  end)
  scan.cursor, sum.scan, sum.scanned = reply[1], scan, true
  if scan.cursor == '0' then
    sum.earliest, sum.latest, sum.scan = scan.earliest, scan.latest, nil
  end
  if sum.count <= 0 or not sum.earliest then
    sum = {count = 0, of_mine = sum.of_mine, scanned = true}
  end
  return ended
end

-- Returns how many holds of this owner, other than `mine`, are live, each counted as its permits; the latest of their ends;
-- and the ids of those that have ended.
local function survey(own, mine)
  sum = nil
  if not has_several(own) then
    local value = own ~= mine and redis.call('HGET', key, 'h:' .. own)
    local ends = value and read_hold(own, value) or 0
    if ends > now then
      return 1, ends, {}
    end
    return 0, 0, value and {own} or {}
  end
  sum = read_sum(mine)
  local ended = {}
  if not sum then
    ended = read_all(mine)
  elseif sum.earliest <= now or sum.latest - now > sum.longest then
    ended = is_small() and read_all(mine) or has_read_page and {} or read_page(mine)
  end
  return sum.count, sum.count > 0 and sum.latest or 0, ended
end

-- Writes the sum of the holds that the survey found and, if it is given, of one with this end, which counts as `counts`, or
-- as the survey found `mine`. Not as the first write.
local function sum_up(ends, length, counts)
  sum = sum or {count = 0}
  if ends then
    sum.count = sum.count + (counts or sum.of_mine or 1)
    sum.longest = math.max(sum.longest or length, length)
    widen(sum, ends)
    if sum.scan then
      widen(sum.scan, ends)
    end
  end
  write('rs', text(sum.count) .. ':' .. text(sum.earliest) .. ':' .. text(sum.latest) .. ':' .. text(sum.longest))
  if sum.scan then
    local scan = sum.scan
    write('rc', scan.cursor .. ':' .. text(scan.earliest or 0) .. ':' .. text(scan.latest or 0))
  elseif sum.scanned then
    redis.call('HDEL', key, 'rc')
  end
end
