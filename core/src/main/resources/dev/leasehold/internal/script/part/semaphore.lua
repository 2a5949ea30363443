-- include: attempt
-- Acquires permits of a semaphore.

-- Returns the number of permits, and the value of 'pt' to be written if there is none yet. Returns nil, and the number there
-- is, if others are there than the client expects, or fewer than it wants.
local function permits_for(wanted, expected)
  local found = redis.call('HGET', key, 'pt')
  found = number_of_permits(found) and found
  local total = number_of_permits(found or expected)
  if wanted > total or (found and found ~= expected and string.sub(found, 1, 1) ~= '=') then
    return nil, text(total)
  end
  return total, not found and expected or nil
end

-- Returns until when an attempt that finds enough permits has to wait nevertheless; nil if it need not.
local function permits_reserved(attempt)
  -- Redis refuses the first write when the memory is full, unless it is this one.
  keep_for(attempt, attempt.latest)
  local n, value = head_of_queue()
  if head_lacks_permits(n, value, attempt.position, attempt.total, attempt.live) then
    return sum.earliest
  end
  return others_first(attempt)
end

local function acquire_permits(args)
  local attempt, reply = begin(args, PERMITS)
  if not attempt then
    return reply
  end
  attempt.wanted, attempt.mode = tonumber(args[12]), 's' .. args[12]
  local total, detail = permits_for(attempt.wanted, args[13])
  if not total then
    return {'permits', now_text, detail}
  end
  attempt.total = total
  if attempt.live > 0 and attempt.own ~= PERMITS then
    return busy(attempt, attempt.latest)
  end
  if attempt.live > 0 and attempt.wanted > total - attempt.live then
    return busy(attempt, sum.earliest)
  end
  local until_when = attempt.waiters and permits_reserved(attempt)
  if until_when then
    return busy(attempt, until_when)
  end
  reply = mint(attempt)
  if reply or args.only_asks then
    return reply
  end
  write_hold(attempt)
  if detail then
    redis.call('HSET', key, 'pt', detail)
  end
  if attempt.waiters then
    leave_queue(attempt)
    if attempt.position ~= '0' then
      wake_for_more_permits(total, attempt.live + attempt.wanted)
    end
  end
  return granted(attempt, attempt.lease)
end
