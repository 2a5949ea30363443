-- redisson_force_release: deletes the key, whoever holds it, and tells waiters.
--
-- KEYS[1] key
-- KEYS[2] token key: left out unless the lock has tokens
-- ARGV[1] notAfter: Redis time after which this request must not delete the key, us
-- ARGV[2] token: the key is deleted only if this is the last token; 0 whatever it is
-- ARGV[3] channel: on which Redisson publishes releases of this lock
--
-- RETURN freed, now us: the key is deleted
-- RETURN free, now us: nobody held the key
-- RETURN other, now us: the last token is another; nothing was changed
-- RETURN stale, now us: the request is late; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key, token_key = KEYS[1], KEYS[2]
-- include: redisson, lone_hold
if tonumber(now_text) > tonumber(ARGV[1]) then
  return {'stale', now_text}
end
if ARGV[2] ~= '0' and stored_token(token_key) ~= ARGV[2] then
  return {'other', now_text}
end
local outcome, detail = force_release(key, ARGV[3])
return {outcome, now_text, detail}
