-- redisson_inspect: reads a lock that is shared with Redisson without changing it.
--
-- KEYS[1] key
--
-- RETURN held, now us, holder, left us: somebody holds the key under this field; it expires after left, or a day is reported if it never does
-- RETURN free, now us: nobody holds the key
-- RETURN foreign, now us, found: the key holds something else
local key = KEYS[1]
-- include: redisson
local holder, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if not holder then
  return {'free', now_text}
end
return {'held', now_text, holder, reported(lasts(key) or FOR_EVER)}
