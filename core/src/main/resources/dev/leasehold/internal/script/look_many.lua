-- look_many: sends the heartbeats of a client's positions in the queues of several locks, and tells which of its waiters need not
-- poll yet.
--
-- KEYS[n] lock: in a cluster all of one slot
-- ARGV[1] remember: how long the keys outlive their last use, ms
-- ARGV[n+1] waiter: the position in the queue of KEYS[n], a blank, and the channel with which it was taken
--
-- RETURN each, now us, results: two strings for each lock in the order of KEYS: 'head' and left us, if it is the head, and the
--   lock is held for left at most unless renewed; 'next' and '' or 'stays' and '', if the lock is held and it is the next or
--   any other; 'asks' and '', if acquire may say more, because the lock is free or shared, the position lost, or the latest
--   wake-up refused; or 'failed' and the error that a command raised
local key
-- include: layout, survey, position
local remember = tonumber(ARGV[1])
local RANKS = {['0'] = 'head', ['1'] = 'next', ['2'] = 'stays'}

local function look(waiter)
  local position, channel = string.match(waiter, '^(%d+) (.*)$')
  local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'q:' .. position, 'xn')
  local value, own = fields[4], fields[3]
  if fields[1] ~= LAYOUT or not own or own == READERS or own == PERMITS or not is_of(value, channel) then
    return 'asks', ''
  end
  local live, latest = survey(own, '')
  if live == 0 then
    return 'asks', ''
  end
  local last = stored_token(fields[2], own)
  -- Redis refuses the first write when the memory is full, unless it is this one.
  keep(math.max(latest, last), remember, fields[5], true)
  local _, rank, refused = wait_in_queue(position, channel, false, string.match(value, '^%d+([rs]%d*):') or '')
  -- Without memory for its heartbeat, or if no wake-up would reach it, it asks for itself.
  local outcome = not refused and RANKS[rank or ''] or 'asks'
  return outcome, outcome == 'head' and text(latest - now) or ''
end

local results = {}
for n, lock in ipairs(KEYS) do
  key, healed, unread = lock, nil, share_of_reads(#KEYS)
  -- An error of one lock must not cost the others their positions.
  local ran, outcome, detail = pcall(look, ARGV[n + 1])
  if not ran then
    -- An error of a command is a table since 7.0, and a string before.
    outcome, detail = 'failed', outcome.err or outcome
  end
  results[2 * n - 1], results[2 * n] = outcome, detail
end
return {'each', now_text, unpack(results)}
