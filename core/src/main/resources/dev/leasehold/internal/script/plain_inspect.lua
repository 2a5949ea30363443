-- plain_inspect: reads a plain lock without changing it.
--
-- KEYS[1] key
--
-- RETURN held, now us, value, left us: somebody holds the key under this value; it expires after left, or a day is reported if it never does
-- RETURN free, now us: nobody holds the key
-- RETURN foreign, now us, found: the key holds something else
local key = KEYS[1]
-- include: plain, lone_hold
local outcome, value, left = inspect(key)
return {outcome, now_text, value, left}
