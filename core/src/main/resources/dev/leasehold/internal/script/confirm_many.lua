-- confirm_many: confirms holds of several locks, each as renew does with 0 and as if it were alone. It only reads, unless a hold has
-- ended or is gone: a write would make the clients that share a lock check their leases again, and each other, without end.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] remember: how long the keys outlive their last use, ms
-- ARGV[n+1] id: of the acquisition that holds KEYS[n]
--
-- RETURN all, now us: each hold is there, and nobody asks for its release
-- RETURN each, now us, results: otherwise; two strings for each lock in the order of KEYS, the outcome and a detail: 'renewed' or
--   'asked' and '0', 'ended' and '', 'gone' and why, 'foreign' and found, all as in renew; or 'failed' and the error that renew
--   would have raised
local remember = tonumber(ARGV[1])
-- include: clock

local found, number = {}, 0
for n, lock in ipairs(KEYS) do
  local fields = redis.pcall('HMGET', lock, 'h:' .. ARGV[n + 1], 'rq', 'last')
  local from, length = string.match(fields[1] or '', '^(%d+):(%d+):')
  if from and tonumber(from) <= now and from + length > now then
    local asked = fields[2] and fields[2] == fields[3]
    found[n], number = asked and 'asked' or 'renewed', number + (asked and 0 or 1)
  end
end
if number == #KEYS then
  return {'all', now_text}
end

local key
-- include: renewal, each
local results = renew_each('0', function(n, lock)
  if found[n] then
    return found[n], '0'
  end
  key, healed, sum = lock, nil, nil
  local outcome, detail = renew(ARGV[n + 1], '0', remember)
  return outcome, (outcome == 'renewed' or outcome == 'asked') and '0' or detail
end)
return {#results == 0 and 'all' or 'each', now_text, unpack(results)}
