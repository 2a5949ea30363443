-- Fencing tokens.

local LAST_TOKEN = 9007199254740991

-- Returns the last of so many tokens from `first` on; only `first` if they would lie more than a second ahead of the
-- clock: a failover that lost them must find a clock that has passed them.
local function reserve_tokens(first, tokens)
  local last = first + tokens - 1
  if last > now + 1000000 or last > LAST_TOKEN then
    return first
  end
  return last
end
