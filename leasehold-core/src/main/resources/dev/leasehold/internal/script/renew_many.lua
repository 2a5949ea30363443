-- renew_many: renews holds of several locks for the same time, each as renew does and as if it were alone.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] lease: how long the holds shall last from now, us; an end that lies later stays
-- ARGV[2] retention: how long the keys outlive their last use, ms
-- ARGV[n+2] id: of the acquisition that holds KEYS[n]
--
-- RETURN all, now us: each hold was renewed and lasts for the lease from now, and nobody asks for its release
-- RETURN each, now us, results: otherwise; two strings for each lock in the order of KEYS, what came of it and a detail: 'renewed' or
--   'asked' and left us, 'ended' and '', 'gone' and why, 'foreign' and found, all as in renew; or 'failed' and the error that renew
--   would have raised
local lease, retention = ARGV[1], tonumber(ARGV[2])

-- They get the same end: what is written of numbers is made once.
local texts, make_text = {}, text
text = function(number)
  local known = texts[number]
  if not known then
    known = make_text(number)
    texts[number] = known
  end
  return known
end

local results = renew_each(lease, function(n, lock)
  key, healed = lock, nil
  return renew(ARGV[n + 2], lease, retention)
end)
return {#results == 0 and 'all' or 'each', now_text, unpack(results)}
