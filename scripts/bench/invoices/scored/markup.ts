/** Text as markup. */
export const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

/** A whole page. */
export const page = (language: string, style: string, body: string): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><style>${style}</style></head><body>${body}</body></html>`

export const row = (cells: readonly string[], tag = 'td'): string => `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`
