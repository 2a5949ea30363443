-- fence: runs a command for a holder whose token is not older than any seen, and raises the highest seen.
--
-- KEYS[1] fence: the highest token seen, a decimal string; absent if there was none
-- KEYS[2] data: what the command works on; absent if the token is only to be admitted
-- ARGV[1] token: of the holder, a decimal number from 1 to 2^53 - 1
-- ARGV[2] keep: how long the fence outlives its last use, ms; 0 for ever
-- ARGV[3] command: absent if the token is only to be admitted; its one key is data
-- ARGV[4] args: this and all that follow stand after the key
--
-- RETURN admitted, answer: the token is the highest now, and the command was run; the answer is as many elements as the
--   command's, each with + before it, or a lone - for nothing; none if there was no command
-- RETURN stale, highest: a higher token was seen; nothing was changed
-- ERROR FENCE: something else than a token lies under the fence's key; nothing was changed
local fence, data = KEYS[1], KEYS[2]
local token, keep, command = ARGV[1], ARGV[2], ARGV[3]

-- A number of 16 digits below 2^53 is exact as a double, so tokens are compared as numbers and kept as they came.
local highest = redis.call('GET', fence)
if highest and not (string.find(highest, '^%d+$') and #highest <= 16) then
  return redis.error_reply('FENCE something else than a fencing token lies under the key of the fence')
end
if highest and tonumber(highest) > tonumber(token) then
  return {'stale', highest}
end

-- Before the command: a full memory refuses this first write, and with it the whole. After it, nothing is refused.
if keep ~= '0' then
  redis.call('SET', fence, token, 'PX', keep)
elseif highest ~= token then
  redis.call('SET', fence, token)
end

local answer = {'admitted'}
local function add(reply)
  if not reply then
    answer[#answer + 1] = '-'
  elseif type(reply) == 'number' then
    answer[#answer + 1] = '+' .. string.format('%.0f', reply)
  elseif type(reply) ~= 'table' then
    answer[#answer + 1] = '+' .. reply
  elseif reply.ok then
    answer[#answer + 1] = '+' .. reply.ok
  else
    for i = 1, #reply do
      add(reply[i])
    end
  end
end
if command then
  add(redis.call(command, data, unpack(ARGV, 4)))
end
return answer
