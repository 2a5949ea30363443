-- plain_force_release: deletes the key, whoever has it.
--
-- KEYS[1] key
--
-- RETURN freed, now us: the key is deleted
-- RETURN free, now us: nobody had the key
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local value, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if not value then
  return {'free', now_text}
end
redis.call('DEL', key)
return {'freed', now_text}
