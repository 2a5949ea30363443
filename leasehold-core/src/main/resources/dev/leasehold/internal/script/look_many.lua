-- look_many: tells of several locks that who has these places in their queues is still there, and who need not ask as yet.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] retention: how long the keys outlive their last use, ms
-- ARGV[n+1] waiter: the place in the queue of KEYS[n], a blank, and the channel with which it was taken
--
-- RETURN each, now us, results: two strings for each lock in the order of KEYS: 'head' and left us, if it is the first, and the
--   lock is held for left at the most unless renewed; 'next' and '' or 'stays' and '', if the lock is held and it is the next or
--   any other; 'asks' and '', if acquire may say more, because the lock is free or shared, or the place lost; or 'failed' and
--   the error that a command raised
local retention = tonumber(ARGV[1])
local RANKS = {['0'] = 'head', ['1'] = 'next', ['2'] = 'stays'}

local function look(waiter)
  local place, channel = string.match(waiter, '^(%d+) (.*)$')
  local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'q:' .. place, 'xn')
  local value, own = fields[4], fields[3]
  if fields[1] ~= LAYOUT or not own or shared(own) or not rarely().is_of(value, channel) then
    return 'asks', ''
  end
  local live, latest = rarely().survey(own, '')
  if live == 0 then
    return 'asks', ''
  end
  -- The first write of all is one that Redis never refuses.
  keep(math.max(latest, tonumber(fields[2] or '0')), retention, fields[5], true)
  local _, rank = rarely().stay(place, channel, false, string.match(value, '^%d+([rs]?%d*):'))
  -- Without memory for its heartbeat it asks for itself.
  local told = RANKS[rank or ''] or 'asks'
  return told, told == 'head' and text(latest - now) or ''
end

local results = {}
for n, lock in ipairs(KEYS) do
  key, healed = lock, nil
  -- An error of one lock must not cost the others their place.
  local ran, outcome, detail = pcall(look, ARGV[n + 1])
  if not ran then
    -- An error of a command is a table since 7.0, and a string before.
    outcome, detail = 'failed', outcome.err or outcome
  end
  results[2 * n - 1], results[2 * n] = outcome, detail
end
return {'each', now_text, unpack(results)}
