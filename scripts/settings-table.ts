import { definitionList } from '../config/default.js'
import { defaultText } from '../core/config/report.js'

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** The core's settings as a Markdown table, for the README. */
export function settingsTable(): string {
  const rows = definitionList.map((definition) => {
    const standard = definition.absent ?? `\`${defaultText(definition)}\``
    return `| \`${definition.name}\` | ${definition.variable === null ? 'file only' : `\`${definition.variable}\``} | ${standard === '`none`' ? 'none' : cell(standard)} | ${cell(definition.about)} |`
  })
  return ['| setting | variable | default | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

const BEGIN = '<!-- settings: generated from config/default.ts -->'
const END = '<!-- /settings -->'

/** Updates the table between its two marks in a page. Throws without the marks. */
export function withSettingsTable(page: string): string {
  const begin = page.indexOf(BEGIN)
  const end = page.indexOf(END)
  if (begin < 0 || end < begin) throw new Error(`the page lacks the marks ${BEGIN} and ${END}`)
  return `${page.slice(0, begin + BEGIN.length)}\n\n${settingsTable()}\n\n${page.slice(end)}`
}
