-- Fencing tokens.

local LAST_TOKEN = 9007199254740991

-- Returns a token as it is stored, 0 if there is none, nil if it is no token: Lua takes other texts for numbers, too.
local function readable_token(value)
  local token = tonumber(string.match(value or '0', '^%d+$') or '')
  return token and token <= LAST_TOKEN and #(value or '') <= 16 and token or nil
end

-- The same of the last token of a lock, which is there if the lock has an owner. Before the first write of a script: an error undoes nothing.
local function stored_token(value, own)
  return (value or not own) and readable_token(value)
    or error('a token of this lock cannot be read; take the lock away from its holders')
end

-- Returns the token after the last one known here and after the floor, the highest that the client has seen; or nil and the
-- reply that refuses it.
local function next_token(last, floor)
  -- Neither the key nor the clock confirms this floor: the data was lost and the clock is behind, or the client is wrong. A
  -- token from here could be lower than one in use.
  if floor > last and floor > now + 2000000 then
    return nil, {'clock', now_text, text(last)}
  end
  local token = math.max(last + 1, now, floor + 1)
  if token > LAST_TOKEN then
    return nil, {'exhausted', now_text, text(last)}
  end
  return token
end

-- Returns the last of so many tokens from `first` on; only `first` if they would lie more than a second ahead of the
-- clock: a failover that lost them must find a clock that has passed them.
local function reserve_tokens(first, tokens)
  local last = first + tokens - 1
  if last > now + 1000000 or last > LAST_TOKEN then
    return first
  end
  return last
end
