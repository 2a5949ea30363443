-- include: attempt
-- Acquires a lock for a named owner, whose holds are beside each other and share the fencing token.
local function acquire_named(args)
  local attempt, reply = begin(args, args[12])
  if not attempt then
    return reply
  end
  if attempt.live > 0 and attempt.own ~= attempt.owner then
    return busy(attempt, attempt.latest)
  end
  local until_when = attempt.live == 0 and attempt.waiters and others_first(attempt)
  if until_when then
    return busy(attempt, until_when)
  end
  reply = mint(attempt)
  if reply or args.only_asks then
    return reply
  end
  write_hold(attempt)
  if attempt.live == 0 and attempt.waiters then
    leave_queue(attempt)
  end
  return granted(attempt, attempt.lease)
end
