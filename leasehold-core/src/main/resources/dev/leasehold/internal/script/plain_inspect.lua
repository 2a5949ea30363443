-- plain_inspect: reads a plain lock without changing it.
--
-- KEYS[1] key
--
-- RETURN held, now us, value, left us: somebody has the key under this value; it expires after left, or a day is told if it never does
-- RETURN free, now us: nobody has the key
-- RETURN foreign, now us, found: something else lies under the key
local value, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if not value then
  return {'free', now_text}
end
return {'held', now_text, value, told(lasts(key) or FOR_EVER)}
