import type { Pairs } from './pairs.js'

const TEXTS = ['docx', 'doc', 'odt', 'rtf', 'txt', 'html']
const SHEETS = ['xlsx', 'xls', 'ods', 'csv']
const SLIDES = ['pptx', 'ppt', 'odp', 'ppsx', 'pps']
const PICTURES = ['png', 'jpeg', 'webp', 'gif', 'tiff', 'bmp', 'avif']
const BOOKS = ['epub', 'mobi', 'azw3', 'fb2', 'lrf']
const SOUND = ['mp3', 'm4a', 'wav', 'flac', 'ogg', 'aac', 'wma', 'aiff', 'ac3']
const FILMS = ['mp4', 'mkv', 'webm', 'mov', 'avi', 'flv', 'wmv', 'mpg', '3gp', 'ogv', 'ts', 'm4v']

/** Its supported formats among those of the table; `GET /convert/formats` of its API lists all. */
export const CLOUDCONVERT: Pairs = {
  vendor: 'cloudconvert',
  groups: [
    { from: [...TEXTS, 'docm', 'dotx', 'wpd', 'abw', 'md'], to: ['pdf', ...TEXTS] },
    { from: [...SHEETS, 'xlsm'], to: ['pdf', 'html', ...SHEETS] },
    { from: [...SLIDES, 'pptm', 'potx'], to: ['pdf', 'pptx', 'ppt', 'odp'] },
    { from: ['pdf'], to: ['docx', 'rtf', 'txt', 'html', 'pptx', 'xlsx', 'png', 'jpeg', 'tiff', 'svg', 'eps'] },
    { from: [...PICTURES, 'psd', 'ico', 'heic'], to: ['pdf', ...PICTURES] },
    { from: ['svg', 'eps', 'ps', 'emf', 'wmf', 'dxf'], to: ['pdf', 'png', 'jpeg', 'svg', 'eps'] },
    { from: BOOKS, to: ['pdf', 'docx', 'txt', ...BOOKS] },
    { from: [...SOUND, 'amr', 'au', 'caf', 'opus'], to: SOUND },
    { from: [...FILMS, 'mxf', 'vob', 'm2ts', 'wtv', 'rm'], to: [...FILMS, ...SOUND, 'gif'] },
  ],
}
