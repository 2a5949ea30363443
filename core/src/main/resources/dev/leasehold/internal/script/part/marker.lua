-- include: clock
-- Whether a server has kept all holds of a quorum for as long as its longest lease. The marker tells since when: '1 <since> <longest> <run id>', times in us. A restart shows in the server's run id, a deletion of
-- keys in that the marker is gone.
local MARKER_LAYOUT = '1'

-- What a marker says of this moment, with a detail: for how long the server is young, which longest lease the quorum has, or
-- what lies there instead; and what is to be written there, nil if it is right as it is.
local function look_at(marker, longest)
  local value, found = redis.pcall('GET', marker), nil
  if type(value) == 'table' then
    if not string.find(value.err, 'WRONGTYPE', 1, true) then
      -- A missing right, for example: raise it again instead of hiding it.
      redis.call('GET', marker)
    end
    value, found = false, redis.call('TYPE', marker).ok
  end
  local layout, since, length, ran = string.match(value or '', '^(%d+) (%d+) (%d+) (%w+)$')
  if found or value and layout ~= MARKER_LAYOUT then
    return 'foreign', found or layout and 'layout ' .. string.sub(layout, 1, 20) or 'string'
  end
  if value and length ~= longest then
    return 'other', string.sub(length, 1, 20)
  end
  local runs = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
  local age = tonumber(now_text) - tonumber(since or '0')
  -- A moment that lies ahead is from before a step back of the clock: nobody knows how long ago that was.
  if not value or ran ~= runs or age < 0 then
    return 'young', longest, MARKER_LAYOUT .. ' ' .. now_text .. ' ' .. longest .. ' ' .. runs
  end
  if age >= tonumber(longest) then
    return 'joined'
  end
  return 'young', string.format('%.0f', tonumber(longest) - age)
end
