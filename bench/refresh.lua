-- Rotates refresh tokens: every request presents one that no other request presents, and keeps the one that it gets.
-- Arguments: a file with a token a line, and the Authorization header of the application.
local here = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(here .. "report.lua")

local threads = 0

function setup(thread)
  thread:set("index", threads)
  threads = threads + 1
end

function init(args)
  queue, first, last = {}, 1, 0
  local line = 0
  for token in io.lines(args[1]) do
    if line % 2 == index then push(token) end
    line = line + 1
  end
  headers = { ["Authorization"] = args[2], ["Content-Type"] = "application/x-www-form-urlencoded" }
end

function push(token)
  last = last + 1
  queue[last] = token
end

function request()
  local token = queue[first] or "none-left"
  queue[first] = nil
  first = first + 1
  return wrk.format("POST", nil, headers, "grant_type=refresh_token&refresh_token=" .. token)
end

function response(status, headers, body)
  local token = body:match('"refresh_token":%s*"([^"]+)"')
  if token then push(token) end
end
