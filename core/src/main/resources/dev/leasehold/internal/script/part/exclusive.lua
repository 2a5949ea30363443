-- include: attempt
-- Acquires a lock for an acquisition that shares it with no other.
local function acquire_exclusive(args)
  local attempt, reply = begin(args, args[1])
  if not attempt then
    return reply
  end
  if attempt.live > 0 then
    return busy(attempt, attempt.latest)
  end
  local until_when = attempt.waiters and others_first(attempt)
  if until_when then
    return busy(attempt, until_when)
  end
  reply = mint(attempt)
  if reply or args.only_asks then
    return reply
  end
  write_hold(attempt)
  if attempt.waiters then
    leave_queue(attempt)
  end
  return granted(attempt, attempt.lease)
end
