-- The URL under the cursor in Neovim (0.7 or newer): gx opens it, also if line ends or quote marks break it.
--
--   dofile("/path/to/urlgrep.lua").setup()                        in init.lua: gx
--   dofile("/path/to/urlgrep.lua").setup({ highlight = true })    also underlines the URLs on the screen
--
-- Where there is no URL, gx does what it did before. It calls liburlgrep if the loader finds it, and else the program
-- urlgrep, which has to be in the PATH.

local M = {}

-- How many lines before and after the cursor or the screen are read, and how many bytes of them: a URL is not longer.
M.around = 200
M.reach = 64 * 1024

-- How many bytes on the screen are searched for URLs to underline: more has only a file without line ends.
M.most = 1024 * 1024

-- Only these schemes are opened: programs for others do more than show something.
M.schemes = { http = true, https = true, ftp = true, gopher = true, mailto = true, news = true }

local ffi = require("ffi")
ffi.cdef([[
typedef struct urlgrep_finder urlgrep_finder;
typedef struct urlgrep_iter urlgrep_iter;
typedef struct urlgrep_match urlgrep_match;
typedef struct { uint64_t start, end_; } urlgrep_range;
typedef bool (*urlgrep_callback)(const urlgrep_match *match, void *data);
urlgrep_finder *urlgrep_finder_new(const void *options, char *message, size_t capacity);
bool urlgrep_find_covering(const urlgrep_finder *finder, const uint8_t *text, size_t len, size_t offset,
                     urlgrep_callback callback, void *data);
urlgrep_iter *urlgrep_iter_new(const urlgrep_finder *finder, const uint8_t *text, size_t len);
const urlgrep_match *urlgrep_iter_next(urlgrep_iter *iter);
void urlgrep_iter_free(urlgrep_iter *iter);
const uint8_t *urlgrep_match_url(const urlgrep_match *match, size_t *len);
size_t urlgrep_match_pieces(const urlgrep_match *match, urlgrep_range *ranges, size_t capacity);
]])

