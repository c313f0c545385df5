import type { Format } from './format.js'

/** Pages that are laid out already. */
export const PAGES: readonly Format[] = [
  { id: 'pdf', title: 'PDF', family: 'page', mime: 'application/pdf', is: { begins: ['%PDF-'], ends: '%%EOF' } },
]
