import type { Pairs } from './pairs.js'

/**
 * What its LibreOffice takes, of the formats of the table. Left out is what is made to load other files while it is opened (html, xhtml, svg, epub,
 * and Markdown by its browser): it would be loaded from within the operator's network.
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
