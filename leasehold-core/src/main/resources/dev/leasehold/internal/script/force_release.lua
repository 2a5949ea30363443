-- force_release: takes the lock away from its holders and raises the last token, so that their late writes are refused.
--
-- KEYS[1] lock
-- ARGV[1] retention: how long the key outlives its last use, ms
-- ARGV[2] sure: 1 if a message that nobody received was heard by nobody, so on a single server; else 0
--
-- RETURN freed, now us, count: so many live holds were removed
-- RETURN free, now us: nobody held the lock
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local retention = tonumber(ARGV[1])

local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'xn', 'wn')
local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
if found then
  return {'foreign', now_text, found}
end
if not fields[3] then
  return {'free', now_text}
end
local live = rarely().survey(fields[3], '')
local last = math.min(math.max(tonumber(fields[2] or '0') + 1, now), 9007199254740991)
keep(last, retention, fields[4], fields[5])
rarely().overwrite('last', text(last))
local all = redis.call('HKEYS', key)
for i = 1, #all do
  if string.find(all[i], '^[hilp]:') then
    redis.call('HDEL', key, all[i])
  end
end
redis.call('HDEL', key, 'own', 'tok', 'rs')
if fields[5] then
  rarely().free(ARGV[2] == '1', now, 0)
end
if live == 0 then
  return {'free', now_text}
end
return {'freed', now_text, text(live)}
