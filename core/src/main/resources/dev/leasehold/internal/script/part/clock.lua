-- The clock. A script reads TIME once, because TIME advances within a script on Redis 7.0 and earlier. All times are
-- microseconds of Redis TIME.
local clock = redis.call('TIME')
local now_text = clock[1] .. (#clock[2] == 6 and clock[2] or string.sub('00000' .. clock[2], -6))
local now = clock[1] * 1000000 + clock[2]
