import type { Pairs } from './pairs.js'

export const LIBREOFFICE: Pairs = {
  vendor: 'libreoffice',
  groups: [{ from: ['docx', 'doc', 'odt', 'rtf', 'html'], to: ['pdf', 'docx', 'doc', 'odt', 'rtf', 'html', 'txt'] }],
}
