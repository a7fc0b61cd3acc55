-- What contrib/urlgrep.lua finds by the library in the file that is open: at two places, and what it underlines.
local M = dofile("contrib/urlgrep.lua")
local found = { M.at(0, 1, 2), tostring(M.at(0, 0, 0)) }
M.highlight(vim.api.nvim_get_current_win())
local namespace = vim.api.nvim_get_namespaces().urlgrep
for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, namespace, 0, -1, { details = true })) do
  table.insert(found, string.format("%d:%d-%d", mark[2], mark[3], mark[4].end_col))
end
io.write(M.uses, " ", table.concat(found, " "), "\n")
vim.cmd("qa!")
