-- plain_renew_many: renews holds of several plain locks for the same time, each as plain_renew does and as if it were alone.
--
-- KEYS[n] key: in a cluster all of one slot
-- ARGV[1] lease: how long the holds shall last from now, us, less than a ms is left out; an end that lies later stays
-- ARGV[n+1] id: of the acquisition that holds KEYS[n]
--
-- RETURN all, now us: each hold was renewed and lasts for the lease from now, at least
-- RETURN each, now us, results: otherwise; two strings for each key in the order of KEYS, the outcome and a detail: 'renewed' and
--   left us, 'gone' and why, 'foreign' and found, all as in plain_renew; or 'failed' and the error that plain_renew would
--   have raised
local lease = ARGV[1]
-- include: plain, lone_hold, each

local results = renew_each(lease, function(n, name)
  return renew(name, ARGV[n + 1], lease)
end)
return {#results == 0 and 'all' or 'each', now_text, unpack(results)}
