-- renew_many: renews holds of several locks, each as renew does and as if it were alone.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] retention: how long the keys outlive their last use, ms
-- ARGV[2n] id: of the acquisition that holds KEYS[n]
-- ARGV[2n+1] lease: how long that hold shall last from now, us; an end that lies later stays
--
-- RETURN each, now us, results: two strings for each lock in the order of KEYS, what came of it and a detail: 'renewed' and
--   left us, 'ended' and '', 'gone' and why, 'foreign' and found, all as in renew; or 'failed' and the error that renew
--   would have raised
local retention = tonumber(ARGV[1])
local answer = {'each', now_text}
for n, lock in ipairs(KEYS) do
  key, healed = lock, nil
  -- An error of one lock must not cost the others their renewal.
  local ran, outcome, detail = pcall(renew, ARGV[2 * n], ARGV[2 * n + 1], retention)
  if not ran then
    -- An error of a command is a table since 7.0, and a string before.
    outcome, detail = 'failed', outcome.err or outcome
  end
  answer[2 * n + 1], answer[2 * n + 2] = outcome, detail
end
return answer
