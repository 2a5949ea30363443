-- confirm_many: confirms holds of several locks, each as renew does with 0 and as if it were alone. In the usual case it only reads.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] retention: how long the keys outlive their last use, ms
-- ARGV[n+1] id: of the acquisition that holds KEYS[n]
--
-- RETURN all, now us: each hold is there, and nobody asks for its release
-- RETURN each, now us, results: otherwise; two strings for each lock in the order of KEYS, the outcome and a detail: 'renewed' or
--   'asked' and '0', 'ended' and '', 'gone' and why, 'foreign' and found, all as in renew; or 'failed' and the error that renew
--   would have raised
local retention = tonumber(ARGV[1])
-- include: clock

local usual, number = {}, 0
for n, lock in ipairs(KEYS) do
  local fields = redis.pcall('HMGET', lock, 'h:' .. ARGV[n + 1], 'rq')
  if fields[1] and not fields[2] then
    local from, length = string.match(fields[1], '^(%d+):(%d+):')
    if from and tonumber(from) <= now and from + length > now then
      usual[n], number = true, number + 1
    end
  end
end
if number == #KEYS then
  return {'all', now_text}
end

local key
-- include: renewal, each
local results = renew_each('0', function(n, lock)
  if usual[n] then
    return 'renewed', '0'
  end
  key, healed, sum = lock, nil, nil
  local outcome, detail = renew(ARGV[n + 1], '0', retention)
  return outcome, (outcome == 'renewed' or outcome == 'asked') and '0' or detail
end)
return {#results == 0 and 'all' or 'each', now_text, unpack(results)}
