-- The world of a script in Redis 7.0: what it may use is there and cannot be changed, anything else is an error.
--
-- Not here: bit, cjson, cmsgpack, struct, coroutine, and of redis what speaks of rights and debugging.
local host = ...
local error, getinfo, loadstring, pcall, rawset, setfenv, sethook, setmetatable, tostring, type =
  error, debug.getinfo, loadstring, pcall, rawset, setfenv, debug.sethook, setmetatable, tostring, type

local frozen = setmetatable({}, {__mode = 'k'})
local READONLY = 'Attempt to modify a readonly table'

-- Lua 5.1 has no read-only tables, Redis' has: an empty table before the real one does the same.
local function freeze(real)
  local face = setmetatable({}, {__index = real, __newindex = host.readonly, __metatable = false})
  frozen[face] = true
  return face
end

local globals = {_VERSION = _VERSION}
for _, name in ipairs({'assert', 'collectgarbage', 'error', 'gcinfo', 'getmetatable', 'ipairs', 'next', 'pairs',
  'rawequal', 'rawget', 'select', 'tonumber', 'tostring', 'type', 'unpack', 'xpcall'}) do
  globals[name] = _G[name]
end
for _, name in ipairs({'math', 'string', 'table'}) do
  globals[name] = freeze(_G[name])
end

globals.redis = freeze({
  call = host.call,
  pcall = host.pcall,
  sha1hex = host.sha1hex,
  log = function() end,
  replicate_commands = function() return true end,
  set_repl = function() end,
  setresp = function() end,
  error_reply = function(text)
    if type(text) ~= 'string' then
      return {err = 'ERR wrong number or type of arguments'}
    end
    if string.sub(text, 1, 1) == '-' then
      text = string.sub(text, 2)
    end
    return {err = string.find(text, ' ', 1, true) and text or 'ERR ' .. text}
  end,
  status_reply = function(text)
    if type(text) ~= 'string' then
      return {err = 'ERR wrong number or type of arguments'}
    end
    return {ok = text}
  end,
  LOG_DEBUG = 0, LOG_VERBOSE = 1, LOG_NOTICE = 2, LOG_WARNING = 3,
  REPL_NONE = 0, REPL_AOF = 1, REPL_SLAVE = 2, REPL_REPLICA = 2, REPL_ALL = 3,
  REDIS_VERSION = '7.0.15', REDIS_VERSION_NUM = 458767,
})

setmetatable(globals, {__index = host.absent})
local env = freeze(globals)
globals._G = env

function globals.rawset(t, key, value)
  if frozen[t] then
    error(READONLY, 0)
  end
  return rawset(t, key, value)
end

function globals.setmetatable(t, meta)
  if frozen[t] then
    error(READONLY, 0)
  end
  return setmetatable(t, meta)
end

-- An error that Redis raised is a table; a script that catches it by pcall sees its text.
local function caught(ok, first, ...)
  if not ok and type(first) == 'table' and type(first.err) == 'string' then
    first = first.err
  end
  return ok, first, ...
end

function globals.pcall(...)
  return caught(pcall(...))
end

function globals.loadstring(text, name)
  local chunk, problem = loadstring(text, name)
  if not chunk then
    return nil, problem
  end
  return setfenv(chunk, env)
end

-- A script that would run for more than a second is ended: it would keep a real server from all its other work.
local INSTRUCTIONS_OF_A_STEP, MOST_STEPS = 100000, 200
local steps = 0
sethook(function()
  steps = steps + 1
  if steps > MOST_STEPS then
    error('the script runs for too long: more than 20 million instructions', 0)
  end
end, '', INSTRUCTIONS_OF_A_STEP)

local function compile(body)
  local chunk, problem = loadstring(body, '@user_script')
  if not chunk then
    return nil, problem
  end
  setfenv(chunk, env)
  return function()
    steps = 0
    return chunk()
  end
end

-- Says what was raised and in which line of the script.
local function handle(raised)
  local text
  if type(raised) == 'table' then
    text = tostring(raised.err)
  else
    text = 'ERR ' .. tostring(raised)
  end
  local level, own = 2, getinfo(1, 'S').source
  local info = getinfo(level, 'Sl')
  while info and (info.what == 'C' or info.source == own) do
    level = level + 1
    info = getinfo(level, 'Sl')
  end
  return {text, info and ', on ' .. info.source .. ':' .. info.currentline or ''}
end

return globals, compile, handle
