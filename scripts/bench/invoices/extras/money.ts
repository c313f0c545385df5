/** How papers write amounts: `dash` has `,-` for whole ones, `lakh` groups by two beyond the thousands. */
export type Style = 'comma' | 'point' | 'blank' | 'thin' | 'apostrophe' | 'lakh' | 'dash' | 'plain' | 'whole'

export function written(minor: number, style: Style): string {
  const [whole = '', cents = ''] = (Math.abs(minor) / 100).toFixed(2).split('.')
  const grouped = (sign: string) => whole.replace(/\B(?=(\d{3})+$)/g, sign)
  const digits = (): string => {
    switch (style) {
      case 'comma':
        return `${grouped('.')},${cents}`
      case 'point':
        return `${grouped(',')}.${cents}`
      case 'blank':
        return `${grouped('\u00a0')},${cents}`
      case 'thin':
        return `${grouped('\u202f')},${cents}`
      case 'apostrophe':
        return `${grouped('’')}.${cents}`
      case 'lakh':
        return `${lakh(whole)}.${cents}`
      case 'dash':
        return cents === '00' ? `${grouped(' ')},-` : `${grouped(' ')},${cents}`
      case 'plain':
        return `${whole},${cents}`
      case 'whole':
        return Math.round(Math.abs(minor))
          .toString()
          .replace(/\B(?=(\d{3})+$)/g, ',')
    }
  }
  return minor < 0 ? `-${digits()}` : digits()
}

const lakh = (whole: string): string =>
  whole.length <= 3 ? whole : `${whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ',')},${whole.slice(-3)}`
