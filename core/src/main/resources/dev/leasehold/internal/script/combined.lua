-- combined: acquires locks that are free, and releases holds in the usual case, for several callers of one client: each as
-- acquire_free and release do, and as if it were alone. What is undecided, or raises an error, is left to another script.
--
-- KEYS[n] lock: none of them twice; first those to acquire
-- ARGV[1] acquisitions: how many of the locks are acquired; of the others the hold is released
-- ARGV[first+i] each: for a lock to acquire, with first = 1 + (n - 1) * 7, the i-th argument of acquire_free, an empty label if
--   there is none; behind these the id of each hold to release
--
-- RETURN all, now us: each lock was acquired or released; one text, with a blank between
-- RETURN each, now us, results: otherwise; one word for each lock in the order of KEYS: 'granted', for the lease from now, with now
--   as its token; 'released'; 'busy:' and left us; or 'undecided', and nothing was changed here; one text, with blanks between
local acquisitions, first, all = tonumber(ARGV[1]), 1, true
-- include: clock

-- Each entry has KEYS and ARGV of its own. The acquisitions come first: a full memory refuses only the first write of a script,
-- and that is never a release.
local function acquire(KEYS, ARGV)
  -- include script: acquire_free
end

local function release(KEYS, ARGV)
  local key, id = KEYS[1], ARGV[1]
  -- include: usual_release
end

local keys, args, results = {}, {}, {}
for n, lock in ipairs(KEYS) do
  local acquires = n <= acquisitions
  local count = acquires and 7 or 1
  for i = 1, count do
    args[i] = ARGV[first + i]
  end
  if args[7] == '' then
    args[7] = nil
  end
  first, keys[1] = first + count, lock
  local ran, reply = pcall(acquires and acquire or release, keys, args)
  if ran and type(reply) == 'string' then
    results[n] = acquires and 'granted' or 'released'
  else
    all = false
    results[n] = ran and reply and reply[1] == 'busy' and 'busy:' .. reply[3] or 'undecided'
  end
end
if all then
  return 'all ' .. now_text
end
return 'each ' .. now_text .. ' ' .. table.concat(results, ' ')
