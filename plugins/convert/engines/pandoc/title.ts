/**
 * A filter that pandoc runs on the document: when the target requires a title and the document has none, it is the
 * first heading, or the start of the text. No other title is invented. In HTML it is the window title, not a line of
 * the text.
 */
export const TITLE = `
local TITLES = { html = 'pagetitle', html4 = 'pagetitle', html5 = 'pagetitle', dzslides = 'pagetitle', epub2 = 'title', epub3 = 'title' }
local LONGEST = 80

local function beginning(blocks)
  local first = ''
  local heading = nil
  for _, block in ipairs(blocks) do
    local text = pandoc.utils.stringify(block)
    if first == '' then first = text end
    if block.t == 'Header' and text ~= '' then
      heading = text
      break
    end
  end
  local words = (heading or first):gsub('%s+', ' '):gsub('^ ', '')
  local past = utf8.offset(words, LONGEST + 1)
  return past and words:sub(1, past - 1) or words
end

function Pandoc(document)
  local field = TITLES[FORMAT]
  local own = document.meta.title
  if field == nil or (own ~= nil and pandoc.utils.stringify(own) ~= '') then return nil end
  local words = beginning(document.blocks)
  if words == '' then return nil end
  document.meta[field] = words
  return document
end
`
