-- quorum_join: tells whether this server has kept all holds of a quorum for as long as its longest lease, and from now on
-- watches over that. A restart shows in the server's run id, a deletion of keys in that the marker is gone.
--
-- KEYS[1] marker
-- ARGV[1] longest: the longest lease of the quorum with what clocks may drift, the same for all its clients, us
--
-- RETURN joined, now us: no live hold can be forgotten here
-- RETURN young, now us, left us: holds may be forgotten here, of which none lasts longer than left
-- RETURN other, now us, longest: the quorum has another longest lease, us; nothing was changed
-- RETURN foreign, now us, found: the key holds something else; nothing was changed
local key = KEYS[1]
-- include: clock, marker
local code, detail, written = look_at(key, ARGV[1])
if written then
  redis.call('SET', key, written)
end
return {code, now_text, detail}
