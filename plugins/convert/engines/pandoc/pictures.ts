/**
 * A filter that pandoc runs on the document between reading and writing. Embedded pictures are kept in the result: as
 * `data:` addresses in HTML, else as files in it. Referenced pictures stay references in text formats, and become
 * their description in formats that embed pictures: nothing is fetched in either case. Embedded pictures also become
 * their description in text formats, which would refer to missing files.
 */
export const PICTURES = `
local ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
local EMBEDS = { html = true, html4 = true, html5 = true, dzslides = true }
local HOLDS = { docx = true, odt = true, pptx = true, epub2 = true, epub3 = true, fb2 = true, rtf = true, ipynb = true, icml = true }
local ENDINGS = { ['image/png'] = 'png', ['image/jpeg'] = 'jpg', ['image/gif'] = 'gif', ['image/svg+xml'] = 'svg' }
local VALUES = {}
for at = 1, #ALPHABET do VALUES[ALPHABET:byte(at)] = at - 1 end

local function digit(value)
  return ALPHABET:sub((value & 63) + 1, (value & 63) + 1)
end

local function encoded(bytes)
  local parts = {}
  for at = 1, #bytes, 3 do
    local a, b, c = bytes:byte(at, at + 2)
    local number = a << 16 | (b or 0) << 8 | (c or 0)
    parts[#parts + 1] = digit(number >> 18) .. digit(number >> 12) .. (b and digit(number >> 6) or '=') .. (c and digit(number) or '=')
  end
  return table.concat(parts)
end

local function decoded(text)
  local clean = text:gsub('[^%w+/]', '')
  local parts = {}
  for at = 1, #clean - 1, 4 do
    local a, b, c, d = clean:byte(at, at + 3)
    local number = VALUES[a] << 18 | VALUES[b] << 12 | (c and VALUES[c] or 0) << 6 | (d and VALUES[d] or 0)
    parts[#parts + 1] = string.char(number >> 16, number >> 8 & 255, number & 255):sub(1, d and 3 or c and 2 or 1)
  end
  return table.concat(parts)
end

local count = 0
local function kept(src)
  local kind, data = src:match('^data:([%w/+.-]+);base64,(.*)$')
  if kind == nil or ENDINGS[kind] == nil then return nil end
  count = count + 1
  local name = 'picture-' .. count .. '.' .. ENDINGS[kind]
  pandoc.mediabag.insert(name, kind, decoded(data))
  return name
end

function Image(image)
  local kind, contents = pandoc.mediabag.lookup(image.src)
  if EMBEDS[FORMAT] then
    if kind == nil then return nil end
    image.src = 'data:' .. kind .. ';base64,' .. encoded(contents)
    return image
  end
  if not HOLDS[FORMAT] then
    if kind == nil then return nil end
    return image.caption
  end
  if kind ~= nil then return nil end
  local name = kept(image.src)
  if name == nil then return image.caption end
  image.src = name
  return image
end
`
