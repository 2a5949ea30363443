-- For scripts that renew.

-- Reads the locks after all writes: a connection that tracks keys is told of the next change of each by another one. Any read will do,
-- and one that is forbidden harms nothing.
local function track()
  redis.pcall('EXISTS', unpack(KEYS))
end
