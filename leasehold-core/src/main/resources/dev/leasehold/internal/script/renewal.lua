-- Stands between the prelude and the scripts that renew.

-- The lease asked for, which is one in a call: as a number, and as it stands in a hold.
local asked, asked_part

-- The end of a hold, and what follows it when it is written again with the length asked for. Of the usual width and with that
-- length already, it need not be taken apart.
local function read_end(id, value, lease)
  if not asked then
    asked, asked_part = tonumber(lease), ':' .. lease .. ':'
  end
  if string.find(value, asked_part, 17, true) == 17 then
    local ends = tonumber(string.sub(value, 1, 16))
    if ends - now <= asked then
      return ends, string.sub(value, 17)
    end
  end
  local ends, _, since = read_hold(id, value)
  return ends, asked_part .. since
end

-- Makes the hold of an acquisition last for `lease` us from now, at least. Returns what came of it, and what belongs to
-- that: how long the hold lasts from now, why there is none, or what lies under the key.
local function renew(id, lease, retention)
  local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'xn', 'wn', 'rq')
  local found = fields[1] ~= LAYOUT and rarely().foreign(fields)
  if found then
    return 'foreign', found
  end
  local last, own = tonumber(fields[2] or '0'), fields[3]
  if not fields[4] then
    return 'gone', own and 'taken' or 'free'
  end
  local ends, rest = read_end(id, fields[4], lease)
  if ends <= now then
    return 'ended', ''
  end
  local renewed, latest, over = math.max(ends, now + asked), 0, nil
  if own and own ~= id then
    local _
    _, latest, over = rarely().survey(own, id)
  end
  keep(math.max(renewed, latest, last), retention, fields[5], fields[6])
  if renewed > ends then
    rarely().overwrite('h:' .. id, text(renewed) .. rest)
  end
  if own and shared(own) then
    if #over > 0 then
      rarely().drop(over)
    end
    rarely().sum_up(renewed, asked)
  end
  if fields[7] and fields[7] == fields[2] then
    return 'asked', text(renewed - now)
  end
  return 'renewed', text(renewed - now)
end
