-- acquire_many: acquires several locks, one after another, as acquire or acquire_named does, until one is not granted.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] whole: 1 if nothing is to be entered unless all are granted; else 0
-- ARGV[2] count: 11 if the arguments are those of acquire, 12 if they are those of acquire_named
-- ARGV[first+i] each: for KEYS[n], with first = 2 + (n - 1) * count, the i-th argument of that script; without a channel
--
-- RETURN each, now us, results: two strings for each lock in the order of KEYS, the outcome and the details, with a blank
--   between two: the reply of acquire without 'now'; 'untried' and '', if another lock was not granted and nothing was done
--   here; or 'failed' and the error that acquire would have raised, for any but the first lock
local key
-- include: exclusive, named
local count = tonumber(ARGV[2])
local acquire = count == 11 and acquire_exclusive or acquire_named

local function try(n, lock, only_asks)
  local args, first = {only_asks = only_asks}, 2 + (n - 1) * count
  for i = 1, count do
    args[i] = ARGV[first + i]
  end
  key, healed, unread = lock, nil, share_of_reads(#KEYS)
  return acquire(args)
end

-- Goes through the locks until one is not granted. With `only_asks` it enters none.
local function walk(only_asks)
  local results, stopped = {}, false
  for n, lock in ipairs(KEYS) do
    local outcome, detail = 'untried', ''
    if not stopped then
      local ran, reply = true, nil
      if only_asks or n == 1 then
        -- Nothing was entered yet: an error is that of the whole.
        reply = try(n, lock, only_asks)
      else
        ran, reply = pcall(try, n, lock)
      end
      if not ran then
        -- An error of a command is a table since 7.0, and a string before.
        outcome, detail = 'failed', reply.err or reply
      elseif reply then
        outcome, detail = reply[1], table.concat(reply, ' ', 3)
      end
      stopped = outcome ~= 'granted' and outcome ~= 'untried'
    end
    results[2 * n - 1], results[2 * n] = outcome, detail
  end
  return results, stopped
end

-- TIME is read once, so what would be granted in the first round is granted in the second.
local results, stopped = {}, false
if ARGV[1] == '1' then
  results, stopped = walk(true)
end
if not stopped then
  results = walk(nil)
end
return {'each', now_text, unpack(results)}
