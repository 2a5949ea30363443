-- plain_renew: makes a hold last for so long from now, at least; with 0 it only confirms the hold. An expired key is gone, with
-- its value.
--
-- KEYS[1] key
-- ARGV[1] id: of the acquisition
-- ARGV[2] lease: how long the hold shall last from now, us, less than a ms is left out; an end that lies later stays
--
-- RETURN renewed, now us, left us: the hold lasts for left
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if somebody else holds the key, else 'free'
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: plain, lone_hold
local outcome, detail = renew(key, ARGV[1], ARGV[2])
return {outcome, now_text, detail}
