-- A client receives messages on a channel of its own and, in a cluster, on one of each shard, '<own>{<tag>}'.
local function client_of(channel)
  return string.match(channel, '^[^{]*')
end

-- Publishes, and returns how many clients received it; nil if Redis refuses to publish. A message that cannot be published on the channel of this shard, or
-- reaches nobody there, is published on the client's own channel: the slots of the channel and of the key may have parted.
local function publish(channel, message)
  local own = client_of(channel)
  local received = own ~= channel and redis.pcall('SPUBLISH', channel, message)
  if type(received) == 'number' and received > 0 then
    return received
  end
  received = redis.pcall('PUBLISH', own, message)
  return type(received) == 'number' and received or nil
end
