-- plain_release: deletes the key if it is held by this acquisition.
--
-- KEYS[1] key
-- ARGV[1] id: of the acquisition
--
-- RETURN released, now us: the key is deleted
-- RETURN gone, now us, why: there is no such hold; why is 'taken' if somebody else has the key, else 'free'
-- RETURN foreign, now us, found: something else lies under the key; it was left as it is
local value, found = read(key)
if found then
  return {'foreign', now_text, found}
end
if not is_of(value, ARGV[1]) then
  return {'gone', now_text, value and 'taken' or 'free'}
end
redis.call('DEL', key)
return {'released', now_text}
