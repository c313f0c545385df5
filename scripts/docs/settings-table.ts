import { definitionList } from '../../config/default.js'
import { defaultText } from '../../core/config/report.js'
import { table } from './table.js'

/** The settings of the core as a table: `config/default.ts`. */
export function settingsTable(): string {
  const rows = definitionList.map((definition) => {
    const { name, variable, about, absent } = definition
    const standard = absent ?? (defaultText(definition) === 'none' ? 'none' : `\`${defaultText(definition)}\``)
    return [`\`${name}\``, variable === null ? 'file only' : `\`${variable}\``, standard, about]
  })
  return table(['setting', 'variable', 'default', 'meaning'], rows)
}
