-- Stands between the prelude and the scripts that renew.

-- Makes the hold of an acquisition last for `lease` us from now, at least. Returns what came of it, and what belongs to
-- that: how long the hold lasts from now, why there is none, or what lies under the key.
local function renew(id, lease, retention)
  local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn')
  local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
  if found then
    return 'foreign', found
  end
  local last, own = tonumber(fields[2] or '0'), fields[3]
  if not fields[4] then
    return 'gone', own and 'taken' or 'free'
  end
  local ends, _, since = read_hold(id, fields[4])
  if ends <= now then
    return 'ended', ''
  end
  local renewed, latest = math.max(ends, now + tonumber(lease)), 0
  if own and own ~= id then
    _, latest = rarely().survey(own, id)
  end
  keep(math.max(renewed, latest, last), retention, fields[5])
  if renewed > ends then
    rarely().overwrite('h:' .. id, text(renewed) .. ':' .. lease .. ':' .. since)
  end
  return 'renewed', text(renewed - now)
end
