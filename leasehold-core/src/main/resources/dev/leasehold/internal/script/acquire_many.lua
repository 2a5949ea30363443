-- acquire_many: enters holds of several locks, one after another, each as acquire does, until one is not granted.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] whole: 1 if nothing is to be entered unless all are granted; else 0
-- ARGV[2] count: how many arguments acquire has
-- ARGV[first+i] each: for KEYS[n], with first = 2 + (n - 1) * count, what acquire has as its i-th argument; without a channel
--
-- RETURN each, now us, results: two strings for each lock in the order of KEYS, what came of it and the details, with a blank
--   between two: as acquire answers, but without 'now'; 'untried' and '', if another was not granted and nothing was done
--   here; or 'failed' and the error that acquire would have raised, of any but the first lock
local count = tonumber(ARGV[2])

local function ask(n, lock, asking)
  local args, first = {asking = asking}, 2 + (n - 1) * count
  for i = 1, count do
    args[i] = ARGV[first + i]
  end
  key, healed = lock, nil
  return acquire(args)
end

-- Goes through the locks until one is not granted. If it is only asked whether they would be, who would enter is left out.
local function walk(asking)
  local results, stopped = {}, false
  for n, lock in ipairs(KEYS) do
    local outcome, detail = 'untried', ''
    if not stopped then
      local ran, reply = true, nil
      if asking or n == 1 then
        -- Nothing was entered yet: an error is that of the whole.
        reply = ask(n, lock, asking)
      else
        ran, reply = pcall(ask, n, lock)
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
