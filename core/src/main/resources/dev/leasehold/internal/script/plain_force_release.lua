-- plain_force_release: deletes the key, whoever holds it.
--
-- KEYS[1] key
-- ARGV[1] notAfter: Redis time after which this request must not delete the key, us
-- ARGV[2] channel: on which the key is published, for waiters of Spring Integration; empty if on none
--
-- RETURN freed, now us: the key is deleted
-- RETURN free, now us: nobody held the key
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: plain, lone_hold
if tonumber(now_text) > tonumber(ARGV[1]) then
  return {'stale', now_text}
end
local outcome, detail = force_release(key, ARGV[2])
return {outcome, now_text, detail}
