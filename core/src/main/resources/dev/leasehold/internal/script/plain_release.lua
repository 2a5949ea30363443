-- plain_release: deletes the key if it is held by this acquisition.
--
-- KEYS[1] key
-- ARGV[1] id: of the acquisition
-- ARGV[2] channel: on which the key is published, for waiters of Spring Integration; empty if on none
--
-- RETURN released, now us: the key is deleted
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if somebody else holds the key, else 'free'
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: plain, lone_hold
local outcome, detail = release(key, ARGV[1], ARGV[2])
return {outcome, now_text, detail}
