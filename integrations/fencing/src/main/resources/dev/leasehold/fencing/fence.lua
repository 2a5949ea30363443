-- fence: runs a command for a holder, unless a higher token was seen, and raises the highest token seen.
--
-- KEYS[1] fence: the highest token seen, a decimal string; absent if there was none
-- KEYS[2] data: the key of the command; absent if the token is only to be admitted
-- ARGV[1] token: the holder's fencing token, a decimal number from 1 to 2^53 - 1
-- ARGV[2] keep: time from the last use of the fence to its expiry, ms; 0 for no expiry
-- ARGV[3] command: name of a command whose one key is data; absent if the token is only to be admitted
-- ARGV[4] args: this and all following arguments are those of the command after its key
--
-- RETURN admitted, answer: the token is now the highest, and the command was run; the answer has the elements of the
--   command's reply, each after a +, or a lone - for nil; no elements if there was no command
-- RETURN stale, highest: a higher token was seen; nothing was changed
-- ERROR FENCE: the fence's key holds something other than a token; nothing was changed
local fence, data = KEYS[1], KEYS[2]
local token, keep, command = ARGV[1], ARGV[2], ARGV[3]

-- A number of 16 digits below 2^53 is exact as a double, so tokens are compared as numbers and stored as received.
local highest = redis.call('GET', fence)
if highest and not (string.find(highest, '^%d+$') and #highest <= 16) then
  return redis.error_reply('FENCE the key of the fence holds something other than a fencing token')
end
if highest and tonumber(highest) > tonumber(token) then
  return {'stale', highest}
end

-- Before the command: if memory is full, Redis refuses this first write, and so the whole script. Later writes pass.
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
