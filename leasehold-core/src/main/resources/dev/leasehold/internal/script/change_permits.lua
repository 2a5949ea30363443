-- change_permits: changes how many permits a semaphore has, whatever anybody says. Those who have some keep them.
--
-- KEYS[1] lock
-- ARGV[1] total: how many there are from now on
-- ARGV[2] retention: how long the key outlives its last use, ms
-- ARGV[3] sure: 1 if a message that nobody received was heard by nobody, so on a single server; else 0
--
-- RETURN changed, now us, before: so many there were; 0 if nobody had said so yet
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local retention = tonumber(ARGV[2])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
local live, latest = 0, 0
if fields[3] then
  live, latest = rarely().survey(fields[3], '')
end
local before = rarely().total()
-- The first write of all, so that a full memory refuses the whole.
redis.call('HSET', key, 'v', LAYOUT, 'last', fields[2] or '0', 'pt', '=' .. ARGV[1])
keep(math.max(latest, tonumber(fields[2] or '0')), retention, fields[4], fields[5])
if fields[5] then
  rarely().free(ARGV[3] == '1', now, live)
end
return {'changed', now_text, text(before or 0)}
