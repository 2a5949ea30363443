-- include: publish
-- A client may retain its hold between two uses: 'rt' is '<last>:<channel>'. It counts only while `last` is the same, so the
-- next grant ends it.

-- Returns the channel of the client that retains the hold with this last token; nil if none does, or if it was asked already.
local function channel_of_retainer(retained, last)
  local of, channel = string.match(retained or '', '^(%d+):(.*)$')
  return of == last and channel or nil
end

-- Asks the client that retains the hold to release it. Asks once: without 'rt', its next `retain` is refused even if the message
-- is lost.
local function ask_retainer(retained, last)
  local channel = channel_of_retainer(retained, last)
  if channel then
    redis.call('HDEL', key, 'rt')
    publish(channel, 'release ' .. key)
  end
end
