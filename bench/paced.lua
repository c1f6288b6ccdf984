-- Reads with bearer tokens in turn, with a pause before each. Arguments: a file with a token a line, milliseconds.
local here = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(here .. "read.lua")
local read = init

function init(args)
  read(args)
  pause = tonumber(args[2])
end

function delay()
  return pause
end
