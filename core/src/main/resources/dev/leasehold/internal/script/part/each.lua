-- For scripts that renew many holds: calls `renew_one` with the number of each key and the key. Returns two strings for each, an
-- outcome and a detail; or nothing at all if each hold was renewed and lasts for this time from now.
local function renew_each(lease, renew_one)
  local results, alike = {}, true
  for n, lock in ipairs(KEYS) do
    -- An error of one lock must not cost the others their renewal.
    local ran, outcome, detail = pcall(renew_one, n, lock)
    if not ran then
      -- An error of a command is a table since 7.0, and a string before.
      outcome, detail = 'failed', outcome.err or outcome
    end
    results[2 * n - 1], results[2 * n] = outcome, detail
    alike = alike and outcome == 'renewed' and detail == lease
  end
  return alike and {} or results
end
