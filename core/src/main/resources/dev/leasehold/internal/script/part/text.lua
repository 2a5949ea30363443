-- Numbers leave a script as strings, because a number of Lua is a double.
local function text(number)
  return string.format('%.0f', number)
end
