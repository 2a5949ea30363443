-- include: layout, survey, expiry
-- Renewals of one hold, in any state of the lock.

-- Makes the hold of an acquisition last for at least `lease` us from now. Returns the outcome and its detail: how long the hold
-- lasts from now, why there is none, or what the key holds.
local function renew(id, lease, remember)
  local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn', 'rq')
  local found = foreign(fields)
  if found then
    return 'foreign', found
  end
  local own = fields[3]
  if not fields[4] then
    return 'gone', own and 'taken' or 'free'
  end
  local ends, _, since = read_hold(id, fields[4])
  if ends <= now then
    return 'ended', ''
  end
  local last = stored_token(fields[2], own)
  local asked = tonumber(lease)
  local renewed, latest, ended = math.max(ends, now + asked), 0, nil
  if own and own ~= id then
    _, latest, ended = survey(own, id)
  end
  keep(math.max(renewed, latest, last), remember, fields[5], fields[6])
  if renewed > ends then
    write('h:' .. id, now_text .. ':' .. lease .. ':' .. since)
  end
  if sum then
    if #ended > 0 then
      drop(ended)
    end
    sum_up(renewed, asked)
  end
  if fields[7] and fields[7] == fields[2] then
    return 'asked', text(renewed - now)
  end
  return 'renewed', text(renewed - now)
end
