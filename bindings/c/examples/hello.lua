-- The URLs of standard input in Lua: luajit hello.lua, with liburlgrep where the loader finds it.

local ffi = require("ffi")
ffi.cdef [[
typedef struct urlgrep_finder urlgrep_finder;
typedef struct urlgrep_iter urlgrep_iter;
typedef struct urlgrep_match urlgrep_match;
urlgrep_finder *urlgrep_finder_new(const void *options, char *message, size_t capacity);
void urlgrep_finder_free(urlgrep_finder *finder);
urlgrep_iter *urlgrep_iter_new(const urlgrep_finder *finder, const uint8_t *text, size_t len);
const urlgrep_match *urlgrep_iter_next(urlgrep_iter *iter);
void urlgrep_iter_free(urlgrep_iter *iter);
const uint8_t *urlgrep_match_url(const urlgrep_match *match, size_t *len);
]]
local urlgrep = ffi.load("urlgrep")

-- Calls `each` with the URLs of `text`, in the order in which they start.
local function find_all(text, each)
  local finder = ffi.gc(urlgrep.urlgrep_finder_new(nil, nil, 0), urlgrep.urlgrep_finder_free)
  -- The text must stay until the iterator is freed: it is a parameter, so it does.
  local iter = urlgrep.urlgrep_iter_new(finder, ffi.cast("const uint8_t *", text), #text)
  local len = ffi.new("size_t[1]")
  local match = urlgrep.urlgrep_iter_next(iter)
  while match ~= nil do
    each(ffi.string(urlgrep.urlgrep_match_url(match, len), len[0]))
    match = urlgrep.urlgrep_iter_next(iter)
  end
  urlgrep.urlgrep_iter_free(iter)
end

find_all(io.read("*a"), print)
