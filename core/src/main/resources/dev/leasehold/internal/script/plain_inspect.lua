-- plain_inspect: reads a plain lock without changing it.
--
-- KEYS[1] key
--
-- RETURN held, now us, value, left us: somebody holds the key under this value; it expires after left, or a day is reported if it never does
-- RETURN free, now us: nobody holds the key
-- RETURN foreign, now us, found: the key holds something else
local key = KEYS[1]
-- include: plain
local value, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if not value then
  return {'free', now_text}
end
return {'held', now_text, value, reported(lasts(key) or FOR_EVER)}
