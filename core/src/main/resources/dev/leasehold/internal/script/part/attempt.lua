-- include: layout, survey, expiry, position, turn, token, retained
-- What all scripts have in common that acquire a lock in whatever state it is. `args` are, in this order: id, lease, notAfter,
-- floor, remember, holder, label, channel, position, tokens, fair.

local function keep_for(attempt, micros)
  keep(math.max(micros, attempt.last), attempt.remember, attempt.tombstones, attempt.waiters)
end

-- The tokens from the first to the last belong to a hold that its client hands off, so not to one of several.
local function granted(attempt, left)
  local last = attempt.first and not has_several(attempt.owner) and text(attempt.last) or nil
  return {'granted', now_text, left, attempt.token, last}
end

-- A repeat of a request that was granted. It writes, so that a WAIT after it covers this connection's last write.
local function granted_before(attempt, hold)
  local ends = read_hold(attempt.id, hold)
  if ends <= now then
    return {'ended', now_text}
  end
  local _, others_end = survey(attempt.own or attempt.id, attempt.id)
  keep_for(attempt, math.max(ends, others_end))
  return granted(attempt, text(ends - now))
end

-- Reads the lock. Returns the attempt, or nil and the reply that ends it.
local function begin(args, owner)
  local id = args[1]
  local fields = redis.pcall('HMGET', key, 'v', 'last', 'own', 'h:' .. id, 'x:' .. id, 'xn', 'wn', 'tok', 'q:' .. args[9])
  local found = foreign(fields)
  if found then
    return nil, {'foreign', now_text, found}
  end
  if now > tonumber(args[3]) or fields[5] then
    return nil, {'stale', now_text}
  end
  local attempt = {
    id = id, owner = owner, lease = args[2], floor = tonumber(args[4]), remember = tonumber(args[5]),
    holder = args[6], label = args[7], channel = args[8], position = args[9], tokens = tonumber(args[10]),
    fair = args[11] == '1', mode = '',
    -- While there are holds, `token` is theirs: the last one, or `first`.
    last = stored_token(fields[2], fields[3] or fields[4]), first = fields[8] or nil, token = fields[8] or fields[2],
    own = fields[3], tombstones = fields[6], waiters = fields[7], is_new = not fields[1],
    live = 0, latest = 0, ended = {}
  }
  stored_token(fields[8])
  sum = nil
  if fields[4] then
    return nil, granted_before(attempt, fields[4])
  end
  if attempt.own then
    attempt.live, attempt.latest, attempt.ended = survey(attempt.own, id)
  end
  if attempt.waiters and attempt.channel ~= '' and not is_of(fields[9], attempt.channel) then
    local taken = position_of(id, attempt.channel)
    attempt.position = taken == '0' and attempt.position or taken
  end
  return attempt
end

-- Somebody else has the lock, or precedence. A waiter takes a position.
local function busy(attempt, until_when)
  if attempt.live > 0 and not has_several(attempt.own) then
    ask_retainer(redis.call('HGET', key, 'rt'), text(attempt.last))
  end
  -- Where a page of holds had ended ones, the next page may free the lock: the head polls at once.
  local paged = attempt.live > 0 and sum and sum.scanned
  local left = text(paged and #attempt.ended > 0 and 0 or math.max(until_when - now, 0))
  local waits = attempt.channel ~= ''
  if waits or paged or healed then
    local position, rank, refused
    if waits then
      local named = attempt.mode == '' and attempt.owner ~= attempt.id
      local who = attempt.id .. ' ' .. attempt.holder .. (named and '\n' .. attempt.owner or '')
      position, rank, refused = wait_in_queue(attempt.position, attempt.channel, attempt.fair, attempt.mode, who)
      attempt.waiters = true
    end
    keep_for(attempt, math.max(until_when, attempt.latest))
    if paged then
      drop(attempt.ended)
      sum_up()
    end
    if waits then
      return {'busy', now_text, left, position or '0', rank or '2', refused and 'polls' or nil}
    end
  end
  return {'busy', now_text, left}
end

-- Makes the fencing token if the lock has no live hold, or if a failover lost a grant that this client has seen, and restored
-- an older hold. Returns the reply that ends the attempt if there is no token.
local function mint(attempt)
  if attempt.live > 0 and attempt.floor <= attempt.last then
    return nil
  end
  local token, refusal = next_token(attempt.last, attempt.floor)
  if not token then
    return refusal
  end
  attempt.token = token == now and now_text or text(token)
  attempt.last = reserve_tokens(token, attempt.tokens)
  attempt.first = attempt.last > token and attempt.token or nil
  return nil
end

-- Removes the hold that was just written: a user who may not let the key expire must not leave one that never does.
local function withdraw_hold(attempt)
  drop({attempt.id})
  if attempt.own then
    -- With it stays what only a lock with an owner may have.
    redis.call('HSET', key, 'own', attempt.own)
  else
    redis.call('HDEL', key, 'own')
  end
  if attempt.is_new then
    redis.call('HDEL', key, 'v', 'last')
  end
end

-- Writes the hold. This is the first write, so that a full memory refuses the whole.
local function write_hold(attempt)
  local ends = now + tonumber(attempt.lease)
  redis.call('HSET', key, 'v', LAYOUT, 'last', text(attempt.last), 'own', attempt.owner,
    'h:' .. attempt.id, now_text .. ':' .. attempt.lease .. ':' .. now_text, 'i:' .. attempt.id, attempt.holder)
  if attempt.label ~= '' then
    redis.call('HSET', key, 'l:' .. attempt.id, attempt.label)
  end
  if attempt.wanted and attempt.wanted > 1 then
    redis.call('HSET', key, 'p:' .. attempt.id, text(attempt.wanted))
  end
  local kept, refusal = pcall(keep_for, attempt, math.max(ends, attempt.latest))
  if not kept then
    withdraw_hold(attempt)
    error(refusal, 0)
  end
  if attempt.own then
    drop(attempt.ended)
  end
  if attempt.first then
    write('tok', attempt.first)
  elseif attempt.own then
    redis.call('HDEL', key, 'tok')
  end
  if has_several(attempt.owner) then
    sum_up(ends, tonumber(attempt.lease), attempt.wanted)
  elseif attempt.own and has_several(attempt.own) then
    redis.call('HDEL', key, 'rs', 'rc')
  end
end

-- The attempt has the lock: its position is removed. An attempt from no position has overtaken the head, unless it joined
-- the holders. What is reserved stays so if the attempt took only permits that were left.
local function leave_queue(attempt)
  local n = tonumber(attempt.position)
  if is_of(n > 0 and redis.call('HGET', key, 'q:' .. attempt.position), attempt.channel) then
    local first = head_of_queue()
    -- Not if it had lapsed itself: then it was the first, and was removed.
    local there = redis.call('HGET', key, 'q:' .. attempt.position)
    if there then
      vacate(n)
    end
    if first == n or not there then
      redis.call('HDEL', key, 'rv', 're', 'wb')
      return
    end
  end
  if not (attempt.reads and attempt.live > 0) and redis.call('HGET', key, 'wn') then
    redis.pcall('HINCRBY', key, 'wb', 1)
    if not attempt.wanted then
      redis.call('HDEL', key, 'rv', 're')
    end
  end
end
