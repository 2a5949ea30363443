-- inspect_many: reads several locks without changing them.
--
-- KEYS[n] lock: in a cluster all of one slot
--
-- RETURN each, now us, locks: for each lock in the order of KEYS the number of words that follow, and then 'lock' with all fields and
--   values of the hash in turn, none if there is no key; or 'foreign' and what the key holds
local key
-- include: clock, text, layout

local answer = {'each', now_text}
for _, lock in ipairs(KEYS) do
  key = lock
  local found = foreign(redis.pcall('HMGET', key, 'v'))
  local words = found and {found} or redis.call('HGETALL', key)
  answer[#answer + 1] = text(#words + 1)
  answer[#answer + 1] = found and 'foreign' or 'lock'
  for _, word in ipairs(words) do
    answer[#answer + 1] = word
  end
end
return answer
