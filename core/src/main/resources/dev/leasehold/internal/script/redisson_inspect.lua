-- redisson_inspect: reads a lock that is shared with Redisson without changing it.
--
-- KEYS[1] key
-- KEYS[2] token key: left out unless the lock has tokens
--
-- RETURN held, now us, holder, left us, token: somebody holds the key under this field; it expires after left, or a day is reported if it
--   never does; the token is the last one, 0 without a token key, and 'unreadable' if it is no token
-- RETURN free, now us: nobody holds the key
-- RETURN foreign, now us, found: the key holds something else
local key, token_key = KEYS[1], KEYS[2]
-- include: redisson, lone_hold
local outcome, value, left = inspect(key)
return {outcome, now_text, value, left, left and token_key and (stored_token(token_key) or 'unreadable') or '0'}
