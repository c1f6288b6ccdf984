-- Reads with bearer tokens in turn. Arguments: a file with a token a line.
local here = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(here .. "report.lua")

function init(args)
  requests, last = {}, 0
  for token in io.lines(args[1]) do
    requests[#requests + 1] = wrk.format("GET", nil, { ["Authorization"] = "Bearer " .. token })
  end
end

function request()
  last = last % #requests + 1
  return requests[last]
end
