import type { Pairs } from './pairs.js'

/**
 * Input formats of its LibreOffice, among those of the table. Formats that load other files when opened are left out
 * (html, xhtml, svg, epub, and Markdown by its browser): these would be loaded from inside the operator's network.
 */
const DOCUMENTS = ['doc', 'docx', 'docm', 'dot', 'dotx', 'dotm', 'odt', 'fodt', 'ott', 'rtf', 'txt', 'wpd', 'abw', 'sxw', 'stw']
const SHEETS = ['xls', 'xlsx', 'xlsm', 'xlt', 'xltx', 'xltm', 'ods', 'fods', 'ots', 'csv', 'dif', 'slk', 'sxc', 'stc']
const SLIDES = ['ppt', 'pptx', 'pptm', 'pps', 'ppsx', 'pot', 'potx', 'potm', 'odp', 'fodp', 'otp', 'sxi']
const DRAWINGS = ['odg', 'fodg', 'otg', 'sxd', 'vsdx', 'vdx', 'wmf', 'emf', 'dxf']
const PICTURES = ['jpeg', 'png', 'bmp', 'gif', 'tiff', 'psd', 'tga', 'pcx', 'pbm', 'pgm', 'ppm', 'xbm', 'xpm']

export const GOTENBERG: Pairs = {
  vendor: 'gotenberg',
  groups: [{ from: [...DOCUMENTS, ...SHEETS, ...SLIDES, ...DRAWINGS, ...PICTURES], to: ['pdf'] }],
}
