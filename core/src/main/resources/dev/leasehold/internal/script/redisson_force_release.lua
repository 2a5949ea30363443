-- redisson_force_release: deletes the key, whoever holds it, and tells waiters.
--
-- KEYS[1] key
-- ARGV[1] channel: on which Redisson publishes releases of this lock
--
-- RETURN freed, now us: the key is deleted
-- RETURN free, now us: nobody held the key
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: redisson, lone_hold
local outcome, detail = force_release(key, ARGV[1])
return {outcome, now_text, detail}
