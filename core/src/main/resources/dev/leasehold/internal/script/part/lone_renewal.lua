-- Makes the hold of an acquisition last for `lease` from now, at least; 0 only confirms it. Returns the outcome and its detail:
-- how long the hold lasts from now, why there is none, or what the key holds.
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
    -- Sets an expiry again that somebody has removed.
    left = math.max(left or 0, whole(lease))
  end
  if left then
    expire(name, left)
  end
  return 'renewed', reported(left or FOR_EVER)
end
