-- inspect_many: reads several locks without changing them.
--
-- KEYS[n] lock: in a cluster all of one slot
--
-- RETURN each, now us, locks: for each lock in the order of KEYS the number of words that follow, and then 'lock' with what inspect
--   returns of it; or 'foreign' and what the key holds; only the first locks, at least one, if the answer would be too long
local key
-- include: clock, layout, reported

local MOST_BYTES = 500000
local answer = {'each', now_text}
local total = 0
for _, lock in ipairs(KEYS) do
  key = lock
  if total > MOST_BYTES then
    break
  end
  local found = foreign(redis.pcall('HMGET', key, 'v'))
  local words, bytes = {found}, 0
  if not found then
    words, bytes = report()
  end
  total = total + bytes
  answer[#answer + 1] = text(#words + 1)
  answer[#answer + 1] = found and 'foreign' or 'lock'
  for _, word in ipairs(words) do
    answer[#answer + 1] = word
  end
end
return answer
