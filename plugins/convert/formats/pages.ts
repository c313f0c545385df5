import type { Format } from './format.js'

/** Fixed-layout pages. */
export const PAGES: readonly Format[] = [
  { id: 'pdf', title: 'PDF', family: 'page', mime: 'application/pdf', is: { begins: ['%PDF-'], ends: '%%EOF' } },
  { id: 'ps', title: 'PostScript', family: 'page', mime: 'application/postscript', is: { begins: ['%!'], ends: '%%EOF' } },
  {
    id: 'eps',
    title: 'Encapsulated PostScript',
    family: 'page',
    mime: 'application/postscript',
    is: { begins: ['%!', '\xc5\xd0\xd3\xc6'] },
  },
  {
    id: 'pxl',
    title: 'PCL XL, for printers',
    family: 'page',
    mime: 'application/vnd.hp-pclxl',
    aliases: ['pclxl'],
    is: { begins: ['\x1b%-12345X', ') HP-PCL XL'] },
  },
]
