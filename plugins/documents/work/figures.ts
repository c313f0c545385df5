const NUMBER = /[-+−]?\d(?:[\d.,'’\u00a0\u202f ]{0,30}\d)?/g

/** The only number of a text, in usual forms (`1,234.50 €`, `1.234,50`, `1 234`); undefined for none or several. */
export function numberIn(text: string): number | undefined {
  const found = text.slice(0, 200).match(NUMBER)
  const [first] = found ?? []
  if (first === undefined || found?.length !== 1) return undefined
  const bare = first.replace(/['’\u00a0\u202f ]/g, '').replace('−', '-')
  const value = Number(withPoint(bare))
  return Number.isFinite(value) ? value : undefined
}

/** With two kinds of separators the last one is decimal; a repeated one, or a comma before three digits, separates thousands. */
function withPoint(bare: string): string {
  const [point, comma] = [bare.lastIndexOf('.'), bare.lastIndexOf(',')]
  if (point >= 0 && comma >= 0) return point > comma ? bare.replaceAll(',', '') : bare.replaceAll('.', '').replace(',', '.')
  const mark = comma >= 0 ? ',' : '.'
  const parts = bare.split(mark)
  if (parts.length > 2 || (mark === ',' && parts[1]?.length === 3)) return parts.join('')
  return parts.join('.')
}
