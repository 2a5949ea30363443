-- Stands between the prelude of plain locks and their scripts that renew.

-- Makes the hold of an acquisition last for `lease` from now, at least; 0 only confirms it. Returns what came of it, and what
-- belongs to that: how long it lasts from now, why there is none, or what lies under the key.
local function renew(name, id, lease)
  local value, found = read(name)
  if found then
    return 'foreign', found
  end
  if not is_of(value, id) then
    return 'gone', value and 'taken' or 'free'
  end
  local left = lasts(name)
  if lease ~= '0' then
    -- An expiry that somebody has removed is set again.
    left = math.max(left or 0, whole(lease))
  end
  if left then
    expire(name, left)
  end
  return 'renewed', told(left or FOR_EVER)
end
