import type { Pairs } from './pairs.js'

const PICTURES = ['png', 'jpeg', 'webp', 'tiff']

/** Its converters for formats of the table; each is a separate address. */
export const CONVERTAPI: Pairs = {
  vendor: 'convertapi',
  groups: [
    { from: ['docx', 'doc', 'odt', 'rtf', 'txt', 'dotx', 'dot'], to: ['pdf'] },
    { from: ['xlsx', 'xls', 'ods', 'csv', 'xltx', 'xlsm'], to: ['pdf'] },
    { from: ['pptx', 'ppt', 'odp', 'ppsx', 'pps', 'potx', 'pot'], to: ['pdf'] },
    { from: ['html', 'svg', 'eps', 'ps', 'epub', 'mobi', 'vsdx', 'dxf', ...PICTURES, 'gif', 'bmp', 'heic'], to: ['pdf'] },
    { from: ['pdf'], to: ['docx', 'xlsx', 'pptx', 'rtf', 'txt', 'html', 'csv', 'svg', ...PICTURES] },
    { from: ['docx'], to: ['odt', 'rtf', 'txt', 'html', 'doc'] },
    { from: ['doc', 'odt', 'rtf', 'html'], to: ['docx'] },
    { from: ['xls', 'csv'], to: ['xlsx'] },
    { from: ['xlsx'], to: ['csv', 'xls'] },
    { from: ['ppt'], to: ['pptx'] },
    { from: [...PICTURES, 'gif', 'bmp', 'heic', 'svg', 'psd'], to: PICTURES },
  ],
}
