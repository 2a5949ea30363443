-- Reading a whole hash takes about 1 us for every field. A large hash is read in pages instead.
local MOST_FIELDS_READ_AT_ONCE = 512
local FIELDS_OF_A_PAGE = 200

local function is_small()
  return redis.call('HLEN', key) <= MOST_FIELDS_READ_AT_ONCE
end

-- Calls `act` with parts of the list: a command takes a limited number of arguments.
local MOST_ARGUMENTS = 200
local function in_parts(list, act)
  for from = 1, #list, MOST_ARGUMENTS do
    act(unpack(list, from, math.min(from + MOST_ARGUMENTS - 1, #list)))
  end
end
