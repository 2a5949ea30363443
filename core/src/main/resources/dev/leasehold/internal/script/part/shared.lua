-- include: attempt
-- Acquires a lock for a reader; readers hold it beside each other and share the fencing token.
local function acquire_shared(args)
  local attempt, reply = begin(args, READERS)
  if not attempt then
    return reply
  end
  attempt.reads, attempt.mode = true, 'r'
  if attempt.live > 0 and attempt.own ~= READERS then
    return busy(attempt, attempt.latest)
  end
  if attempt.waiters and attempt.live > 0 then
    -- Redis refuses the first write when the memory is full, unless it is this one.
    keep_for(attempt, attempt.latest)
    if is_behind_a_writer(attempt.position) then
      return busy(attempt, attempt.latest)
    end
  elseif attempt.waiters then
    local until_when = others_first(attempt)
    if until_when then
      return busy(attempt, until_when)
    end
  end
  reply = mint(attempt)
  if reply or args.only_asks then
    return reply
  end
  write_hold(attempt)
  if attempt.waiters then
    leave_queue(attempt)
    if attempt.position ~= '0' and (tonumber(attempt.waiters) or 0) > MOST_WOKEN then
      wake_readers()
    end
  end
  return granted(attempt, attempt.lease)
end
