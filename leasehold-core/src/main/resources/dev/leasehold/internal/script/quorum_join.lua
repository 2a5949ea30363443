-- quorum_join: tells whether this server has kept all holds of a quorum for as long as its longest lease, and from now on
-- watches over that. A restart shows in the server's run id, a deletion of keys in that the marker is gone.
--
-- KEYS[1] marker
-- ARGV[1] longest: the longest lease of the quorum with what clocks may drift, the same for all its clients, us
--
-- RETURN joined, now us: no live hold can be forgotten here
-- RETURN young, now us, left us: holds may be forgotten here, of which none lasts longer than left
-- RETURN other, now us, longest: the quorum has another longest lease, us; nothing was changed
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local LAYOUT = '1'
local now, longest = tonumber(now_text), tonumber(ARGV[1])

local value, found = read(key)
local layout, since, length, ran = string.match(value or '', '^(%d+) (%d+) (%d+) (%w+)$')
if found or value and layout ~= LAYOUT then
  return {'foreign', now_text, found or layout and 'layout ' .. layout or 'string'}
end
if value and length ~= ARGV[1] then
  return {'other', now_text, length}
end
local runs = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
since = tonumber(since)
-- A moment that lies ahead is from before a step back of the clock: nobody knows how long ago that was.
if not value or ran ~= runs or since > now then
  since = now
  redis.call('SET', key, LAYOUT .. ' ' .. now_text .. ' ' .. ARGV[1] .. ' ' .. runs)
end
if now - since >= longest then
  return {'joined', now_text}
end
return {'young', now_text, string.format('%.0f', since + longest - now)}
