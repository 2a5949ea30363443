-- renew: makes a hold last at least for some time from now; with 0 it only confirms the hold.
--
-- KEYS[1] lock
-- ARGV[1] id: of the acquisition
-- ARGV[2] lease: how long the hold shall last from now, us; an end that lies later stays
-- ARGV[3] remember: how long the key outlives its last use, ms
--
-- RETURN renewed, now us, left us: the hold lasts for left from now
-- RETURN asked, now us, left us: the same, and somebody asks the holder to release
-- RETURN ended, now us: the hold ended before; nothing was changed
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if the lock has another owner, else 'free'
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: renewal
local outcome, detail = renew(ARGV[1], ARGV[2], tonumber(ARGV[3]))
if outcome == 'ended' then
  return {outcome, now_text}
end
return {outcome, now_text, detail}
