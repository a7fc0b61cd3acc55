-- The URL under the cursor in Neovim (0.7 or newer): gx opens it, also if line ends or quote marks break it.
--
--   dofile("/path/to/urlgrep.lua").setup()                        in init.lua: gx
--   dofile("/path/to/urlgrep.lua").setup({ highlight = true })    also underlines the URLs of each buffer
--
-- It calls liburlgrep if the loader finds it, and else the program urlgrep, which has to be in the PATH.

local M = {}

-- How many lines before and after the cursor are read. No URL is longer than that in text that people write.
M.around = 200

-- Only these schemes are opened: programs for others do more than show something.
M.schemes = { http = true, https = true, ftp = true, gopher = true, mailto = true, news = true }

local ffi = require("ffi")
ffi.cdef([[
typedef struct urlgrep_finder urlgrep_finder;
typedef struct urlgrep_iter urlgrep_iter;
typedef struct urlgrep_match urlgrep_match;
typedef struct { uint64_t start, end_; } urlgrep_range;
urlgrep_finder *urlgrep_finder_new(const void *options, char *message, size_t capacity);
urlgrep_iter *urlgrep_iter_new(const urlgrep_finder *finder, const uint8_t *text, size_t len);
const urlgrep_match *urlgrep_iter_next(urlgrep_iter *iter);
void urlgrep_iter_free(urlgrep_iter *iter);
const uint8_t *urlgrep_match_url(const urlgrep_match *match, size_t *len);
urlgrep_range urlgrep_match_span(const urlgrep_match *match);
size_t urlgrep_match_segments(const urlgrep_match *match, urlgrep_range *ranges, size_t capacity);
]])

-- The matches of a text by the library: url, first and last (offsets, the end exclusive), and segments.
local function by_library(library)
  local finder = library.urlgrep_finder_new(nil, nil, 0)
  local len, most = ffi.new("size_t[1]"), 256
  local ranges = ffi.new("urlgrep_range[?]", most)
  return function(text)
    local matches = {}
    local iter = library.urlgrep_iter_new(finder, ffi.cast("const uint8_t *", text), #text)
    local match = library.urlgrep_iter_next(iter)
    while match ~= nil do
      local url = ffi.string(library.urlgrep_match_url(match, len), len[0])
      local span = library.urlgrep_match_span(match)
      local count = math.min(tonumber(library.urlgrep_match_segments(match, ranges, most)), most)
      local segments = {}
      for n = 0, count - 1 do
        segments[n + 1] = { tonumber(ranges[n].start), tonumber(ranges[n].end_) }
      end
      table.insert(matches, { url = url, first = tonumber(span.start), last = tonumber(span.end_), segments = segments })
      match = library.urlgrep_iter_next(iter)
    end
    library.urlgrep_iter_free(iter)
    return matches
  end
end

-- The same by the program.
local function by_program(text)
  local printed = vim.fn.system({ "urlgrep", "--no-config", "--input", "text", "--json", "-" }, text)
  local matches = {}
  for line in printed:gmatch("[^\n]+") do
    local is_json, match = pcall(vim.json.decode, line)
    -- What is not UTF-8 is no string, and no URL that could be opened.
    if is_json and type(match) == "table" and type(match.url) == "string" then
      table.insert(matches, { url = match.url, first = match.start, last = match["end"], segments = match.segments })
    end
  end
  return matches
end

-- The matches of a text. What finds them is chosen at the first call.
function M.find(text)
  local loaded, library = pcall(ffi.load, "urlgrep")
  M.find = loaded and by_library(library) or by_program
  M.uses = loaded and "library" or "program"
  return M.find(text)
end

-- Lines of a buffer as a text, and the offset of each.
local function lines(buffer, from, to)
  local list = vim.api.nvim_buf_get_lines(buffer, from, to, false)
  local offsets, offset = {}, 0
  for n, line in ipairs(list) do
    offsets[n] = offset
    offset = offset + #line + 1
  end
  return table.concat(list, "\n"), offsets
end

-- The URL at a place of a buffer: row and column in bytes, both from 0.
function M.at(buffer, row, column)
  local from = math.max(0, row - M.around)
  local text, offsets = lines(buffer, from, row + M.around + 1)
  local offset = offsets[row - from + 1] + column
  for _, match in ipairs(M.find(text)) do
    if match.first <= offset and offset < match.last then
      return match.url
    end
  end
  return nil
end

-- Opens the URL under the cursor.
function M.open()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local url = M.at(0, row - 1, column)
  if not url then
    return vim.notify("urlgrep: there is no URL under the cursor", vim.log.levels.WARN)
  end
  local scheme = url:match("^[^:]+"):lower()
  if not M.schemes[scheme] then
    return vim.notify("urlgrep: " .. scheme .. ": is not opened", vim.log.levels.WARN)
  end
  M.browse(url)
end

-- Opens a URL in a browser. Before 0.10, Neovim has no function for it.
M.browse = vim.ui.open
  or function(url)
    vim.fn.jobstart({ vim.fn.has("mac") == 1 and "open" or "xdg-open", url }, { detach = true })
  end

local namespace = vim.api.nvim_create_namespace("urlgrep")

-- Underlines the URLs of a buffer, without what is between their pieces.
function M.highlight(buffer)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  local text, offsets = lines(buffer, 0, -1)
  local row = 1
  for _, match in ipairs(M.find(text)) do
    for _, segment in ipairs(match.segments) do
      while offsets[row + 1] and offsets[row + 1] <= segment[1] do
        row = row + 1
      end
      vim.api.nvim_buf_set_extmark(buffer, namespace, row - 1, segment[1] - offsets[row], {
        end_col = segment[2] - offsets[row],
        hl_group = "Underlined",
      })
    end
  end
end

function M.setup(options)
  vim.keymap.set("n", "gx", M.open, { desc = "Open the URL under the cursor" })
  if options and options.highlight then
    vim.api.nvim_create_autocmd({ "BufWinEnter", "InsertLeave", "TextChanged" }, {
      group = vim.api.nvim_create_augroup("urlgrep", {}),
      callback = function(event)
        M.highlight(event.buf)
      end,
    })
  end
  return M
end

return M