-- Two searches of lines by the library: `at` is the URL at an offset, or nil; `all` are the matches, each with its
-- pieces: offsets, of which the second is exclusive.
local function by_library(library)
  local finder = library.urlgrep_finder_new(nil, nil, 0)
  local len, most = ffi.new("size_t[1]"), 256
  local ranges = ffi.new("urlgrep_range[?]", most)
  local url
  local callback = ffi.cast("urlgrep_callback", function(match)
    url = ffi.string(library.urlgrep_match_url(match, len), len[0])
    return true
  end)

  local function at(lines, offset)
    local text = table.concat(lines, "\n")
    url = nil
    library.urlgrep_find_covering(finder, ffi.cast("const uint8_t *", text), #text, offset, callback, nil)
    return url
  end
  -- Compiled code must not call a function that calls back.
  jit.off(at)

  local function all(lines)
    local text, matches = table.concat(lines, "\n"), {}
    local iter = library.urlgrep_iter_new(finder, ffi.cast("const uint8_t *", text), #text)
    local match = library.urlgrep_iter_next(iter)
    while match ~= nil do
      local pieces = {}
      for n = 1, math.min(tonumber(library.urlgrep_match_pieces(match, ranges, most)), most) do
        pieces[n] = { tonumber(ranges[n - 1].start), tonumber(ranges[n - 1].end_) }
      end
      table.insert(matches, { pieces = pieces })
      match = library.urlgrep_iter_next(iter)
    end
    library.urlgrep_iter_free(iter)
    return matches
  end
  return { at = at, all = all }
end

-- What the program prints of lines, decoded. What it says on standard error is shown.
local function printed(lines, ...)
  local input, matches = {}, {}
  for n, line in ipairs(lines) do
    -- A NUL, as functions of Vim write it.
    input[n] = line:gsub("%z", "\n")
  end
  local command = { "urlgrep", "--no-config", "--input", "text", "--json", ... }
  for line in vim.fn.system(command, input):gmatch("[^\n]+") do
    local is_json, match = pcall(vim.json.decode, line)
    if is_json and type(match) == "table" then
      table.insert(matches, match)
    else
      vim.notify_once(line, vim.log.levels.WARN)
    end
  end
  return matches
end

-- The same searches by the program.
local by_program = {
  at = function(lines, offset)
    local match = printed(lines, "--at", tostring(offset), "-")[1]
    -- What is not UTF-8 is no string, and no URL that could be opened.
    return match and type(match.url) == "string" and match.url or nil
  end,
  all = function(lines)
    return printed(lines, "-")
  end,
}

local by_nothing = {
  at = function() end,
  all = function()
    return {}
  end,
}

-- The searches. What makes them is chosen at the first call; that there is nothing is said once.
local function search()
  if not M.uses then
    local loaded, library = pcall(ffi.load, "urlgrep")
    M.uses = loaded and "library" or vim.fn.executable("urlgrep") == 1 and "program" or "nothing"
    M.search = loaded and by_library(library) or M.uses == "program" and by_program or by_nothing
    if M.uses == "nothing" then
      vim.notify("urlgrep: expected liburlgrep or the program urlgrep, found neither", vim.log.levels.ERROR)
    end
  end
  return M.search
end

-- Rows of a buffer, and those before and after them in which a URL may start or go on: the first, and the one after
-- the last.
local function around(buffer, from, to)
  local function bytes(first, last)
    return vim.api.nvim_buf_get_offset(buffer, last) - vim.api.nvim_buf_get_offset(buffer, first)
  end
  local first, last, count = from, to, vim.api.nvim_buf_line_count(buffer)
  while first > 0 and from - first < M.around and bytes(first - 1, from) <= M.reach do
    first = first - 1
  end
  while last < count and last - to < M.around and bytes(to, last + 1) <= M.reach do
    last = last + 1
  end
  return first, last
end

-- The URL at a place of a buffer: row and column in bytes, both from 0.
function M.at(buffer, row, column)
  local first, last = around(buffer, row, row + 1)
  local lines = vim.api.nvim_buf_get_lines(buffer, first, last, false)
  local offset = column
  for n = 1, row - first do
    offset = offset + #lines[n] + 1
  end
  return search().at(lines, offset)
end

-- Does what gx did before. Since 0.10 that is a mapping; before, netrw maps it only later, and only if nothing else does.
local function otherwise()
  local before = M.before
  if before and before.callback then
    before.callback()
  elseif before then
    local keys = vim.api.nvim_replace_termcodes(before.rhs, true, true, true)
    vim.api.nvim_feedkeys(keys, before.noremap == 1 and "n" or "m", false)
  elseif type(vim.g.loaded_netrwPlugin) == "string" then
    vim.cmd("call netrw#BrowseX(netrw#GX(), netrw#CheckIfRemote(netrw#GX()))")
  else
    vim.notify("urlgrep: there is no URL under the cursor", vim.log.levels.WARN)
  end
end

-- Opens the URL under the cursor.
function M.open()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local url = M.at(0, row - 1, column)
  if not url then
    return otherwise()
  end
  local scheme = url:match("^[^:]+"):lower()
  if not M.schemes[scheme] then
    return vim.notify("urlgrep: " .. scheme .. ": is not opened", vim.log.levels.WARN)
  end
  M.browse(url)
end

-- Opens a URL in a browser. Before 0.10, Neovim has no function for it.
function M.browse(url)
  local opened, wrong = true, nil
  if vim.ui.open then
    wrong = select(2, vim.ui.open(url))
  else
    opened, wrong = pcall(vim.fn.jobstart, { vim.fn.has("mac") == 1 and "open" or "xdg-open", url }, { detach = true })
  end
  if not opened or type(wrong) == "string" then
    vim.notify("urlgrep: " .. wrong, vim.log.levels.ERROR)
  end
end

local namespace = vim.api.nvim_create_namespace("urlgrep")

-- Underlines the URLs in rows of a buffer, without what is between their pieces.
local function underline(buffer, first, last)
  vim.api.nvim_buf_clear_namespace(buffer, namespace, first, last)
  local lines = vim.api.nvim_buf_get_lines(buffer, first, last, false)
  -- The line that a segment is on, and its offset.
  local n, offset = 1, 0
  for _, match in ipairs(search().all(lines)) do
    for _, segment in ipairs(match.pieces) do
      while offset + #lines[n] < segment[1] do
        n, offset = n + 1, offset + #lines[n] + 1
      end
      vim.api.nvim_buf_set_extmark(buffer, namespace, first + n - 1, segment[1] - offset, {
        end_col = segment[2] - offset,
        hl_group = "Underlined",
      })
    end
  end
end

-- What was underlined last in each window.
local seen = {}

-- Underlines the URLs that a window shows. Nothing is searched again while the text is the same and the window shows
-- what is near.
function M.highlight(window)
  local buffer, info = vim.api.nvim_win_get_buf(window), vim.fn.getwininfo(window)[1]
  -- Of a line that is longer than the window, no row is the last.
  local from, to = info.topline - 1, math.max(info.topline, info.botline)
  local tick, near = vim.api.nvim_buf_get_changedtick(buffer), M.around / 2
  local last = seen[window]
  if last and last.buffer == buffer and last.tick == tick and last.from - near <= from and to <= last.to + near then
    return
  end
  seen[window] = { buffer = buffer, tick = tick, from = from, to = to }
  if vim.api.nvim_buf_get_offset(buffer, to) - vim.api.nvim_buf_get_offset(buffer, from) <= M.most then
    underline(buffer, around(buffer, from, to))
  end
end

function M.setup(options)
  for _, mapping in ipairs(vim.api.nvim_get_keymap("n")) do
    if mapping.lhs == "gx" then
      M.before = mapping
    end
  end
  vim.keymap.set("n", "gx", M.open, { desc = "Open the URL under the cursor" })
  if options and options.highlight then
    local group = vim.api.nvim_create_augroup("urlgrep", {})
    vim.api.nvim_create_autocmd({ "BufWinEnter", "InsertLeave", "TextChanged", "VimResized", "WinScrolled" }, {
      group = group,
      callback = function()
        for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
          M.highlight(window)
        end
      end,
    })
    vim.api.nvim_create_autocmd("WinClosed", {
      group = group,
      callback = function(event)
        seen[tonumber(event.match)] = nil
      end,
    })
  end
  return M
end

return M
