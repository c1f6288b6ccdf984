-- Opens a page as a browser does. Arguments: the Cookie header, or nothing.
local here = debug.getinfo(1, "S").source:match("^@(.*/)")
dofile(here .. "report.lua")

function init(args)
  wrk.headers["Accept-Encoding"] = "gzip, deflate, br"
  if args[1] then wrk.headers["Cookie"] = args[1] end
end
