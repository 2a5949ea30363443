-- quorum_acquire: enters a hold of a lock over a quorum as acquire does, without waiting, and tells as quorum_join does
-- whether this server can have forgotten another's: in one step, so that nothing happens between.
--
-- KEYS[1] lock
-- KEYS[2] marker
-- ARGV[1] id: of this try alone, which is its owner, too
-- ARGV[2] lease: how long the hold lasts, us
-- ARGV[3] notAfter: Redis time after which this request must not be granted, us
-- ARGV[4] floor: the highest token the client has seen for this name, 0 if none
-- ARGV[5] remember: how long the key outlives its last use, ms
-- ARGV[6] holder: pid@host, a blank, and the thread, for people
-- ARGV[7] label: for people, empty if none
-- ARGV[8] longest: the longest lease of the quorum with what clocks may drift, the same for all its clients, us
--
-- RETURN granted, now us, left us, token: the hold is there, and no other live hold can be forgotten here
-- RETURN young, now us, left us, token, forgets: the hold is there, but others may be forgotten here, of which none lasts
--   longer than that many us
-- RETURN busy, now us, left us: another owner holds the lock, for left at the most unless renewed
-- RETURN stale, now us: the request came after notAfter, or after its own release; nothing was changed
-- RETURN ended, now us: the hold of this id has ended; an ended hold is never revived
-- RETURN clock, now us, last: the last token known here and the clock are both behind the floor; nothing was changed
-- RETURN exhausted, now us, last: no token below 2^53 is left
-- RETURN foreign, now us, found: the key of the lock holds something else; nothing was changed
-- RETURN other, now us, longest: the quorum has another longest lease, us; nothing was changed
-- RETURN unmarked, now us, found: the key of the marker holds something else; nothing was changed
local key, marker = KEYS[1], KEYS[2]
-- include: exclusive, marker

local says, detail, written = look_at(marker, ARGV[8])
if says == 'foreign' then
  return {'unmarked', now_text, detail}
end
if says == 'other' then
  return {'other', now_text, detail}
end
local reply = acquire_exclusive({ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6], ARGV[7], '', '0', '1', '0'})
if reply[1] ~= 'granted' then
  return reply
end
if written then
  -- Behind a write that was made, so that it is not refused for lack of memory.
  redis.call('SET', marker, written)
end
if says == 'young' then
  return {'young', now_text, reply[3], reply[4], detail}
end
return {'granted', now_text, reply[3], reply[4]}
