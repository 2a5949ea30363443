-- Reading a whole hash takes about 1 us for every field. A large hash is read in pages instead.
local MOST_FIELDS_READ_AT_ONCE = 512
local FIELDS_OF_A_PAGE = 200

local function is_small()
  return redis.call('HLEN', key) <= MOST_FIELDS_READ_AT_ONCE
end

-- Calls `act` with each field whose name matches a pattern, and its value; in a very large hash only with those of some pages.
-- Begins at a cursor, and returns where to go on: '0' if it was with all.
local MOST_PAGES = 25
local function each_field(pattern, act, most_pages, from)
  local cursor, pages = from or '0', 0
  repeat
    local page = redis.call('HSCAN', key, cursor, 'MATCH', pattern, 'COUNT', FIELDS_OF_A_PAGE)
    cursor, pages = page[1], pages + 1
    for i = 1, #page[2], 2 do
      act(page[2][i], page[2][i + 1])
    end
  until cursor == '0' or pages == (most_pages or MOST_PAGES)
  return cursor
end

-- Calls `act` with parts of the list: a command takes a limited number of arguments.
local MOST_ARGUMENTS = 200
local function in_parts(list, act)
  for from = 1, #list, MOST_ARGUMENTS do
    act(unpack(list, from, math.min(from + MOST_ARGUMENTS - 1, #list)))
  end
end
